/** What a computed double may be off, units: a hair of one, or this share of it, its last places. */
const DOUBT = 1e-9;
export const DOUBT_SHARE = 8 * Number.EPSILON;

/** Down to whole units, but for what a computed double may be off. */
export function down(exact: number): number {
  return Math.floor(exact + doubtOf(exact));
}

/** Up to whole units, but for that. */
export function up(exact: number): number {
  return Math.ceil(exact - doubtOf(exact));
}

function doubtOf(exact: number): number {
  return Math.max(DOUBT, exact * DOUBT_SHARE);
}
