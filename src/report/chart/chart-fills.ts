import type { Market } from '../../domain/index.ts';
import { withoutNoise } from '../doubles.ts';
import type { RecordedFill } from '../record.ts';

/** Fills of one side and kind in one candle, as one mark on the chart. */
export interface Mark {
  /** Opening of its candle, milliseconds since the epoch. */
  readonly time: number;
  readonly side: 'buy' | 'sell';
  /** An entry made a position larger (or turned it), an exit made it smaller. */
  readonly isEntry: boolean;
  readonly price: number;
  readonly amount: number;
  readonly value: number;
}

/** The candles that the marks and positions of one market's fills are placed on. */
export interface MarketCandles {
  readonly candleTimes: Float64Array;
  readonly market: Pick<Market, 'base'>;
}

/**
 * What was held when each candle was over: all fills up to then, less their fees in the base
 * currency. `fills` must be in the order of their times.
 */
export function positionsOf(
  fills: Iterable<RecordedFill>,
  { candleTimes, market }: MarketCandles,
): Float64Array {
  const ends = new Float64Array(candleTimes.length);
  let held = 0;
  let candle = 0;
  for (const fill of fills) {
    // The candles before the one that has the fill end with what was held until then.
    for (; candle < ends.length && fill.time >= endOf(candleTimes, candle); candle++) {
      ends[candle] = held;
    }
    held += heldBy(fill, market);
  }
  return ends.fill(held, candle);
}

/** What a fill adds to what is held. */
function heldBy(
  { side, amount, fee, feeCurrency }: RecordedFill,
  { base }: Pick<Market, 'base'>,
): number {
  const traded = side === 'buy' ? amount : -amount;
  return feeCurrency === base ? traded - fee.toNumber() : traded;
}

function endOf(candleTimes: Float64Array, candle: number): number {
  return candleTimes[candle + 1] ?? Number.POSITIVE_INFINITY;
}

/** A market's fills as marks on its candles, in rising order of time. */
export function marksOf(
  fills: Iterable<RecordedFill>,
  { candleTimes, market }: MarketCandles,
): Mark[] {
  const held = new Map<string, number>();
  const marks = new Map<string, Mark>();
  for (const fill of fills) {
    const before = held.get(fill.strategy) ?? 0;
    const after = withoutNoise(before + heldBy(fill, market), before);
    held.set(fill.strategy, after);
    const isEntry = Math.abs(after) > Math.abs(before) || before * after < 0;
    const time = candleTimes[Math.max(0, rowsUpTo(candleTimes, fill.time) - 1)] ?? fill.time;
    const key = `${time} ${fill.side} ${isEntry}`;
    marks.set(key, joined(marks.get(key), { time, side: fill.side, isEntry, fill }));
  }
  return [...marks.values()].sort((a, b) => a.time - b.time);
}

function joined(
  known: Mark | undefined,
  { fill, ...rest }: Pick<Mark, 'time' | 'side' | 'isEntry'> & { fill: RecordedFill },
): Mark {
  const amount = (known?.amount ?? 0) + fill.amount;
  const value = (known?.value ?? 0) + fill.value.toNumber();
  return { ...rest, amount, value, price: value / amount };
}

/**
 * At most `limit` marks, in rising order of time: the largest buy and the largest sell of each
 * stretch of equally many marks. Value alone would drop all of one side, whose values are smaller
 * by the profit or the fee, and all of a time at which prices were low.
 */
export function largestMarks(marks: readonly Mark[], limit: number): readonly Mark[] {
  if (marks.length <= limit) return marks;
  const length = Math.ceil(marks.length / Math.floor(limit / 2));
  const chosen = new Set<Mark | undefined>();
  for (let from = 0; from < marks.length; from += length) {
    const stretch = marks.slice(from, from + length);
    for (const side of ['buy', 'sell']) chosen.add(largestOf(stretch, side));
  }
  return marks.filter((mark) => chosen.has(mark));
}

function largestOf(marks: readonly Mark[], side: string): Mark | undefined {
  return marks.filter((mark) => mark.side === side).sort((a, b) => b.value - a.value)[0];
}

/** How many of the rising times lie at or before `time`. */
function rowsUpTo(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
