import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './clock.ts';

/** Units of time, the largest first, each with the unit that counts its remainder. */
const UNITS = [
  { name: 'd', unitMs: DAY_MS, part: 'h', partMs: HOUR_MS },
  { name: 'h', unitMs: HOUR_MS, part: 'min', partMs: MINUTE_MS },
  { name: 'min', unitMs: MINUTE_MS, part: 's', partMs: SECOND_MS },
] as const;

/** The two largest units of a length of time: `3 d 4 h`, `5 min 20 s`, `0.25 s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 0) return `-${formatDuration(-durationMs)}`;
  const wholeMs = rounded(durationMs);
  const unit = unitOf(wholeMs);
  if (unit === undefined) return `${threeDigits(wholeMs / SECOND_MS)} s`;
  const { name, unitMs, part, partMs } = unit;
  const count = Math.floor(wholeMs / unitMs).toLocaleString('en-US');
  const rest = (wholeMs % unitMs) / partMs;
  return rest === 0 ? `${count} ${name}` : `${count} ${name} ${rest} ${part}`;
}

/** Rounds to the smaller of the two units, which may carry over into the larger one. */
function rounded(durationMs: number): number {
  const unit = unitOf(durationMs);
  if (unit === undefined) return threeDigits(durationMs);
  return Math.round(durationMs / unit.partMs) * unit.partMs;
}

function unitOf(durationMs: number) {
  return UNITS.find(({ unitMs }) => durationMs >= unitMs);
}

const threeDigits = (value: number): number => Number(value.toPrecision(3));

/** Units of time as people and other tools write them. `1M`, a month, has no fixed length. */
const LENGTHS_MS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: SECOND_MS, sec: SECOND_MS, m: MINUTE_MS, min: MINUTE_MS },
  ...{ h: HOUR_MS, hour: HOUR_MS, d: DAY_MS, day: DAY_MS, w: 7 * DAY_MS, week: 7 * DAY_MS },
};

/**
 * A length of time such as `30s`, `5m`, `5min`, `1.5h`, `1hour`, `1day` or `250ms` in milliseconds;
 * undefined when it is none, or 0.
 */
export function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text) ?? [];
  return Number(count) * (LENGTHS_MS[unit] ?? Number.NaN) || undefined;
}

/** A time in UTC, to the second: `2024-01-31 18:02:03 UTC`. */
export function formatMoment(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The time of the day in UTC, to the second: `18:02:03 UTC`. */
export function timeOfDay(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(11, 19)} UTC`;
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/;

/**
 * A moment in UTC, such as `2024-01-31` or `2024-01-31T10:00Z`, in milliseconds since the epoch;
 * undefined when it is none.
 */
export function readMoment(text = ''): number | undefined {
  const [, day = '', time = '00:00'] = MOMENT.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time}Z`);
  // The calendar rolls 02-30 over to March.
  const isThere = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
  return isThere ? ms : undefined;
}
