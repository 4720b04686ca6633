import { DAY_MS, Doubles, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/index.ts';
import { type CurveBlocks, type CurveColumns, eachRow } from '../curve.ts';

/** Lengths of time that read well on an axis, milliseconds. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 4, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 5, 10, 30].map((count) => count * DAY_MS),
];

/**
 * Thins a curve to at most about `limit` points, a round step apart. Each two steps hold the lowest
 * and the highest value of their time, in the order in which they came, so that no peak or trough
 * is lost; one point after them is the curve's last value. A curve that has no more than `limit`
 * points keeps the last one of each second.
 */
export function downsampleCurve(curve: CurveBlocks, limit: number): CurveColumns {
  const { rows, spanMs } = extentOf(curve);
  return rows <= limit ? lastOfEach(curve, 1000) : extremesOfEach(curve, stepOf(spanMs, limit));
}

function extentOf(curve: CurveBlocks): { rows: number; spanMs: number } {
  let rows = 0;
  let first = Number.NaN;
  let last = Number.NaN;
  for (const { time } of curve) {
    if (time.length === 0) continue;
    if (rows === 0) first = time[0]!;
    last = time.at(-1)!;
    rows += time.length;
  }
  return { rows, spanMs: last - first };
}

function lastOfEach(curve: CurveBlocks, stepMs: number): CurveColumns {
  const times = new Doubles();
  const last = new Doubles();
  let endsAt = Number.NEGATIVE_INFINITY;
  eachRow(curve, (time, value) => {
    if (time < endsAt) return last.set(last.length - 1, value);
    const start = Math.floor(time / stepMs) * stepMs;
    times.push(start);
    last.push(value);
    endsAt = start + stepMs;
  });
  return { time: times.view(), values: last.view() };
}

function extremesOfEach(curve: CurveBlocks, stepMs: number): CurveColumns {
  const times = new Doubles();
  const extremes = new Doubles();
  let [lowest, highest, latest] = [Number.NaN, Number.NaN, Number.NaN];
  let endsAt = Number.NEGATIVE_INFINITY;
  const place = (first: number, second: number): void => {
    extremes.set(extremes.length - 2, first);
    extremes.set(extremes.length - 1, second);
  };
  eachRow(curve, (time, value) => {
    latest = value;
    if (time >= endsAt) {
      const start = Math.floor(time / (2 * stepMs)) * 2 * stepMs;
      for (const at of [start, start + stepMs]) times.push(at);
      for (const extreme of [value, value]) extremes.push(extreme);
      [lowest, highest] = [value, value];
      endsAt = start + 2 * stepMs;
    } else if (value < lowest) {
      lowest = value;
      place(highest, lowest);
    } else if (value > highest) {
      highest = value;
      place(lowest, highest);
    }
  });
  times.push(endsAt);
  extremes.push(latest);
  return { time: times.view(), values: extremes.view() };
}

/** The least round step of a second or more that fits into `spanMs` at most `limit` times. */
function stepOf(spanMs: number, limit: number): number {
  const fitting = STEPS.find((step) => spanMs / step <= limit);
  return fitting ?? Math.ceil(spanMs / limit / DAY_MS) * DAY_MS;
}
