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

/** The tag of the quote at that place of its side, from 0. */
export function quoteTag(side: Side, index: number): string {
  return `${QUOTES_TAG}${side === 'buy' ? 'bid' : 'ask'}/${index}`;
}

/**
 * The tag of the same quote when it leaves in a batch, without an id of ours. It ends with the time
 * that the exchange's clock had at least, which is how it is found, after a restart too.
 */
export function batchTag(tag: string, exchangeTime: number | undefined): string {
  return exchangeTime === undefined ? `${tag}/batch` : `${tag}/batch/${exchangeTime}`;
}

/** Whether the order left without an id of ours: it is found by its terms only, restarts included. */
export function isBatched({ tag }: OrderState): boolean {
  return tag.startsWith(QUOTES_TAG) && BATCH_SUFFIX.test(tag);
}

/**
 * The time that the exchange's clock had at least when the order left in a batch, milliseconds since
 * the epoch. Undefined: no order had been heard of, or the journal is of a version that kept none.
 */
export function leftAfter({ tag }: OrderState): number | undefined {
  const [, exchangeTime] = BATCH_SUFFIX.exec(tag) ?? [];
  return exchangeTime === undefined ? undefined : Number(exchangeTime);
}

export function kindOf({ tag }: LiveOrder): WishKind {
  return kindOfTag(tag);
}

/** Whether it was asked for by itself. */
export function isTagged(order: LiveOrder): boolean {
  return kindOf(order) === 'order';
}

/** Why an `order` intent may not bear a tag of the executor's own. */
export function reservedTag(tag: string): Refusal {
  return { code: 'reservedTag', limit: 'not quotes/ or target/', observed: tag, scope: 'order' };
}
