/** For how long rows are played before signals and the display get their turn, milliseconds. */
const SLICE_MS = 50;
/** Rows between two readings of the machine's clock: a reading costs as much as a fast row. */
const ROWS_A_LOOK = 64;

/**
 * Says when to pause between two rows. Rows can be slow, as when timers fire in between, and a
 * whole chunk would keep everything else waiting. The result of the run does not depend on it.
 */
export class TimeSlice {
  #untilMs = 0;
  #rows = 0;
  #isSpent = false;

  /** Whether the slice's time was up at the last reading. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  begin(): void {
    this.#isSpent = false;
    this.#untilMs = performance.now() + SLICE_MS;
  }

  /** Whether to pause here. To be asked after each row. */
  isOver(): boolean {
    if (++this.#rows < ROWS_A_LOOK) return false;
    this.#rows = 0;
    this.#isSpent = performance.now() >= this.#untilMs;
    return this.#isSpent;
  }
}
