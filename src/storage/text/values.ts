import type { Decimal } from '../../kernel/index.ts';
import { bytesOf, type TextBytes } from './text-bytes.ts';

/** Texts whose JSON is remembered at most: names come again and again, ids never. */
const REMEMBERED_MAX = 1_024;
/** Decimals of so many places are written digit by digit: their power of ten is below their units. */
const PLACES_MAX = 15;
const UNITS_MAX = 1e15;

const QUOTE = bytesOf('"');

const remembered = new Map<string, Uint8Array>();

/** A name that comes with many events as JSON: of a market, a strategy, a tag. */
function nameBytes(name: string): Uint8Array {
  let bytes = remembered.get(name);
  if (bytes === undefined) {
    bytes = bytesOf(JSON.stringify(name));
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(name, bytes);
  }
  return bytes;
}

/** Writes a key, such as `,"market":`, and a name that comes with many events. */
export function putName(to: TextBytes, key: Uint8Array, name: string): void {
  to.put(key);
  to.put(nameBytes(name));
}

/** Writes a key and a text that comes with few. */
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
