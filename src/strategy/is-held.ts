import { isTradable, type Market, type Position } from '../domain/index.ts';

/**
 * Whether a position is more than dust. Dust is smaller than the market's least order at the mean
 * entry price, such as the rest that fees taken in the base currency leave of a long position. Where
 * that price is not known, as for coins that were recorded without one, the amount alone counts.
 */
export function isHeld(market: Market, position: Position): boolean {
  const size = Math.abs(position.amount.toNumber());
  return isTradable(market, { size, price: entryPrice(position) });
}

/** The mean entry price; NaN where it is not known. */
export function entryPrice({ amount, cost }: Position): number {
  return cost.sign === 0 ? Number.NaN : cost.toNumber() / amount.toNumber();
}
