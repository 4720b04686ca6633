/** What one more line has room in at least, bytes. */
const FIRST_CAPACITY = 4_096;
/** The most bytes of UTF-8 that a unit of a string takes. */
const UNIT_BYTES_MAX = 3;
const LINE_FEED = 0x0a;

/**
 * Text that grows, as bytes of UTF-8. A string that was put together of many parts is walked over
 * when it comes, while its parts are at hand: where strings are gathered instead, and walked over
 * later, a line costs twice as much.
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

  /** Adds text to the end. */
  add(text: string): void {
    this.#makeRoom(UNIT_BYTES_MAX * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Adds text and the end of its line. */
  addLine(text: string): void {
    this.#makeRoom(UNIT_BYTES_MAX * text.length + 1);
    this.#length += this.#bytes.write(text, this.#length);
    this.#bytes[this.#length++] = LINE_FEED;
  }

  clear(): void {
    this.#length = 0;
  }

  #makeRoom(more: number): void {
    const wanted = this.#length + more;
    if (wanted <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
