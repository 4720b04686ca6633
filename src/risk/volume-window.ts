/** Parts into which a window is divided: so many numbers are kept, however much is traded. */
const PARTS = 60;
/**
 * One more than parts: a window that starts on a boundary has begun a further bucket at its end.
 */
const BUCKETS = PARTS + 1;

/**
 * The amount traded in the window that ends now, in whole units.
 *
 * Kept in sixtieths of the window. A bucket no longer counts once a part of it lies before the
 * window: the sum is that of the window, or of up to a sixtieth less, never of more.
 */
export class VolumeWindow {
  readonly #windowMs: number;
  readonly #bucketMs: number;
  /** Number of each bucket, counted from the epoch. */
  readonly #numbers = new Float64Array(BUCKETS).fill(Number.NEGATIVE_INFINITY);
  readonly #units = new Float64Array(BUCKETS);

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    this.#bucketMs = Math.ceil(windowMs / PARTS);
  }

  /** Adds units traded at a time, milliseconds since the epoch. */
  add(units: number, timeMs: number): void {
    const number = Math.floor(timeMs / this.#bucketMs);
    const at = number % BUCKETS;
    const known = this.#numbers[at]!;
    if (known > number) return;
    if (known < number) {
      this.#numbers[at] = number;
      this.#units[at] = 0;
    }
    this.#units[at]! += units;
  }

  /** Adds units traded between two times, spread evenly. */
  addEvenly(
    units: number,
    { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  ): void {
    const bucketMs = this.#bucketMs;
    let told = 0;
    for (let startMs = fromMs; startMs < toMs; ) {
      const endMs = Math.min((Math.floor(startMs / bucketMs) + 1) * bucketMs, toMs);
      const part = Math.floor(units * ((endMs - fromMs) / (toMs - fromMs)));
      this.add(part - told, startMs);
      told = part;
      startMs = endMs;
    }
  }

  /** Units traded in the window that ends at a time. */
  units(nowMs: number): number {
    const first = Math.ceil((nowMs - this.#windowMs) / this.#bucketMs);
    const last = Math.floor(nowMs / this.#bucketMs);
    let sum = 0;
    for (let at = 0; at < BUCKETS; at++) {
      const number = this.#numbers[at]!;
      if (number >= first && number <= last) sum += this.#units[at]!;
    }
    return sum;
  }
}
