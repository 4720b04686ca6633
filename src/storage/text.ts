import type { Decimal } from '../kernel/index.ts';
import { bytesOf, type TextBytes } from './text-bytes.ts';

/** Texts whose JSON is remembered at most: names come again and again, ids never. */
const REMEMBERED_MAX = 1_024;
/** Decimals of so many places are written digit by digit: their power of ten is below their units. */
const PLACES_MAX = 15;
const UNITS_MAX = 1e15;

const remembered = new Map<string, Uint8Array>();

/** A name that comes with many events as JSON: of a market, a strategy, a tag. */
export function nameBytes(name: string): Uint8Array {
  let bytes = remembered.get(name);
  if (bytes === undefined) {
    bytes = bytesOf(JSON.stringify(name));
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(name, bytes);
  }
  return bytes;
}

const QUOTE = bytesOf('"');

/** Writes a decimal as JSON: a text of its digits, which need no escape. */
export function putDecimal(to: TextBytes, value: Decimal): void {
  const { whole, scale } = value;
  to.put(QUOTE);
  if (typeof whole === 'number' && scale <= PLACES_MAX && whole < UNITS_MAX && whole > -UNITS_MAX) {
    to.putUnits(whole, scale);
  } else {
    to.add(value.toString());
  }
  to.put(QUOTE);
}
