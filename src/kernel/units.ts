import { Decimal, DOUBLE_POWERS, type Rounding } from './decimal.ts';
import { DecimalError } from './errors.ts';

/**
 * Prices and amounts travel as ordinary numbers that are exact multiples of 10^-scale: the double
 * nearest to the decimal ("on scale"). Such a double stands for one decimal alone, so it may be
 * compared with ===; sums and products are taken on whole units. These functions go both ways.
 *
 * The round trip is lossless below 2^51 units: a division and a multiplication each err by
 * at most 2^-53 of the value, together less than half a unit.
 */
export const UNITS_MAX = 2 ** 51;

function power(scale: number): number {
  const value = DOUBLE_POWERS[scale];
  if (value === undefined) {
    throw new DecimalError(`Cannot use the scale ${scale}: a whole number from 0 to 22 is wanted`);
  }
  return value;
}

/** A value that is on scale as whole units. @throws {DecimalError} when it is not on scale. */
export function toUnits(value: number, scale: number): number {
  const units = unitsOrNaN(value, scale);
  if (!Number.isNaN(units)) return units;
  const wanted = `a ${multipleText(value, scale)} is wanted`;
  throw new DecimalError(`Cannot take ${value} as exact: ${wanted}`);
}

/** What an off-scale value should be: `multiple of 0.01`, with its upper bound if too large. */
export function multipleText(value: number, scale: number): string {
  const step = `multiple of ${new Decimal(1, scale)}`;
  if (!(Math.abs(value) * power(scale) >= UNITS_MAX)) return step;
  return `${step} below ${new Decimal(UNITS_MAX, scale)}`;
}

/** A value as whole units; NaN when it is not on scale. */
export function unitsOrNaN(value: number, scale: number): number {
  const unit = power(scale);
  const units = Math.round(value * unit);
  return units / unit === value && Math.abs(units) < UNITS_MAX ? units : Number.NaN;
}

/** Whole units as the number that is on scale. @throws {DecimalError} beyond 2^51 units. */
export function fromUnits(units: number, scale: number): number {
  if (Number.isInteger(units) && Math.abs(units) < UNITS_MAX) return units / power(scale);
  const value = units / power(scale);
  throw new DecimalError(`Cannot hold ${value}: a ${multipleText(value, scale)} is wanted`);
}

/** Whether a value is finite, in range and an exact multiple of 10^-scale. */
export function isOnScale(value: number, scale: number): boolean {
  return !Number.isNaN(unitsOrNaN(value, scale));
}

/**
 * Any finite number brought on scale. A value within 1e-9 units of a multiple (or within 2^-50 of
 * itself, the doubt of a computed double) counts as that multiple: `0.1 + 0.2` at scale 1 is 0.3
 * whichever way it is rounded.
 *
 * @throws {DecimalError} when the value is not finite or has 2^51 units or more.
 */
export function roundToScale(value: number, scale: number, rounding: Rounding): number {
  const exact = value * power(scale);
  // Halves go away from zero, negative ones too.
  const nearest = exact < 0 ? -Math.round(-exact) : Math.round(exact);
  const tolerance = Math.max(1e-9, Math.abs(exact) * 2 ** -50);
  if (rounding === 'nearest' || Math.abs(exact - nearest) <= tolerance) {
    return fromUnits(nearest, scale) + 0;
  }
  return fromUnits(rounding === 'down' ? Math.trunc(exact) : awayFromZero(exact), scale) + 0;
}

/** Decimal places that most amounts keep to. */
const COMMON_SCALE = 8;

/** The sum of two numbers as decimals: 0.1 and 0.2 are 0.3. @throws {DecimalError} not finite. */
export function decimalSum(a: number, b: number): number {
  const units = unitsOrNaN(a, COMMON_SCALE) + unitsOrNaN(b, COMMON_SCALE);
  // A sum of -0 becomes 0, as for decimals.
  if (!Number.isNaN(units)) return units / power(COMMON_SCALE) + 0;
  return Decimal.of(a).plus(Decimal.of(b)).toNumber();
}

function awayFromZero(value: number): number {
  return value < 0 ? Math.floor(value) : Math.ceil(value);
}
