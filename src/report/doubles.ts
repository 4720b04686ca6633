import type { Decimal } from '../kernel/index.ts';

const EXACT_POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Significant digits of a double that sums and differences leave true. */
const TRUE_DIGITS = 14;

/**
 * A double without the noise of the arithmetic behind it: `0.1 + 0.2` is 0.3. `largest` is the
 * largest of the numbers that it came from. Default: itself.
 */
export function withoutNoise(value: number, largest: number = value): number {
  const magnitude = Math.max(Math.abs(value), Math.abs(largest));
  if (!(magnitude > 0 && magnitude < Number.POSITIVE_INFINITY)) return value;
  const places = TRUE_DIGITS - Math.ceil(Math.log10(magnitude));
  // Never -0.
  return Number(value.toFixed(Math.min(100, Math.max(0, places)))) + 0;
}

/**
 * The double nearest to a decimal: the same as `toNumber`, without going through text where units
 * and power of ten are both exact, so that one division rounds once.
 */
export function toDouble(decimal: Decimal): number {
  const units = Number(decimal.units);
  const power = EXACT_POWERS[decimal.scale];
  return power !== undefined && Math.abs(units) <= Number.MAX_SAFE_INTEGER
    ? units / power
    : decimal.toNumber();
}
