/** Significant digits of a double that stay right through sums and differences. */
const TRUE_DIGITS = 14;

/**
 * A double without the noise of the arithmetic behind it: `0.1 + 0.2` is 0.3. `largest` is the
 * largest of the numbers that it was computed from. Default: the value itself.
 */
export function withoutNoise(value: number, largest: number = value): number {
  const magnitude = Math.max(Math.abs(value), Math.abs(largest));
  if (!(magnitude > 0 && magnitude < Number.POSITIVE_INFINITY)) return value;
  const places = TRUE_DIGITS - Math.ceil(Math.log10(magnitude));
  // Never -0.
  return Number(value.toFixed(Math.min(100, Math.max(0, places)))) + 0;
}
