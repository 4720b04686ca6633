import { Decimal } from '../../../kernel/index.ts';

/**
 * A finite number in plain decimal digits: `0.0000001`, never `1e-7`.
 *
 * @throws {DecimalError} when the number is not finite.
 */
export function plainNumber(value: number): string {
  const size = Math.abs(value);
  // Between these bounds the shortest text of a double has no exponent (ECMAScript,
  // Number::toString).
  const isPlain = (size >= 1e-6 && size < 1e21) || size === 0;
  return isPlain ? String(value) : Decimal.of(value).toString();
}
