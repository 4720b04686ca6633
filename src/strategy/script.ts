import {
  type Amount,
  type Candle,
  currenciesOf,
  type Depth,
  type Fill,
  INTERVAL_MS,
  type Interval,
  type Level,
  type Market,
  type Side,
  type Stamped,
  type Ticker,
  type Trade,
  type TradingEvent,
} from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { flatPosition } from '../ledger/index.ts';

/** An event that a strategy can see, as a script for `runStrategy`. */
export type ScriptedEvent = Extract<
  TradingEvent,
  {
    readonly kind:
      | 'ticker'
      | 'depth'
      | 'trade'
      | 'candle'
      | 'freshness'
      | 'fill'
      | 'order'
      | 'refusal'
      | 'balance'
      | 'position';
  }
>;

/** The market that scripts use by default. */
export const scriptedMarket: Market = {
  id: 'btc_usdt',
  base: 'btc',
  quote: 'usdt',
  priceScale: 2,
  amountScale: 4,
  minAmount: 0.0001,
  minSize: 1,
};

export interface Scripted {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Default: `btc_usdt`. */
  readonly market?: string;
}

/** A book of one level a side. `amount` rests on each. Default: 1. */
export function scriptedDepth(
  options: Scripted & { readonly bid: number; readonly ask: number; readonly amount?: number },
): Depth & { readonly kind: 'depth' } {
  const { time, market = scriptedMarket.id, bid, ask, amount = 1 } = options;
  const bids: Level[] = [[bid, amount]];
  const asks: Level[] = [[ask, amount]];
  return { kind: 'depth', market, bids, asks, exchangeTime: time, receivedTime: time };
}

/** A public trade. Defaults: amount 1, side `buy`, its time as id. */
export function scriptedTrade(
  options: Scripted & {
    readonly price: number;
    readonly amount?: number;
    readonly side?: Side;
    readonly id?: string;
  },
): Trade & { readonly kind: 'trade' } {
  const { time, market = scriptedMarket.id, price, amount = 1, side = 'buy' } = options;
  const { id = String(time) } = options;
  const stamps = { exchangeTime: time, receivedTime: time };
  return { kind: 'trade', market, id, price, amount, side, ...stamps };
}

/** The 24-hour summary. Defaults: all prices `last`, volume 1, change 0. */
export function scriptedTicker(
  options: Scripted & { readonly last: number } & Partial<
      Omit<Ticker, 'market' | 'last' | keyof Stamped>
    >,
): Ticker & { readonly kind: 'ticker' } {
  const { time, market = scriptedMarket.id, last, ...told } = options;
  const prices = { bid: last, ask: last, last, open: last, high: last, low: last };
  const stamps = { exchangeTime: time, receivedTime: time };
  return { kind: 'ticker', market, ...prices, volume: 1, change: 0, ...told, ...stamps };
}

/**
 * Closed candles, one after the other from `startMs` on, that open where the one before closed.
 * Defaults: interval `1min`, start 0, volume 1 each.
 */
export function scriptedCandles(
  closes: readonly number[],
  options: {
    readonly interval?: Interval;
    readonly startMs?: number;
    readonly market?: string;
  } = {},
): (Candle & { readonly kind: 'candle' })[] {
  const { interval = '1min', startMs = 0, market = scriptedMarket.id } = options;
  return closes.map((close, index) => {
    const open = closes[index - 1] ?? close;
    const openTime = startMs + index * INTERVAL_MS[interval];
    const closeTime = openTime + INTERVAL_MS[interval];
    const [high, low] = [Math.max(open, close), Math.min(open, close)];
    const shape = { market, interval, openTime, open, high, low, close, volume: 1, closed: true };
    return { kind: 'candle', ...shape, exchangeTime: closeTime, receivedTime: closeTime };
  });
}

/** A change of the strategy's own position to `amount` of the base currency, bought at `price`. */
export function scriptedPosition(
  options: Scripted & { readonly amount: number; readonly price?: number },
): Extract<ScriptedEvent, { kind: 'position' }> {
  const { time, market = scriptedMarket.id, amount, price = 0 } = options;
  const held = Decimal.of(amount);
  const position = { ...flatPosition(market), amount: held, cost: held.times(Decimal.of(price)) };
  return { kind: 'position', time, market, strategy: 'scripted', position };
}

/**
 * A fill of the strategy's own, without a fee; with a tag, of the `order` of that tag. Default of
 * `clientOrderId`: the tag, or `scripted`.
 */
export function scriptedFill(
  options: Scripted &
    Pick<Fill, 'side' | 'price'> & {
      readonly amount: number;
      readonly tag?: string;
      readonly clientOrderId?: string;
    },
): Extract<ScriptedEvent, { kind: 'fill' }> {
  const { time, market = scriptedMarket.id, side, price, amount, tag } = options;
  const { clientOrderId = tag ?? 'scripted' } = options;
  const fill: Fill = {
    market,
    strategy: 'scripted',
    clientOrderId,
    exchangeOrderId: '1',
    side,
    amount: amount as Amount,
    value: Decimal.of(price).times(Decimal.of(amount)),
    price,
    fee: Decimal.ZERO,
    feeCurrency: currenciesOf(market)[side === 'buy' ? 'base' : 'quote'],
    time,
    ...(tag !== undefined && { tag }),
  };
  return { kind: 'fill', time, market, fill };
}
