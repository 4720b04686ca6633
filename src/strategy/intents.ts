import {
  type Amount,
  type CancelIntent,
  type Market,
  ORDER_TYPES,
  type OrderIntent,
  type OrderType,
  type Price,
  type Quote,
  type QuotesIntent,
  SIDES,
  type Side,
  type TargetIntent,
} from '../domain/index.ts';
import { type Rounding, roundToScale, UNITS_MAX } from '../kernel/index.ts';
import type { MarketReference } from './context.ts';
import { StrategyError } from './errors.ts';
import { requireKnown } from './require-known.ts';

/** A price and an amount as computed: floats, not yet on the market's scales. */
export type QuoteLike =
  | { readonly price: number; readonly amount: number }
  | readonly [price: number, amount: number];

/**
 * The orders that the strategy wants to rest in a market from now on, in place of all that it
 * quoted there before.
 *
 * Bid prices are rounded down, ask prices up and amounts down to the market's scales. A level whose
 * price or amount is 0 then is left out. Levels of a side that round to the same price become one,
 * with the sum of their amounts; whether that is large enough is for risk to say.
 *
 * A level that is wished again unchanged keeps its order and its place in the queue; if part of it
 * has filled, it is not topped up. A level that has filled completely is placed again by a new
 * wish.
 *
 * `postOnly`: refuse rather than take. Default: true.
 *
 * @throws {StrategyError} when a price is not positive, an amount is negative or not a number, an
 * option is not known, or the market is only a name.
 */
export function quotes(
  market: Market,
  bids: readonly QuoteLike[],
  asks: readonly QuoteLike[],
  options: { readonly postOnly?: boolean } = {},
): QuotesIntent {
  requireMarket('quote', market);
  requireKnown('quote', options, ['postOnly']);
  const { postOnly = true } = options;
  return {
    kind: 'quotes',
    market: market.id,
    bids: levelsOf(market, bids, 'buy'),
    asks: levelsOf(market, asks, 'sell'),
    postOnly,
  };
}

/** No resting orders in the market: cancels all that `quotes` asked for. */
export function noQuotes(market: MarketReference): QuotesIntent {
  const id = typeof market === 'string' ? market : market.id;
  return { kind: 'quotes', market: id, bids: [], asks: [], postOnly: true };
}

/**
 * Levels for `quotes`, the first at `price`, each further one by the fraction `step` of the one
 * before: a positive step climbs (asks), a negative one descends (bids). The same amount on each.
 */
export function ladder(
  price: number,
  options: { readonly levels: number; readonly step: number; readonly amount: number },
): QuoteLike[] {
  const { levels, step, amount } = options;
  return Array.from({ length: levels }, (_, level) => ({
    price: price * (1 + step) ** level,
    amount,
  }));
}

export interface TargetOptions {
  /** Worst price to trade at, rounded to the nearest step. Default: bounded by `slippage`. */
  readonly priceLimit?: number;
  /** How far through the best opposite price to go, a fraction. Default: 0.002, one fee's worth. */
  readonly slippage?: number;
}

/**
 * The position that the strategy wants in a market: the net amount of the base currency over all
 * its own fills, as `context.position` counts them; negative for short. It is rounded towards zero
 * to the market's scale. A position below the smallest step is refused, and what is held stays;
 * `target(market, 0)` sells all of it.
 *
 * A resting `order` is not held yet. What it fills away from the target, or beyond it, is not
 * undone until a target is wished anew. One that would trade more than a shrinking target leaves is
 * cancelled.
 *
 * @throws {StrategyError} when a number is not finite, the limit is not positive, the slippage is
 * not from 0 to below 1, an option is not known, or the market is only a name.
 */
export function target(
  market: Market,
  position: number,
  options: TargetOptions = {},
): TargetIntent {
  requireMarket('target', market);
  requireKnown('target', options, ['priceLimit', 'slippage']);
  const { priceLimit, slippage = 0.002 } = options;
  if (!Number.isFinite(position)) fail('target', 'position', position, 'a finite number');
  if (!(slippage >= 0 && slippage < 1)) fail('target', 'slippage', slippage, 'from 0 to below 1');
  const wish = {
    kind: 'target',
    market: market.id,
    position: positionOf(market, position),
    slippage,
  } as const;
  if (priceLimit === undefined) return wish;
  const limit = positive('target', 'priceLimit', priceLimit);
  return { ...wish, priceLimit: priceOf(market, limit, 'nearest') };
}

export interface OrderOptions {
  /** Names the order among the strategy's own, for `cancel`. */
  readonly tag: string;
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
  /** Default: `limit`. */
  readonly type?: OrderType;
}

const ORDER_OPTIONS = ['tag', 'side', 'price', 'amount', 'type'];

