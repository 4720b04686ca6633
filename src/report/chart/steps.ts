const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lengths of time that read well on an axis, milliseconds. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10, 30].map((count) => count * DAY),
];

/** The least round step of a second or more in which a span has at most so many steps. */
export function stepOf(spanMs: number, limit: number): number {
  const fitting = STEPS.find((step) => spanMs / step <= limit);
  return fitting ?? Math.ceil(spanMs / limit / DAY) * DAY;
}
