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
  /** The position to reach. */
  readonly wanted: Decimal;
  /** The strategy's position. */
  readonly held: Decimal;
  /** Its single orders that may be filling: see `mayBeFilling`. */
  readonly filling: readonly LiveOrder[];
  /** Base currency taken as the fee of the newest order towards this target. */
  readonly fee: Decimal;
  readonly prices: Pick<PriceView, 'depth' | 'last'>;
  /** All live orders in the market, of all strategies. */
  readonly live: readonly LiveOrder[];
}

/**
 * The one order that leads from the position to the target, or why none does:
 *
 * - `reached`: what is missing is below the market's least order and only the lesser part of the
 *   target, or no more than the fee taken of the order that led there.
 * - `underWay`: it would be reached if all orders filled that may be filling.
 * - `blocked`: no price is known, or the book is beyond the limit.
 *
 * If what is missing is below the least order but the greater part of the target, the order is
 * returned nonetheless: risk refuses it, which tells the strategy that its target cannot be had.
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

/**
 * Whether what is missing is more than half of the target, and more than the way from `held` to
 * zero.
 */
function isMost(missing: Decimal, { of, held }: { of: Decimal; held: Decimal }): boolean {
  return missing.plus(missing).compare(of.abs()) > 0 && missing.compare(held.abs()) > 0;
}

/** Whether the way to the target crosses flat. */
export function isBeyondFlat({ wanted, held }: TargetSituation): boolean {
  return wanted.sign * held.sign < 0;
}

/** Whether the way to the target leads nearer to flat, and not beyond it. */
export function leadsOut({ wanted, held }: TargetSituation): boolean {
  return wanted.sign * held.sign >= 0 && wanted.abs().compare(held.abs()) < 0;
}

/**
 * The part of a way that may be gone beside orders in doubt: the one that shrinks the position,
 * less what those of its side may have traded already; undefined if no part does. So exits can
 * leave, and never lead beyond flat.
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

/**
 * The order's price, a step short of own orders of the other side that lie within the book: trading
 * with those does not lead to the target.
 */
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
  // Stands in for an unknown book, as in backtests on candles and trades. How much worse the next
  // trade will be is not known, so quotes that can give way to an exit do not limit its price.
  const near = far ?? (isLeftAWay ? undefined : prices.last(market.id));
  const short = shortOf(met, { side, market });
  if (price === undefined || near === undefined || short === undefined) return price;
  const isInTheWay =
    side === 'buy' ? short < price && short >= near : short > price && short <= near;
  return isInTheWay ? short : price;
}

interface Priced extends Pick<TargetSituation, 'market' | 'prices'> {
  readonly side: Side;
  /** The best opposite price, if a book is known. */
  readonly far: number | undefined;
}

/** A step short of the nearest own order of the other side; undefined if there is none. */
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

/**
 * The worst price to trade at, rounded towards the better side so that a limit is never
 * overstepped.
 */
function furthestPrice(
  { priceLimit, slippage }: TargetIntent,
  { side, market, prices, far }: Priced,
): Price | undefined {
  if (priceLimit !== undefined) {
    const beyond = far !== undefined && (side === 'buy' ? far > priceLimit : far < priceLimit);
    return beyond ? undefined : priceLimit;
  }
  const last = prices.last(market.id);
  // Recorded prices may have more decimal places than the market: take the nearest step.
  const base = far ?? (last && possiblePrice(market, last, 'nearest'));
  if (base === undefined) return undefined;
  if (side === 'buy') return possiblePrice(market, base * (1 + slippage), 'down');
  const price = possiblePrice(market, base * (1 - slippage), 'up');
  return price === 0 ? undefined : price;
}

/**
 * Rounds to scale; undefined beyond all prices that orders can have, as that of a stub quote may
 * be.
 */
function possiblePrice(market: Market, value: number, rounding: Rounding): Price | undefined {
  const isPossible = value * 10 ** market.priceScale < UNITS_MAX - 1;
  return isPossible ? priceOf(market, value, rounding) : undefined;
}
