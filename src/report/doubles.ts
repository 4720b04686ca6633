import type { Decimal } from '../kernel/index.ts';

const EXACT_POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

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
