import type { Market, Position } from '../domain/index.ts';

/**
 * Whether a position is one: what fees taken in the base currency leave of it, and anything else that
 * is smaller than the market's least order at its mean entry price, is dust. Where that price is not
 * known, as of coins that were recorded without one, its amount alone counts.
 */
export function isHeld(market: Market, { amount, cost }: Position): boolean {
  const size = Math.abs(amount.toNumber());
  const price = cost.sign === 0 ? Number.NaN : Math.abs(cost.toNumber()) / size;
  return isSellable(market, { size, price });
}

/** Whether the market takes an order of that size at that price; a price of NaN forbids none. */
export function isSellable(
  { minAmount, minSize, amountScale }: Market,
  { size, price }: { readonly size: number; readonly price: number },
): boolean {
  return size >= Math.max(minAmount, 10 ** -amountScale) && !(size * price < minSize);
}
