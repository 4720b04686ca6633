import { DAY_MS, readDuration } from '../kernel/index.ts';
import type { Side } from './market.ts';

/**
 * Every record from outside carries two times, both in milliseconds since the epoch:
 * `exchangeTime` as the venue stamped it, `receivedTime` when it reached this process.
 */
export interface Stamped {
  readonly exchangeTime: number;
  readonly receivedTime: number;
}

/** The 24-hour summary of a market. Prices in the quote currency; zero where the venue has none. */
export interface Ticker extends Stamped {
  readonly market: string;
  /** Best bid and ask, 0 when that side is empty. */
  readonly bid: number;
  readonly ask: number;
  readonly last: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  /** Base currency traded over the last 24 hours. */
  readonly volume: number;
  /** Change over 24 hours as a fraction: 0.01 is one percent. */
  readonly change: number;
}

/** One price level: [price, amount]. */
export type Level = readonly [price: number, amount: number];

/**
 * A snapshot of the book's top: `bids` highest first, `asks` lowest first, however the venue sends
 * them.
 */
export interface Depth extends Stamped {
  readonly market: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** One public trade. `side` is that of the taker. `id` is digits and grows with time. */
export interface Trade extends Stamped {
  readonly market: string;
  readonly id: string;
  readonly price: number;
  readonly amount: number;
  readonly side: Side;
}

/**
 * Negative, zero or positive as id `a` is less than, equal to or greater than `b`. Ids may have any
 * number of digits.
 */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** The venue's candle types and their lengths in milliseconds. Source: contract, kline `type`. */
export const INTERVAL_MS = {
  '1min': 60_000,
  '3min': 180_000,
  '5min': 300_000,
  '15min': 900_000,
  '30min': 1_800_000,
  '1hour': 3_600_000,
  '2hour': 7_200_000,
  '4hour': 14_400_000,
  '6hour': 21_600_000,
  '12hour': 43_200_000,
  '1day': 86_400_000,
  '3day': 259_200_000,
  '1week': 604_800_000,
} as const;
export type Interval = keyof typeof INTERVAL_MS;
export const INTERVALS = Object.keys(INTERVAL_MS) as Interval[];

/**
 * The interval of a duration such as `1min`, `1m` or `60s`; undefined when no interval is that
 * long.
 */
export function intervalNamed(text: string): Interval | undefined {
  const ms = readDuration(text);
  return INTERVALS.find((interval) => INTERVAL_MS[interval] === ms);
}

/** The first Monday after the epoch (itself a Thursday): weeks start on Mondays. */
export const MONDAY_MS = 4 * DAY_MS;

/**
 * Start of the interval that contains `time`, milliseconds since the epoch, UTC.
 *
 * Weeks start on Monday 00:00; every other interval, 3 days too, is counted from the epoch.
 */
export function intervalStart(time: number, interval: Interval): number {
  const origin = interval === '1week' ? MONDAY_MS : 0;
  const lengthMs = INTERVAL_MS[interval];
  return Math.floor((time - origin) / lengthMs) * lengthMs + origin;
}

/** Prices over one interval. `volume` in the base currency. */
export interface Candle extends Stamped {
  readonly market: string;
  readonly interval: Interval;
  /** Start of the interval, milliseconds since the epoch. */
  readonly openTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** False while the interval still runs: the numbers may change. */
  readonly closed: boolean;
}

/** Whether two candles have the same prices and volume, whatever their times. */
export function haveSameNumbers(a: Candle, b: Candle): boolean {
  return (
    a.open === b.open &&
    a.high === b.high &&
    a.low === b.low &&
    a.close === b.close &&
    a.volume === b.volume
  );
}

/** The streams of market data that a market may have. */
export const DATA_STREAMS = ['ticker', 'depth', 'trade', 'candle'] as const;
export type DataStream = (typeof DATA_STREAMS)[number];

/** The price halfway between best bid and ask, undefined while a side is empty. */
export function midOf(depth: Depth): number | undefined {
  const bid = depth.bids[0];
  const ask = depth.asks[0];
  return bid === undefined || ask === undefined ? undefined : (bid[0] + ask[0]) / 2;
}
