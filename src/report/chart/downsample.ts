import type { CurveColumns } from '../curve.ts';
import type { PriceColumns } from '../record.ts';
import { stepOf } from './steps.ts';

/**
 * Candles merged into longer ones of one round length until there are at most `limit` (a few more
 * where they begin inside one): highs and lows are kept. Few candles stay as they are, but for
 * those of one second, the finest that a chart can tell apart.
 */
export function downsampleCandles(prices: PriceColumns, limit: number): PriceColumns {
  const { time, open, high, low, close } = prices;
  const stepMs = time.length <= limit ? 1000 : stepOf(spanOf(time), limit);
  const starts = bucketStarts(time, stepMs);
  const merged = columnsOf(starts.length);
  starts.forEach((from, bucket) => {
    const to = starts[bucket + 1] ?? time.length;
    merged.time[bucket] = Math.floor(time[from]! / stepMs) * stepMs;
    merged.open[bucket] = open[from]!;
    merged.close[bucket] = close[to - 1]!;
    merged.high[bucket] = high.subarray(from, to).reduce((a, b) => Math.max(a, b));
    merged.low[bucket] = low.subarray(from, to).reduce((a, b) => Math.min(a, b));
  });
  return merged;
}

/**
 * A curve of at most about `limit` points a round step apart. Each two steps hold the lowest and
 * the highest value of their time, in the order in which they came, so that no peak or trough is
 * lost; the last point is the curve's last value. Few points stay, but for those of one second.
 */
export function downsampleCurve({ time, values }: CurveColumns, limit: number): CurveColumns {
  if (time.length === 0) return { time, values };
  const isFew = time.length <= limit;
  const stepMs = isFew ? 1000 : stepOf(spanOf(time), limit);
  return isFew ? lastOfEach({ time, values }, stepMs) : extremesOfEach({ time, values }, stepMs);
}

function lastOfEach({ time, values }: CurveColumns, stepMs: number): CurveColumns {
  const starts = bucketStarts(time, stepMs);
  const last = (bucket: number): number => (starts[bucket + 1] ?? time.length) - 1;
  return {
    time: Float64Array.from(starts, (from) => Math.floor(time[from]! / stepMs) * stepMs),
    values: Float64Array.from(starts, (_from, bucket) => values[last(bucket)]!),
  };
}

function extremesOfEach({ time, values }: CurveColumns, stepMs: number): CurveColumns {
  const starts = bucketStarts(time, 2 * stepMs);
  const times = new Float64Array(starts.length * 2);
  const extremes = new Float64Array(starts.length * 2);
  starts.forEach((from, bucket) => {
    const to = starts[bucket + 1] ?? time.length;
    const { lowest, highest } = extremesOf(values, from, to);
    const start = Math.floor(time[from]! / (2 * stepMs)) * 2 * stepMs;
    times[2 * bucket] = start;
    times[2 * bucket + 1] = start + stepMs;
    extremes[2 * bucket] = values[Math.min(lowest, highest)]!;
    extremes[2 * bucket + 1] = values[Math.max(lowest, highest)]!;
  });
  extremes[extremes.length - 1] = values[values.length - 1]!;
  return { time: times, values: extremes };
}

/** Where the lowest and the highest value stand. */
function extremesOf(values: Float64Array, from: number, to: number) {
  let lowest = from;
  let highest = from;
  for (let at = from + 1; at < to; at++) {
    if (values[at]! < values[lowest]!) lowest = at;
    if (values[at]! > values[highest]!) highest = at;
  }
  return { lowest, highest };
}

/** The rows with which each stretch of `stepMs` begins; empty stretches have none. */
function bucketStarts(time: Float64Array, stepMs: number): number[] {
  const starts: number[] = [];
  let endsAt = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < time.length; at++) {
    if (time[at]! < endsAt) continue;
    starts.push(at);
    endsAt = (Math.floor(time[at]! / stepMs) + 1) * stepMs;
  }
  return starts;
}

const spanOf = (time: Float64Array): number => (time[time.length - 1] ?? 0) - (time[0] ?? 0);

function columnsOf(rows: number) {
  return {
    time: new Float64Array(rows),
    open: new Float64Array(rows),
    high: new Float64Array(rows),
    low: new Float64Array(rows),
    close: new Float64Array(rows),
  };
}
