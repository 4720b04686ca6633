import type { Decimal } from '../../kernel/index.ts';
import { putDigits } from './digits.ts';

/** Initial capacity, bytes. */
const FIRST_CAPACITY = 4_096;
/** The most bytes of UTF-8 that one code unit of a string takes. */
const UNIT_BYTES_MAX = 3;
/** The most bytes of a number written digit by digit, with sign, point and quotes. */
const NUMBER_BYTES_MAX = 20;

const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const BACKSLASH = 0x5c;

/** Numbers below this, in units of their last decimal place, are written digit by digit. */
const UNITS_MAX = 1e15;
/** How many decimal places are tried for a number. */
const PLACES_MAX = 9;
/**
 * Decimals with at most so many places are written digit by digit: the power of ten of more places
 * would exceed `UNITS_MAX`.
 */
const DECIMAL_PLACES_MAX = 15;
/** The smallest number that JavaScript writes without an exponent. */
const PLAIN_MIN = 1e-6;
/** Powers of ten, exact. */
const POWERS = Array.from({ length: PLACES_MAX + 1 }, (_, place) => Number(`1e${place}`));

/**
 * Text as bytes, to be copied as they are: encoding a string each time takes several times as long.
 */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

const LINE_FEED = bytesOf('\n');

/**
 * Growing text as bytes of UTF-8. Journals write it part by part without strings in between:
 * building a line of strings and encoding it afterwards costs several times as much.
 */
export class TextBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #length = 0;

  /** Length in bytes. */
  get length(): number {
    return this.#length;
  }

  /** All bytes; valid until the next change. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  get text(): string {
    return this.textOf(0, this.#length);
  }

  /** The bytes from that place on; valid until the next change. */
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

  /** Adds text and a line feed. */
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

  /** Adds the bytes of another text from that place on. */
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
      // The shortest text of a number has just enough places to tell it from all other numbers.
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
    // Padded to one digit before the point. The decimals then move one place to make room for it.
    const end = putDigits(bytes, this.#length, Math.abs(units), places + 1);
    this.#length = end;
    if (places === 0) return;
    for (let at = end; at > end - places; at--) bytes[at] = bytes[at - 1]!;
    bytes[end - places] = POINT;
    this.#length = end + 1;
  }

  /** Removes trailing zeros of a decimal, and a trailing point. */
  #trimZeros(): void {
    const bytes = this.#bytes;
    let end = this.#length;
    while (bytes[end - 1] === ZERO) end--;
    this.#length = bytes[end - 1] === POINT ? end - 1 : end;
  }

  /** Adds bytes of text, and makes room for so many more after them. */
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
