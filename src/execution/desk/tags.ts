import {
  BATCH_SUFFIX,
  kindOfTag,
  type LiveOrder,
  type OrderState,
  QUOTES_TAG,
  type Refusal,
  type Side,
  type WishKind,
} from '../../domain/index.ts';

export { kindOfTag, TARGET_TAG } from '../../domain/index.ts';

/** The tag of the quote at that index of its side, from 0. */
export function quoteTag(side: Side, index: number): string {
  return `${QUOTES_TAG}${side === 'buy' ? 'bid' : 'ask'}/${index}`;
}

/**
 * The tag of the same quote when it leaves in a batch, without an id of ours. It ends with the
 * least time of the exchange's clock, by which the order is found, after a restart too.
 */
export function batchTag(tag: string, exchangeTime: number | undefined): string {
  return exchangeTime === undefined ? `${tag}/batch` : `${tag}/batch/${exchangeTime}`;
}

/**
 * Whether the order left in a batch, without an id of ours: only its terms find it, after restarts
 * too.
 */
export function isBatched({ tag }: OrderState): boolean {
  return tag.startsWith(QUOTES_TAG) && BATCH_SUFFIX.test(tag);
}

/**
 * The least time of the exchange's clock when the order left in a batch, milliseconds since the
 * epoch. Undefined: no order had been heard of, or the journal is of a version that did not keep
 * it.
 */
export function leftAfter({ tag }: OrderState): number | undefined {
  const [, exchangeTime] = BATCH_SUFFIX.exec(tag) ?? [];
  return exchangeTime === undefined ? undefined : Number(exchangeTime);
}

export function kindOf({ tag }: LiveOrder): WishKind {
  return kindOfTag(tag);
}

/** Whether it is a single order, wished by its tag. */
export function isTagged(order: LiveOrder): boolean {
  return kindOf(order) === 'order';
}

/** The refusal of an `order` intent with a tag reserved for the executor. */
export function reservedTag(tag: string): Refusal {
  return { code: 'reservedTag', limit: 'not quotes/ or target/', observed: tag, scope: 'order' };
}
