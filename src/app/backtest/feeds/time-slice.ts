/** How long rows are played before signals and the display get their turn, milliseconds. */
const SLICE_MS = 50;
/** Rows between two looks at this machine's clock: a look costs as much as a fast row. */
const ROWS_A_LOOK = 64;

/**
 * Ends the playing of rows now and then, between two of them: where each takes long, as with timers
 * that go off in between, a chunk would keep everything else waiting. What is played is the same.
 */
export class TimeSlice {
  #untilMs = 0;
  #rows = 0;
  #isSpent = false;

  /** Whether its time was up when it was asked last. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  begin(): void {
    this.#isSpent = false;
    this.#untilMs = performance.now() + SLICE_MS;
  }

  /** To be asked after each row: whether to pause here. */
  isOver(): boolean {
    if (++this.#rows < ROWS_A_LOOK) return false;
    this.#rows = 0;
    this.#isSpent = performance.now() >= this.#untilMs;
    return this.#isSpent;
  }
}
