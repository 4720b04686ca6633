import type { Decimal } from '../../kernel/index.ts';
import { putDigits } from './digits.ts';

/** What one more line has room in at least, bytes. */
const FIRST_CAPACITY = 4_096;
/** The most bytes of UTF-8 that a unit of a string takes. */
const UNIT_BYTES_MAX = 3;
/** The most bytes of a number or a decimal that is written digit by digit, with all around it. */
const NUMBER_BYTES_MAX = 20;

const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const BACKSLASH = 0x5c;

/** Below it a whole number, or one in units of its last place, is written digit by digit. */
const UNITS_MAX = 1e15;
/** How many places of a number are tried. */
const PLACES_MAX = 9;
/** Decimals of so many places are written digit by digit: their power of ten is below their units. */
const DECIMAL_PLACES_MAX = 15;
/** The least number that JavaScript writes without an exponent. */
const PLAIN_MIN = 1e-6;
/** 10 to the power of the place: exact. */
const POWERS = Array.from({ length: PLACES_MAX + 1 }, (_, place) => Number(`1e${place}`));

/** Text as bytes, to be put where it is wanted: walking over a string takes several times as long. */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

const LINE_FEED = bytesOf('\n');

/**
 * Text that grows, as bytes of UTF-8. Journals write it part by part, with no string in between:
 * to build a line of strings and to walk over it afterwards costs several times as much.
 */
export class TextBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #length = 0;

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  /** All bytes, until the next change. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  get text(): string {
    return this.textOf(0, this.#length);
  }

  /** The bytes from that place on, until the next change. */
  bytesFrom(from: number): Uint8Array {
    return this.#bytes.subarray(from, this.#length);
  }

  /** The text between two places. */
  textOf(from: number, to: number): string {
    return this.#bytes.toString('utf8', from, to);
  }

  /** Adds text to the end. */
  add(text: string): void {
    const wanted = this.#length + UNIT_BYTES_MAX * text.length;
    if (wanted > this.#bytes.length) this.#grow(wanted);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Adds text and the end of its line. */
  addLine(text: string): void {
    this.add(text);
    this.endLine();
  }

  endLine(): void {
    this.put(LINE_FEED);
  }

  /** Adds bytes of text. */
  put(text: Uint8Array): void {
    this.#begin(text, 0);
  }

  /** Adds what another text has from that place on. */
  putFrom(other: TextBytes, from: number): void {
    const wanted = this.#length + other.#length - from;
    if (wanted > this.#bytes.length) this.#grow(wanted);
    other.#bytes.copy(this.#bytes, this.#length, from, other.#length);
    this.#length = wanted;
  }

  /** Adds a key, such as `,"market":`, and a text as JSON has it. */
  putText(key: Uint8Array, text: string): void {
    const { length } = text;
    this.#begin(key, length + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let next = 0; next < length; next++) {
      const code = text.charCodeAt(next);
      if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) {
        this.add(JSON.stringify(text));
        return;
      }
      bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  /** Adds a key and a number as JSON has it. */
  putNumber(key: Uint8Array, value: number): void {
    this.#begin(key, NUMBER_BYTES_MAX);
    if (Math.abs(value) < UNITS_MAX && this.#putShort(value)) return;
    this.add(Number.isFinite(value) ? `${value}` : 'null');
  }

  /** Adds a key and a decimal as a text of its digits, which need no escape. */
  putDecimal(key: Uint8Array, value: Decimal): void {
    const { whole, scale } = value;
    if (typeof whole === 'bigint' || scale > DECIMAL_PLACES_MAX || Math.abs(whole) >= UNITS_MAX) {
      this.putText(key, value.toString());
      return;
    }
    this.#begin(key, NUMBER_BYTES_MAX);
    this.#bytes[this.#length++] = QUOTE;
    this.#putUnits(whole, scale);
    if (scale > 0) this.#trimZeros();
    this.#bytes[this.#length++] = QUOTE;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Whether the number could be written digit by digit. */
  #putShort(value: number): boolean {
    let places = 0;
    let units = value;
    if (units !== Math.floor(units)) {
      if (Math.abs(value) < PLAIN_MIN) return false;
      // The shortest text that stands for a number has as few places as tell it from all others.
      do {
        if (++places > PLACES_MAX) return false;
        units = Math.round(value * POWERS[places]!);
        if (Math.abs(units) >= UNITS_MAX) return false;
      } while (units / POWERS[places]! !== value);
    }
    this.#putUnits(units, places);
    return true;
  }

  /** Writes a whole number below 10^15 in units of its last place. */
  #putUnits(units: number, places: number): void {
    const bytes = this.#bytes;
    if (units < 0) bytes[this.#length++] = MINUS;
    // At least one digit before the point: what moves to make room for it stands one place early.
    const end = putDigits(bytes, this.#length, Math.abs(units), places + 1);
    this.#length = end;
    if (places === 0) return;
    for (let at = end; at > end - places; at--) bytes[at] = bytes[at - 1]!;
    bytes[end - places] = POINT;
    this.#length = end + 1;
  }

  /** Takes zeros off the end of a decimal, and a point that would be left there. */
  #trimZeros(): void {
    const bytes = this.#bytes;
    let end = this.#length;
    while (bytes[end - 1] === ZERO) end--;
    this.#length = bytes[end - 1] === POINT ? end - 1 : end;
  }

  /** Adds bytes of text, with room for so many more behind them. */
  #begin(text: Uint8Array, more: number): void {
    const length = this.#length + text.length;
    if (length + more > this.#bytes.length) this.#grow(length + more);
    this.#bytes.set(text, this.#length);
    this.#length = length;
  }

  #grow(wanted: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
