import { putDigits } from './digits.ts';

/** What one more line has room in at least, bytes. */
const FIRST_CAPACITY = 4_096;
/** The most bytes of UTF-8 that a unit of a string takes. */
const UNIT_BYTES_MAX = 3;
/** The most digits that a number is written with by itself. */
const DIGITS_MAX = 17;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const BACKSLASH = 0x5c;

/** Below it a whole number, or one in units of its last place, is written digit by digit. */
const UNITS_MAX = 1e15;
/** How many places are tried. */
const PLACES_MAX = 9;
/** The least number that JavaScript writes without an exponent. */
const PLAIN_MIN = 1e-6;
/** 10 to the power of the place: exact. */
const POWERS = Array.from({ length: PLACES_MAX + 1 }, (_, place) => Number(`1e${place}`));

/** Text as bytes, to be put where it is wanted: walking over a string takes several times as long. */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

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
    return this.bytesFrom(0);
  }

  /** The bytes from that place on, until the next change. */
  bytesFrom(from: number): Uint8Array {
    return this.#bytes.subarray(from, this.#length);
  }

  get text(): string {
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  /** Adds text to the end. */
  add(text: string): void {
    this.#makeRoom(UNIT_BYTES_MAX * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Adds text and the end of its line. */
  addLine(text: string): void {
    this.add(text);
    this.endLine();
  }

  endLine(): void {
    this.#makeRoom(1);
    this.#bytes[this.#length++] = LINE_FEED;
  }

  /** Adds bytes of text. */
  put(text: Uint8Array): void {
    this.#makeRoom(text.length);
    this.#bytes.set(text, this.#length);
    this.#length += text.length;
  }

  /** Adds a number as JSON has it. */
  putNumber(value: number): void {
    this.#makeRoom(DIGITS_MAX + 2);
    const size = value < 0 ? -value : value;
    if (size < UNITS_MAX && this.#putSize(size, value < 0)) return;
    this.add(Number.isFinite(value) ? `${value}` : 'null');
  }

  /** Adds a whole number below 10^15 in units of its `scale`th decimal, without zeros at its end. */
  putUnits(units: number, scale: number): void {
    this.#makeRoom(DIGITS_MAX + scale + 2);
    if (units < 0) this.#bytes[this.#length++] = MINUS;
    this.#putDecimal(units < 0 ? -units : units, scale);
    if (scale > 0) this.#trimZeros();
  }

  /** Adds a text as JSON has it. */
  putQuoted(text: string): void {
    const { length } = text;
    this.#makeRoom(length + 2);
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

  clear(): void {
    this.#length = 0;
  }

  /** Whether the number could be written digit by digit. */
  #putSize(size: number, isNegative: boolean): boolean {
    let places = 0;
    let units = size;
    if (units !== Math.floor(units)) {
      if (size < PLAIN_MIN) return false;
      // The shortest text that stands for a number has as few places as tell it from all others.
      do {
        if (++places > PLACES_MAX) return false;
        units = Math.round(size * POWERS[places]!);
        if (units >= UNITS_MAX) return false;
      } while (units / POWERS[places]! !== size);
    }
    if (isNegative) this.#bytes[this.#length++] = MINUS;
    this.#putDecimal(units, places);
    return true;
  }

  #putDecimal(units: number, places: number): void {
    const bytes = this.#bytes;
    if (places === 0) {
      this.#length = putDigits(bytes, { at: this.#length, value: units, width: 1 });
      return;
    }
    // At least one digit before the point: what moves to make room for it stands one place early.
    const end = putDigits(bytes, { at: this.#length, value: units, width: places + 1 });
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

  #makeRoom(more: number): void {
    const wanted = this.#length + more;
    if (wanted <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
