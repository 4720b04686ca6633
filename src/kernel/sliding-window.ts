/** Times that the ring first has room for. */
const LENGTH_MIN = 64;

/**
 * Counts events in any trailing window, exactly: a ring of the last `capacity` times.
 *
 * An event at time t counts in every window (now - windowMs, now] that holds t.
 */
export class SlidingWindow {
  /** The most events that are counted. */
  readonly capacity: number;
  readonly windowMs: number;
  /** Grows as it fills: most windows never come near their capacity. */
  #times: Float64Array;
  #head = 0;
  #size = 0;

  constructor(capacity: number, windowMs: number) {
    this.capacity = capacity;
    this.#times = new Float64Array(Math.min(capacity, LENGTH_MIN));
    this.windowMs = windowMs;
  }

  /** How many events lie in the window that ends at `nowMs`. */
  count(nowMs: number): number {
    this.#expire(nowMs);
    return this.#size;
  }

  /** Whether one more event at `nowMs` stays within the capacity. */
  hasRoom(nowMs: number): boolean {
    return this.count(nowMs) < this.capacity;
  }

  /** Records an event; false, and nothing recorded, when the window is full. */
  add(nowMs: number): boolean {
    if (!this.hasRoom(nowMs)) return false;
    if (this.#size === this.#times.length) this.#grow();
    this.#times[(this.#head + this.#size) % this.#times.length] = nowMs;
    this.#size++;
    return true;
  }

  /** The earliest time from which on `add` succeeds, `nowMs` when it does already. */
  roomAtMs(nowMs: number): number {
    return this.fallsToMs(this.capacity - 1, nowMs);
  }

  /** When at most `count` events are left in the window, if none is added; `nowMs` if already. */
  fallsToMs(count: number, nowMs: number): number {
    const over = this.count(nowMs) - count;
    return over > 0 ? this.#at(over - 1) + this.windowMs : nowMs;
  }

  #grow(): void {
    const times = new Float64Array(Math.min(this.capacity, 2 * this.#size));
    for (let index = 0; index < this.#size; index++) times[index] = this.#at(index);
    this.#times = times;
    this.#head = 0;
  }

  #at(index: number): number {
    return this.#times[(this.#head + index) % this.#times.length]!;
  }

  /** Adds up as `fallsToMs` does: there is room at the time that it tells, despite rounding. */
  #expire(nowMs: number): void {
    while (this.#size > 0 && this.#times[this.#head]! + this.windowMs <= nowMs) {
      this.#head = (this.#head + 1) % this.#times.length;
      this.#size--;
    }
  }
}
