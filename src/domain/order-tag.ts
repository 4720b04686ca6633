/** The tag of orders that pursue a `target`. */
export const TARGET_TAG = 'target/';

/** Prefix of the tags of quotes. */
export const QUOTES_TAG = 'quotes/';
/**
 * Suffix of the tag of a quote that was sent in a batch; the number is the same for the whole
 * batch.
 */
export const BATCH_SUFFIX = /\/batch(?:\/(\d+))?$/;

/** The kind of wish an order belongs to. */
export type WishKind = 'quotes' | 'target' | 'order';

/** The kind of wish whose orders have such a tag. */
export function kindOfTag(tag: string): WishKind {
  if (tag.startsWith(QUOTES_TAG)) return 'quotes';
  return tag.startsWith(TARGET_TAG) ? 'target' : 'order';
}

/** The tag of a single order as a field to spread; empty for quotes and targets. */
export function tagOfOrder(tag: string): { readonly tag?: string } {
  return kindOfTag(tag) === 'order' ? { tag } : {};
}
