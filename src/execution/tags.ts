import type { LiveOrder, Side } from '../domain/index.ts';

/** The tag of orders that pursue a `target`. */
export const TARGET_TAG = 'target/';

const QUOTES_TAG = 'quotes/';

/** Tells which wish an order belongs to. */
export type WishKind = 'quotes' | 'target' | 'order';

/** The tag of the quote at that place of its side, from 0. */
export function quoteTag(side: Side, index: number): string {
  return `${QUOTES_TAG}${side === 'buy' ? 'bid' : 'ask'}/${index}`;
}

/** The kind of wish that uses such a tag. */
export function kindOfTag(tag: string): WishKind {
  if (tag.startsWith(QUOTES_TAG)) return 'quotes';
  return tag.startsWith(TARGET_TAG) ? 'target' : 'order';
}

/** The kind of wish that made the order. */
export function kindOf({ tag }: LiveOrder): WishKind {
  return kindOfTag(tag);
}
