import { illegible, timeOf } from './read.ts';

// Times as the exchange writes them for people. ASSUMED to be in UTC: contract and wire facts show
// their format and name no zone. It matters only to deposits' `submit_time` and to the span of
// bills; all other times are stamps in milliseconds.

/** `yyyy-MM-dd HH:mm:ss`. Source: contract, getSpotBills and Deposit record. */
const PATTERN = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;
/** The last moment that four digits of a year can name. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A time as the exchange writes it, `2022-02-23 10:10:10`; fractions of a second are cut off.
 *
 * @throws {WireError} for a time that four digits of a year cannot name, or one before 1970.
 */
export function writtenTime(ms: number): string {
  const isNamed = ms >= 0 && ms <= LAST_MS;
  if (!isNamed) illegible('a time', ms, 'milliseconds since the epoch up to the year 9999');
  return textOf(ms);
}

/** Milliseconds since the epoch of a written time; undefined if the calendar has no such second. */
export function readWrittenTime(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  const ms = Date.UTC(year!, month! - 1, day, hour, minute, second);
  // `Date.UTC` rolls 02-30 over to March, and takes the years 0 to 99 for those of the 1900s.
  return textOf(ms) === text ? ms : undefined;
}

/**
 * Milliseconds since the epoch of a written time, or of a stamp in its place. @throws {WireError}
 */
export function writtenTimeOf(value: unknown, what: string): number {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!PATTERN.test(text)) return timeOf(value, what);
  const ms = readWrittenTime(text);
  return ms !== undefined && ms >= 0 ? ms : illegible(what, value, 'a second of the calendar');
}

function textOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
