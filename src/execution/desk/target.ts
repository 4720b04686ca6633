import {
  type Amount,
  isBelowMinSize,
  type LiveOrder,
  type Market,
  type Price,
  priceOf,
  type Side,
  type TargetIntent,
} from '../../domain/index.ts';
import { Decimal, fromUnits, type Rounding, UNITS_MAX, unitsOrNaN } from '../../kernel/index.ts';
import type { PriceView } from '../../risk/index.ts';
import { openOf } from './beside-target.ts';
import { isExitOf } from './obstacles.ts';
import type { SlotTerms } from './slot.ts';
import { kindOf, TARGET_TAG } from './tags.ts';

export interface TargetSituation {
  readonly market: Market;
  /** The target: what is to be held. */
  readonly wanted: Decimal;
  /** What the strategy holds. */
  readonly held: Decimal;
  /** Its orders by a tag that may be filling: see `mayBeFilling`. */
  readonly filling: readonly LiveOrder[];
  /** Base currency that was taken as the fee of the newest order towards this target. */
  readonly fee: Decimal;
  readonly prices: Pick<PriceView, 'depth' | 'last'>;
  /** All live orders in the market, whichever strategies they are of. */
  readonly live: readonly LiveOrder[];
}

/**
 * The one order that leads from what is held to the target; or why none does:
 *
 * - `reached`: what is missing is less than the market's least order and only a rest of the target,
 *   or no more than the fee took of the order that led there.
 * - `underWay`: it would be reached if all orders filled that may be filling.
 * - `blocked`: no price is known, or the book is beyond the limit.
 *
 * Where less than the least order is the better part of the target, the order is answered all the
 * same: risk refuses it, and so the strategy hears that its target cannot be had.
 */
export function targetTerms(
  intent: TargetIntent,
  situation: TargetSituation,
): SlotTerms | 'reached' | 'underWay' | 'blocked' {
  const { market, wanted, held, filling, fee } = situation;
  const whole = wanted.minus(held);
  const side: Side = whole.sign > 0 ? 'buy' : 'sell';
  const open = openOf(filling, { market, side });
  const done = open.sign > 0 ? 'underWay' : 'reached';
  const way = whole.abs().minus(open);
  const beyondFee = side === 'buy' ? way.minus(fee) : way;
  if (beyondFee.round(market.amountScale, 'down').sign <= 0) return done;
  const amount = way.round(market.amountScale, 'down').toNumber() as Amount;
  const isRest = !isMost(way, { of: wanted, held });
  if (isRest && amount < market.minAmount) return done;
  const isExit = isExitOf({ side, amount }, held);
  const price = targetPrice(intent, situation, { side, isExit });
  if (price === undefined) return 'blocked';
  if (isRest && isBelowMinSize(market, { price, amount })) return done;
  return { side, type: 'ioc', price, amount, tag: TARGET_TAG };
}

/** Whether a way is the better part of a target, and longer than that from what is held to nothing. */
function isMost(missing: Decimal, { of, held }: { of: Decimal; held: Decimal }): boolean {
  return missing.plus(missing).compare(of.abs()) > 0 && missing.compare(held.abs()) > 0;
}

/** Whether the way leads through flat. */
export function isBeyondFlat({ wanted, held }: TargetSituation): boolean {
  return wanted.sign * held.sign < 0;
}

/** Whether the way leads nearer to flat, and not beyond it. */
export function leadsOut({ wanted, held }: TargetSituation): boolean {
  return wanted.sign * held.sign >= 0 && wanted.abs().compare(held.abs()) < 0;
}

/**
 * Of a way beside orders in doubt the part that shrinks what is held, less what those of its side may
 * have traded already; undefined: no part does. An exit leaves, and never goes beyond flat for it.
 */
export function wayOut(
  whole: TargetSituation,
  doubtful: readonly LiveOrder[],
): TargetSituation | undefined {
  const turns = isBeyondFlat(whole);
  if (!turns && !leadsOut(whole)) return undefined;
  const filling = [...whole.filling, ...doubtful];
  return { ...whole, filling, wanted: turns ? Decimal.ZERO : whole.wanted };
}

/** Short of own orders of the other side, as far as the book is: those are no way to the target. */
function targetPrice(
  intent: TargetIntent,
  { market, prices, live }: Pick<TargetSituation, 'market' | 'prices' | 'live'>,
  { side, isExit }: { readonly side: Side; readonly isExit: boolean },
): Price | undefined {
  const depth = prices.depth(market.id);
  const far = side === 'buy' ? depth?.asks[0]?.[0] : depth?.bids[0]?.[0];
  const price = furthestPrice(intent, { side, market, prices, far });
  const met = live.filter((order) => order.side !== side);
  const isLeftAWay = isExit && met.every((order) => kindOf(order) === 'quotes');
  // In place of a book that is not known, as in backtests on candles and trades. Nobody knows how much
  // worse the next trade is, so quotes that can leave an exit its way do.
  const near = far ?? (isLeftAWay ? undefined : prices.last(market.id));
  const short = shortOf(met, { side, market });
  if (price === undefined || near === undefined || short === undefined) return price;
  const isInTheWay =
    side === 'buy' ? short < price && short >= near : short > price && short <= near;
  return isInTheWay ? short : price;
}

interface Priced extends Pick<TargetSituation, 'market' | 'prices'> {
  readonly side: Side;
  /** The best price of those who stand there, as far as a book is known. */
  readonly far: number | undefined;
}

/** A step short of the nearest of own orders of the other side; undefined where there is none. */
function shortOf(
  met: readonly LiveOrder[],
  { side, market: { priceScale } }: Pick<Priced, 'side' | 'market'>,
): Price | undefined {
  if (met.length === 0) return undefined;
  const own = met.map(({ price }) => price);
  const nearest = side === 'buy' ? Math.min(...own) : Math.max(...own);
  const units = unitsOrNaN(nearest, priceScale) + (side === 'buy' ? -1 : 1);
  return Number.isNaN(units) ? undefined : (fromUnits(units, priceScale) as Price);
}

/** Rounded towards the better price, so that a limit is never overstepped. */
function furthestPrice(
  { priceLimit, slippage }: TargetIntent,
  { side, market, prices, far }: Priced,
): Price | undefined {
  if (priceLimit !== undefined) {
    const beyond = far !== undefined && (side === 'buy' ? far > priceLimit : far < priceLimit);
    return beyond ? undefined : priceLimit;
  }
  const last = prices.last(market.id);
  // Recorded prices may have more places than the market: it trades at the nearest step.
  const base = far ?? (last && possiblePrice(market, last, 'nearest'));
  if (base === undefined) return undefined;
  if (side === 'buy') return possiblePrice(market, base * (1 + slippage), 'down');
  const price = possiblePrice(market, base * (1 - slippage), 'up');
  return price === 0 ? undefined : price;
}

/** On scale; undefined beyond all prices that orders can have, as a stub of a book may be. */
function possiblePrice(market: Market, value: number, rounding: Rounding): Price | undefined {
  const isPossible = value * 10 ** market.priceScale < UNITS_MAX - 1;
  return isPossible ? priceOf(market, value, rounding) : undefined;
}
