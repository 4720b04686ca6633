import type { Conventions } from './config.ts';
import { rowsUpTo } from './rows.ts';

/** What one pass over a curve tells. Times and lengths in milliseconds. */
export interface Curve {
  readonly first: number;
  readonly last: number;
  readonly elapsedMs: number;
  /** Of the last value. */
  readonly endTime: number;
  /** Lowest value of all: at zero or below it, returns mean nothing. */
  readonly lowest: number;
  /** Simple returns, one a period of the conventions; a part of one at either end counts as one. */
  readonly returns: Float64Array;
  readonly drawdown: Drawdown;
}

/** The deepest fall of a curve below its last peak, and the longest time below one. */
export interface Drawdown {
  /** Share of the peak lost at the deepest: zero or negative. */
  readonly depth: number;
  /** The same in the curve's own unit. */
  readonly amount: number;
  readonly peakTime: number;
  readonly troughTime: number;
  /** When the peak was reached again after the deepest fall; undefined if it never was. */
  readonly recoveryTime: number | undefined;
  /** The longest time from a peak to its recovery, or to the end. */
  readonly longestMs: number;
}

/** A curve as columns of one length. */
export interface CurveColumns {
  readonly time: Float64Array;
  readonly values: Float64Array;
}

/** Measures a curve. A value stamped at the very end of a period belongs to that period. */
export function analyseCurve({ time, values }: CurveColumns, conventions: Conventions): Curve {
  const count = time.length;
  const first = values[0] ?? Number.NaN;
  const last = values[count - 1] ?? Number.NaN;
  const endTime = time[count - 1] ?? Number.NaN;
  const elapsedMs = count === 0 ? 0 : endTime - time[0]!;
  const returns = periodReturns({ time, values }, conventions);
  return { first, last, elapsedMs, endTime, returns, ...drawdownOf({ time, values }) };
}

type Periods = Pick<Conventions, 'periodMs' | 'offsetMs' | 'countsEmptyPeriods'>;

/** Simple returns from the end of one period to that of the next: see `countsEmptyPeriods`. */
export function periodReturns(
  { time, values }: CurveColumns,
  { periodMs, offsetMs, countsEmptyPeriods }: Periods,
): Float64Array {
  if (time.length < 2) return new Float64Array(0);
  const firstPeriod = Math.ceil((time[1]! - offsetMs) / periodMs);
  const lastPeriod = Math.ceil((time[time.length - 1]! - offsetMs) / periodMs);
  const returns = new Float64Array(lastPeriod - firstPeriod + 1);
  let count = 0;
  let opening = values[0]!;
  let known = 1;
  for (let period = firstPeriod; period <= lastPeriod; period++) {
    const rows = rowsUpTo(time, offsetMs + period * periodMs);
    if (rows === known && !countsEmptyPeriods) continue;
    known = rows;
    const closing = values[rows - 1]!;
    returns[count++] = closing / opening - 1;
    opening = closing;
  }
  return returns.subarray(0, count);
}

function drawdownOf({ time, values }: CurveColumns): Pick<Curve, 'drawdown' | 'lowest'> {
  let peak = values[0] ?? Number.NaN;
  let peakTime = time[0] ?? Number.NaN;
  let deepest = { depth: 0, amount: 0, peakTime, troughTime: peakTime };
  let recoveryTime: number | undefined = peakTime;
  let longestMs = 0;
  let isUnder = false;
  let lowest = peak;
  for (let at = 1; at < values.length; at++) {
    const value = values[at]!;
    if (value >= peak) {
      if (isUnder) longestMs = Math.max(longestMs, time[at]! - peakTime);
      if (recoveryTime === undefined) recoveryTime = time[at]!;
      isUnder = false;
      peak = value;
      peakTime = time[at]!;
      continue;
    }
    isUnder = true;
    if (value < lowest) lowest = value;
    const depth = value / peak - 1;
    if (depth < deepest.depth) {
      deepest = { depth, amount: value - peak, peakTime, troughTime: time[at]! };
      recoveryTime = undefined;
    }
  }
  if (isUnder) longestMs = Math.max(longestMs, time[time.length - 1]! - peakTime);
  return { drawdown: { ...deepest, recoveryTime, longestMs }, lowest };
}

/** How far each value lies below the highest before it: zero or negative fractions. */
export function drawdownCurve(values: Float64Array): Float64Array {
  const drawdown = new Float64Array(values.length);
  let peak = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value > peak) peak = value;
    drawdown[at] = value / peak - 1;
  }
  return drawdown;
}
