/** The error that a computed double may have, units: a hair of one. */
const DOUBT = 1e-9;
/** The error that it may have instead if that is more, as a share of it: its last places. */
export const DOUBT_SHARE = 8 * Number.EPSILON;

/** Rounds down to whole units; the double may be too small by its error. */
export function down(exact: number): number {
  return Math.floor(exact + doubtOf(exact));
}

/** Rounds up to whole units; the double may be too large by its error. */
export function up(exact: number): number {
  return Math.ceil(exact - doubtOf(exact));
}

function doubtOf(exact: number): number {
  return Math.max(DOUBT, exact * DOUBT_SHARE);
}
