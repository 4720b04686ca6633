/** `yyyy-MM-dd HH:mm:ss`. Source: contract, getSpotBills and Deposit record. */
const PATTERN = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;

/** A time as the exchange writes it for people, `2022-02-23 10:10:10`; UTC, for it names no zone. */
export function showDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Milliseconds of a written time, undefined where the calendar has no such second. */
export function readDate(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  const ms = Date.UTC(year!, month! - 1, day, hour, minute, second);
  // The calendar rolls 02-30 over to March, and takes the years 0 to 99 for those of the 1900s.
  return showDate(ms) === text ? ms : undefined;
}
