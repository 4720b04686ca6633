import type { Decimal } from '../../kernel/index.ts';
import { bytesOf, type TextBytes } from './text-bytes.ts';

/** Decimals of so many places are written digit by digit: their power of ten is below their units. */
const PLACES_MAX = 15;
const UNITS_MAX = 1e15;

const QUOTE = bytesOf('"');

/** Writes a key, such as `,"market":`, and a text. */
export function putText(to: TextBytes, key: Uint8Array, text: string): void {
  to.put(key);
  to.putQuoted(text);
}

/** Writes a key and a number. */
export function putNumber(to: TextBytes, key: Uint8Array, value: number): void {
  to.put(key);
  to.putNumber(value);
}

/** Writes a key and a decimal as a text of its digits, which need no escape. */
export function putDecimal(to: TextBytes, key: Uint8Array, value: Decimal): void {
  const { whole, scale } = value;
  to.put(key);
  to.put(QUOTE);
  if (typeof whole === 'number' && scale <= PLACES_MAX && whole < UNITS_MAX && whole > -UNITS_MAX) {
    to.putUnits(whole, scale);
  } else {
    to.add(value.toString());
  }
  to.put(QUOTE);
}
