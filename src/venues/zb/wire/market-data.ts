import {
  type Candle,
  compareIds,
  currenciesOf,
  type Depth,
  INTERVAL_MS,
  type Interval,
  type Market,
  type Side,
  type Ticker,
  type Trade,
} from '../../../domain/index.ts';
import { symbolOf } from './fields.ts';
import { asksOf, bidsOf } from './levels.ts';
import { fieldsOf, fractionOf, idOf, illegible, listOf, numberOf, sizeOf, timeOf } from './read.ts';

/** What an answer does not contain: its market and when it arrived. */
interface Reception {
  readonly market: string;
  /** Milliseconds since the epoch. */
  readonly receivedTime: number;
}

/** The answer of `markets`. @throws {WireError} */
export function readMarkets(json: unknown): readonly Market[] {
  return Object.entries(fieldsOf(json, 'markets')).map(readMarket);
}

/** One market of that answer, by its name. @throws {WireError} */
export function readMarket([id, value]: readonly [string, unknown]): Market {
  const rules = fieldsOf(value, `market ${id}`);
  return {
    id,
    ...currenciesOf(id),
    priceScale: scaleOf(rules.priceScale, `priceScale of ${id}`),
    amountScale: scaleOf(rules.amountScale, `amountScale of ${id}`),
    minAmount: sizeOf(rules.minAmount, `minAmount of ${id}`),
    minSize: sizeOf(rules.minSize, `minSize of ${id}`),
  };
}

function scaleOf(value: unknown, what: string): number {
  const scale = numberOf(value, what);
  const whole = Number.isInteger(scale) && scale >= 0 && scale <= 22;
  return whole ? scale : illegible(what, value, 'a whole number from 0 to 22');
}

/** The answer of `ticker`, or a ticker frame. @throws {WireError} */
export function readTicker(json: unknown, reception: Reception): Ticker {
  const { ticker, date } = fieldsOf(json, 'ticker');
  return tickerOf(ticker, { ...reception, exchangeTime: timeOf(date, 'date') });
}

/**
 * Reads the tickers of `allTicker`, each by its name, which may lack its underscore. Such a name is
 * looked up in `markets`, and its ticker left out if it is not found. The answer has no time of its
 * own.
 *
 * @throws {WireError} as it reads.
 */
export function tickerReader({
  markets,
  receivedTime,
}: {
  readonly markets: readonly string[];
  readonly receivedTime: number;
}): (entry: readonly [string, unknown]) => readonly Ticker[] {
  const names = new Map(markets.map((market) => [symbolOf(market), market]));
  return ([name, value]) => {
    const market = name.includes('_') ? name : names.get(name);
    if (market === undefined) return [];
    return [tickerOf(value, { market, receivedTime, exchangeTime: receivedTime })];
  };
}

/** Whether `allTicker` has a name without underscore that belongs to none of these markets. */
export function hasUnknownSymbols(json: unknown, markets: readonly string[]): boolean {
  const known = new Set(markets.map(symbolOf));
  const names = Object.keys(fieldsOf(json, 'tickers'));
  return names.some((name) => !name.includes('_') && !known.has(name));
}

function tickerOf(value: unknown, stamps: Reception & { readonly exchangeTime: number }): Ticker {
  const fields = fieldsOf(value, `ticker of ${stamps.market}`);
  const size = (name: string) => sizeOf(fields[name], `ticker's ${name} of ${stamps.market}`);
  return {
    market: stamps.market,
    exchangeTime: stamps.exchangeTime,
    receivedTime: stamps.receivedTime,
    bid: size('buy'),
    ask: size('sell'),
    last: size('last'),
    open: size('open'),
    high: size('high'),
    low: size('low'),
    volume: size('vol'),
    change: fractionOf(fields.riseRate, `ticker's riseRate of ${stamps.market}`),
  };
}

/** The answer of `depth`, or a depth frame, with asks in either order. @throws {WireError} */
export function readDepth(json: unknown, { market, receivedTime }: Reception): Depth {
  const { asks, bids, timestamp } = fieldsOf(json, 'depth');
  return {
    market,
    bids: bidsOf(bids),
    asks: asksOf(asks),
    exchangeTime: timeOf(timestamp, 'timestamp of depth'),
    receivedTime,
  };
}

/** The answer of `trades`, or the data of a trades frame: oldest first. @throws {WireError} */
export function readTrades(json: unknown, reception: Reception): readonly Trade[] {
  const trades = listOf(json, 'trades').map((value) => tradeOf(value, reception));
  const sorted = trades.every(
    (trade, at) => at === 0 || compareIds(trades[at - 1]!.id, trade.id) < 0,
  );
  return sorted ? trades : trades.sort((a, b) => compareIds(a.id, b.id));
}

function tradeOf(value: unknown, { market, receivedTime }: Reception): Trade {
  const fields = fieldsOf(value, 'trade');
  return {
    market,
    id: idOf(fields.tid, "trade's tid"),
    price: sizeOf(fields.price, "trade's price"),
    amount: sizeOf(fields.amount, "trade's amount"),
    side: takerSideOf(fields.type ?? fields.trade_type),
    exchangeTime: timeOf(fields.date, "trade's date"),
    receivedTime,
  };
}

/** Source: contract, Public trade: `type` buy or sell, `trade_type` bid or ask. */
function takerSideOf(value: unknown): Side {
  if (value === 'buy' || value === 'bid') return 'buy';
  return value === 'sell' || value === 'ask' ? 'sell' : illegible("trade's type", value, 'a side');
}

/**
 * Rows of a candle answer or frame, oldest first; a candle is closed if `nowMs` is past its end.
 */
export function readCandles(
  rows: unknown,
  {
    market,
    interval,
    receivedTime,
    nowMs,
  }: Reception & {
    readonly interval: Interval;
    /** The exchange's present time, milliseconds since the epoch. */
    readonly nowMs: number;
  },
): readonly Candle[] {
  const lengthMs = INTERVAL_MS[interval];
  const candles = listOf(rows, 'candles').map((row) => {
    const [time, ...numbers] = listOf(row, 'candle');
    const openTime = timeOf(time, "candle's time");
    const [open, high, low, close, volume] = [0, 1, 2, 3, 4].map((at) =>
      sizeOf(numbers[at], "candle's number"),
    ) as [number, number, number, number, number];
    const closed = openTime + lengthMs <= nowMs;
    const prices = { open, high, low, close, volume };
    return { market, interval, openTime, ...prices, closed, exchangeTime: openTime, receivedTime };
  });
  return candles.sort((a, b) => a.openTime - b.openTime);
}
