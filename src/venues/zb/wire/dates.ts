import { illegible, timeOf } from './read.ts';

/**
 * How far the times that the exchange writes for people run ahead of UTC, in milliseconds.
 *
 * ASSUMED to be none: contract and wire facts show the format of these times and name no zone. It
 * matters to deposits' `submit_time` and to the span of bills alone; all other times are stamps in
 * milliseconds. The server writes by it, `ZbOptions.utcOffsetMs` of the client takes another.
 */
export const UTC_OFFSET_MS = 0;

/** `yyyy-MM-dd HH:mm:ss`. Source: contract, getSpotBills and Deposit record. */
const PATTERN = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;
/** The last moment that four digits of a year can name, and the first. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const FIRST_MS = Date.UTC(1970, 0, 1);

/**
 * A time as the exchange writes it, `2022-02-23 10:10:10`; what is below a second is cut off.
 *
 * @throws {WireError} for a time that four digits of a year cannot name, or one before 1970.
 */
export function writtenTime(ms: number, utcOffsetMs: number): string {
  const local = ms + utcOffsetMs;
  const isNamed = local >= FIRST_MS && local <= LAST_MS;
  if (!isNamed) illegible('a time', ms, 'milliseconds since the epoch up to the year 9999');
  return textOf(local);
}

/** Milliseconds of a written time in its own zone, undefined where the calendar has no such second. */
export function localTimeOf(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  const local = Date.UTC(year!, month! - 1, day, hour, minute, second);
  // The calendar rolls 02-30 over to March, and takes the years 0 to 99 for those of the 1900s.
  return textOf(local) === text ? local : undefined;
}

/** Milliseconds since the epoch of a written time, or of a stamp in its place. @throws {WireError} */
export function writtenTimeOf(
  value: unknown,
  { what, utcOffsetMs }: { readonly what: string; readonly utcOffsetMs: number },
): number {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!PATTERN.test(text)) return timeOf(value, what);
  const local = localTimeOf(text);
  if (local === undefined || local < FIRST_MS) illegible(what, value, 'a second of the calendar');
  return local - utcOffsetMs;
}

function textOf(local: number): string {
  return new Date(local).toISOString().slice(0, 19).replace('T', ' ');
}
