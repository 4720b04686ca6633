import { midOf } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import type { RiskView } from './review.ts';

export interface MarkBefore {
  readonly market: string;
  /** The previous mark; undefined where there was none. */
  readonly before: number | undefined;
  /** The last traded price at the time of the previous mark. */
  readonly told: number | undefined;
}

/**
 * The price at which a position is valued, undefined while none is known: the middle of the book,
 * else the last price.
 *
 * If a side of the book is missing, or its sides are further from the middle than the collar, the
 * near quotes have left and the middle says nothing. Then the mark is the last price if that has
 * changed since the previous mark, else the previous mark, bounded by the best bid and ask. `last`:
 * the last price. Default: it is looked up.
 */
export function markOf(
  { prices, rules }: RiskView,
  { market, before, told }: MarkBefore,
  last: number | undefined = prices.last(market),
): number | undefined {
  const depth = prices.depth(market);
  if (depth === undefined) return last ?? before;
  const bid = depth.bids[0]?.[0] ?? 0;
  const ask = depth.asks[0]?.[0] ?? Number.POSITIVE_INFINITY;
  const mid = midOf(depth);
  const apartMax = 2 * (rules.of(market)?.limits.collarFraction ?? 0);
  if (mid !== undefined && Math.abs(ask - bid) <= apartMax * mid) return mid;
  const known = last !== told ? (last ?? before) : (before ?? last ?? mid);
  if (known === undefined || bid > ask) return known;
  return Math.min(Math.max(known, bid), ask);
}

/** Powers of ten by exponent: a price has at most 22 decimal places. */
const POWERS = Array.from({ length: 24 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * A mark as a decimal, to a tenth of a price step: the middle of a book may lie between two steps.
 */
export function exactMark(mark: number, priceScale: number): Decimal {
  const scale = priceScale + 1;
  return new Decimal(Math.round(mark * POWERS[scale]!), scale);
}

/** A tenth of a price step. */
export function markGrain(priceScale: number): number {
  return 1 / POWERS[priceScale + 1]!;
}
