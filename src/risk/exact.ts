import { Decimal } from '../kernel/index.ts';

const SAFE = Number.MAX_SAFE_INTEGER;

/** The product of two whole numbers, in units of 10^-scale. */
export function productOf(a: number, b: number, scale: number): Decimal {
  const product = a * b;
  return new Decimal(Math.abs(product) <= SAFE ? product : BigInt(a) * BigInt(b), scale);
}

/** A decimal as whole units of 10^-scale rounded up (to plus infinity); infinite beyond 2^53. */
export function unitsUp(value: Decimal, scale: number): number {
  const down = value.round(scale, 'down');
  const above = value.sign > 0 && !down.equals(value);
  const units = Number(down.whole) + (above ? 1 : 0);
  return Number.isSafeInteger(units) ? units : Math.sign(units) * Number.POSITIVE_INFINITY;
}

/**
 * A decimal as whole units of 10^-scale rounded down (towards minus infinity); infinite beyond
 * 2^53.
 */
export function unitsDown(value: Decimal, scale: number): number {
  return 0 - unitsUp(value.negated(), scale);
}

/** Adds whole numbers; infinite where the sum is beyond 2^53 and a digit could be lost. */
export function addUnits(a: number, b: number): number {
  const sum = a + b;
  return Math.abs(sum) <= SAFE ? sum : Math.sign(sum) * Number.POSITIVE_INFINITY;
}

/** Units as a decimal number, for people. */
export function unitsText(units: number, scale: number): string {
  if (!Number.isFinite(units)) return 'beyond 2^53 units';
  return new Decimal(units, scale).toString();
}
