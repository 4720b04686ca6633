import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/index.ts';

/** Lengths of time that read well on an axis, milliseconds. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 4, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 5, 10, 30].map((count) => count * DAY_MS),
];

/** The least round step of a second or more in which a span has at most so many steps. */
export function stepOf(spanMs: number, limit: number): number {
  const fitting = STEPS.find((step) => spanMs / step <= limit);
  return fitting ?? Math.ceil(spanMs / limit / DAY_MS) * DAY_MS;
}
