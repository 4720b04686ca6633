import {
  type Amount,
  amountDecimal,
  type LiveOrder,
  type Market,
  orderValue,
  type Price,
  priceOf,
  type Side,
  type TargetIntent,
} from '../domain/index.ts';
import { Decimal, fromUnits, unitsOrNaN } from '../kernel/index.ts';
import type { PriceView } from '../risk/index.ts';
import type { Way } from './obstacles.ts';
import type { SlotTerms } from './slot.ts';
import { TARGET_TAG } from './tags.ts';

/** A target, and the pace at which it is pursued. */
export interface TargetWish {
  readonly intent: TargetIntent;
  /** What is to be held. */
  readonly position: Decimal;
  /** When a target that can't be pursued now is looked at again. */
  lookAgainMs: number;
  /** Whether an order that pursues it was refused. */
  isRefused: boolean;
  readonly way: Way;
}

/** The order that last pursued a target, and that target. */
export interface Pursuit {
  readonly clientOrderId: string;
  readonly position: number;
  /** What was taken of it as fee so far, in the base currency; a late fee sets it right. */
  fee: Decimal;
  /** Whether the next one pauses after it. */
  isPaced: boolean;
}

export interface TargetSituation {
  readonly market: Market;
  /** The target: what is to be held. */
  readonly wanted: Decimal;
  /** What the strategy holds. */
  readonly held: Decimal;
  /** Its orders that rest or are in flight: what they leave open counts as held. */
  readonly working: readonly LiveOrder[];
  /** Base currency that was taken as the fee of the newest order towards this target. */
  readonly fee: Decimal;
  readonly prices: PriceView;
  /** All live orders in the market, whichever strategies they are of. */
  readonly live: readonly LiveOrder[];
}

/**
 * The one order that leads from what is held to the target. `reached`: the way is shorter than the
 * least order and most of it is gone, or no more is missing than the fee took of the order that went
 * it. `blocked`: no price is known, or the book is beyond the limit. An order below the least that is
 * the better part of the target is for risk to refuse: nobody goes any of that way.
 */
export function targetTerms(
  intent: TargetIntent,
  situation: TargetSituation,
): SlotTerms | 'reached' | 'blocked' {
  const { market, wanted, held, working, fee } = situation;
  let way = wanted.minus(held);
  for (const order of working) way = way.minus(openAmount(market, order));
  const side: Side = way.sign > 0 ? 'buy' : 'sell';
  const beyondFee = side === 'buy' ? way.minus(fee) : way.negated();
  if (beyondFee.round(market.amountScale, 'down').sign <= 0) return 'reached';
  const amount = way.abs().round(market.amountScale, 'down').toNumber() as Amount;
  const isRest = !isMost(way, { of: wanted, held });
  if (isRest && amount < market.minAmount) return 'reached';
  const price = targetPrice(intent, { ...situation, side });
  if (price === undefined) return 'blocked';
  if (isRest && isBelowMinSize(market, { price, amount })) return 'reached';
  return { side, type: 'ioc', price, amount, tag: TARGET_TAG };
}

/** Whether a way is the better part of a target, and longer than that from what is held to nothing. */
function isMost(way: Decimal, { of, held }: { of: Decimal; held: Decimal }): boolean {
  const missing = way.abs();
  return missing.plus(missing).compare(of.abs()) > 0 && missing.compare(held.abs()) > 0;
}

function isBelowMinSize(market: Market, terms: { price: Price; amount: Amount }): boolean {
  return orderValue(market, terms).compare(Decimal.of(market.minSize)) < 0;
}

/** What an order may still add to the position, signed. */
function openAmount(market: Market, order: LiveOrder): Decimal {
  const open = amountDecimal(market, order.amount).minus(amountDecimal(market, order.filledAmount));
  return order.side === 'buy' ? open : open.negated();
}

type Priced = Pick<TargetSituation, 'market' | 'prices' | 'live'> & { readonly side: Side };

/** Short of own orders of the other side, as far as the book is: those are no way to the target. */
function targetPrice(intent: TargetIntent, situation: Priced): Price | undefined {
  const { side, market, prices } = situation;
  const depth = prices.depth(market.id);
  const far = side === 'buy' ? depth?.asks[0]?.[0] : depth?.bids[0]?.[0];
  const price = furthestPrice(intent, { ...situation, far });
  const short = shortOfOwn(situation);
  if (price === undefined || far === undefined || short === undefined) return price;
  const isInTheWay = side === 'buy' ? short < price && short >= far : short > price && short <= far;
  return isInTheWay ? short : price;
}

/** A step short of the nearest own order of the other side; undefined where there is none. */
function shortOfOwn({ side, market: { priceScale }, live }: Priced): Price | undefined {
  const own = live.filter((order) => order.side !== side).map(({ price }) => price);
  if (own.length === 0) return undefined;
  const nearest = side === 'buy' ? Math.min(...own) : Math.max(...own);
  const units = unitsOrNaN(nearest, priceScale) + (side === 'buy' ? -1 : 1);
  return Number.isNaN(units) ? undefined : (fromUnits(units, priceScale) as Price);
}

/** Rounded towards the better price, so that a limit is never overstepped. */
function furthestPrice(
  { priceLimit, slippage }: TargetIntent,
  { side, market, prices, far }: Priced & { readonly far: number | undefined },
): Price | undefined {
  if (priceLimit !== undefined) {
    const beyond = far !== undefined && (side === 'buy' ? far > priceLimit : far < priceLimit);
    return beyond ? undefined : priceLimit;
  }
  const base = far ?? prices.last(market.id);
  if (base === undefined) return undefined;
  if (side === 'buy') return priceOf(market, base * (1 + slippage), 'down');
  const price = priceOf(market, base * (1 - slippage), 'up');
  return price > 0 ? price : undefined;
}
