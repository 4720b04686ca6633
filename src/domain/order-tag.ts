/** The tag of orders that pursue a `target`. */
export const TARGET_TAG = 'target/';

/** What the tags of quotes begin with. */
export const QUOTES_TAG = 'quotes/';
/** What the tag of a quote ends with that left in a batch, with the same for all of it. */
export const BATCH_SUFFIX = /\/batch(?:\/(\d+))?$/;

/** Tells which wish an order belongs to. */
export type WishKind = 'quotes' | 'target' | 'order';

/** The kind of wish that uses such a tag. */
export function kindOfTag(tag: string): WishKind {
  if (tag.startsWith(QUOTES_TAG)) return 'quotes';
  return tag.startsWith(TARGET_TAG) ? 'target' : 'order';
}

/** The tag of an order that was asked for by itself, as a field to be spread. */
export function tagOfOrder(tag: string): { readonly tag?: string } {
  return kindOfTag(tag) === 'order' ? { tag } : {};
}