/**
 * One order, for what quotes and targets cannot express. The price is rounded so that it is never
 * worse than asked, the amount down; whether it is large enough is for risk to say.
 *
 * @throws {StrategyError} when the price or the amount is not a positive number, the side or the
 * type is none, the tag is no text, an option is not known, or the market is only a name.
 */
export function order(market: Market, options: OrderOptions): OrderIntent {
  requireMarket('order', market);
  // An author may spread a live order and change its terms: its other fields do no harm.
  const isLive = Object.hasOwn(Object(options), 'clientOrderId');
  if (!isLive) requireKnown('order', options, ORDER_OPTIONS);
  const { tag, side, type = 'limit' } = options;
  if (typeof tag !== 'string') fail('order', 'tag', tag, 'a text');
  if (!SIDES.includes(side)) fail('order', 'side', side, SIDES.join(' or '));
  if (!ORDER_TYPES.includes(type)) fail('order', 'type', type, `one of ${ORDER_TYPES.join(', ')}`);
  const price = positive('order', 'price', options.price);
  const amount = positive('order', 'amount', options.amount);
  return {
    kind: 'order',
    market: market.id,
    tag,
    side,
    type,
    price: passivePrice(market, side, price),
    amount: amountOf(market, amount),
  };
}

/** Cancels the order of that tag. */
export function cancel(market: MarketReference, tag: string): CancelIntent {
  return { kind: 'cancel', market: typeof market === 'string' ? market : market.id, tag };
}

function levelsOf(market: Market, levels: readonly QuoteLike[], side: Side): Quote[] {
  const kept: Quote[] = [];
  const name = side === 'buy' ? 'the list of bids' : 'the list of asks';
  if (!Array.isArray(levels)) fail('quote', name, levels, 'one of levels (or [])');
  for (const level of levels) {
    if (typeof level !== 'object' || level === null) {
      fail('quote', 'a level', level, 'a price with an amount');
    }
    const [price, amount] = isPair(level) ? level : [level.price, level.amount];
    positive('quote', 'price', price);
    if (typeof amount !== 'number' || !(amount >= 0 && amount < Infinity)) {
      fail('quote', 'amount', amount, 'a number of 0 or more');
    }
    const quote = { price: passivePrice(market, side, price), amount: amountOf(market, amount) };
    if (quote.amount === 0 || quote.price <= 0) continue;
    const same = kept.findIndex((other) => other.price === quote.price);
    if (same < 0) kept.push(quote);
    else {
      const amount = amountOf(market, kept[same]!.amount + quote.amount, 'nearest');
      kept[same] = { ...quote, amount };
    }
  }
  return kept;
}

function isPair(level: QuoteLike): level is readonly [price: number, amount: number] {
  return Array.isArray(level);
}

/** A position below the smallest step stays unrounded: 0 would be a wish to sell all. */
function positionOf(market: Market, position: number): number {
  const rounded = amountOf(market, position);
  return rounded === 0 && amountOf(market, position, 'up') !== 0 ? position : rounded;
}

function passivePrice(market: Market, side: Side, price: number): Price {
  return priceOf(market, price, side === 'buy' ? 'down' : 'up');
}

function priceOf({ priceScale }: Market, value: number, rounding: Rounding): Price {
  return onScale(value, { scale: priceScale, rounding }) as Price;
}

function amountOf({ amountScale }: Market, value: number, rounding: Rounding = 'down'): Amount {
  return onScale(value, { scale: amountScale, rounding }) as Amount;
}

/**
 * A value that is too large for any order stays unrounded, for risk to refuse: computing with a
 * nearly empty book does not end a strategy.
 */
function onScale(
  value: number,
  { scale, rounding }: { readonly scale: number; readonly rounding: Rounding },
): number {
  const isPossible = Math.abs(value) * 10 ** scale < UNITS_MAX - 1;
  return isPossible ? roundToScale(value, scale, rounding) : value;
}

/** Refuses a market's name: prices and amounts are rounded to scales that only the market has. */
function requireMarket(action: string, market: unknown): void {
  const scale = (market as Partial<Market> | null | undefined)?.priceScale;
  if (typeof scale === 'number') return;
  const kind = typeof market === 'string' ? 'the name ' : '';
  const what = `${kind}${shown(market)}`;
  throw new StrategyError(
    `Cannot ${action}: the market is ${what}, one of context.markets is wanted`,
  );
}

function positive(action: string, field: string, value: number): number {
  if (typeof value === 'number' && value > 0 && value < Infinity) return value;
  return fail(action, field, value, 'a positive number');
}

/** Plain JavaScript may hand in anything where numbers are wanted. */
function fail(action: string, field: string, value: unknown, wanted: string): never {
  throw new StrategyError(`Cannot ${action}: ${field} is ${shown(value)}, ${wanted} is wanted`);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
