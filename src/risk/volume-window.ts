/** Into how many parts a window is divided: that many numbers are kept, whatever is traded. */
const PARTS = 60;
/** A window that begins with one has begun one more at its end. */
const BUCKETS = PARTS + 1;

/**
 * What was traded in any window that ends now, in whole units of the amount.
 *
 * Kept in sixtieths of the window. The oldest counts no more once a part of it lies ahead of the
 * window: the sum is that of the window, or of up to a sixtieth less, never of more.
 */
export class VolumeWindow {
  readonly #windowMs: number;
  readonly #bucketMs: number;
  /** Which bucket of all time each one is. */
  readonly #numbers = new Float64Array(BUCKETS).fill(Number.NEGATIVE_INFINITY);
  readonly #units = new Float64Array(BUCKETS);

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    this.#bucketMs = Math.ceil(windowMs / PARTS);
  }

  /** So much was traded at a time, milliseconds since the epoch. */
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

  /** So much was traded from a time on and before another, at nobody knows which moments: evenly. */
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

  /** What was traded in the window that ends at a time. */
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
