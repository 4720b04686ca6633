import type { VirtualClock } from '../../../kernel/index.ts';
import type { EquityMeter } from './equity-meter.ts';
import type { Markouts } from './markouts.ts';

/** Measures a run as time goes on: the account at whole intervals, fills some time after them. */
export class Meters {
  readonly #equity: EquityMeter;
  readonly #markouts: Markouts;
  /** When the next sample or look is due, milliseconds since the epoch. */
  dueMs: number;

  constructor(equity: EquityMeter, markouts: Markouts) {
    this.#equity = equity;
    this.#markouts = markouts;
    this.dueMs = equity.dueMs;
  }

  /** Values the account before anything happens, at the prices that the data begin with. */
  begin(timeMs: number, firstPrices: ReadonlyMap<string, number>): void {
    this.#equity.begin(timeMs, firstPrices);
    this.#findNext();
  }

  /** Notes what the account begins with, for its first sample. */
  noteStart(): void {
    this.#equity.noteStart();
  }

  /** Takes a fill that has become known. */
  readonly addFill: Markouts['add'] = (fill, news) => {
    this.#markouts.add(fill, news);
    this.#findNext();
  };

  /** Time moves on to `timeMs`: does what is due at `dueMs`. More may be due before `timeMs`. */
  passTo(timeMs: number): void {
    if (this.#equity.dueMs === this.dueMs) this.#equity.passTo(timeMs);
    else this.#markouts.passTo(timeMs);
    this.#findNext();
  }

  /**
   * The clock has reached `timeMs`, but the row of that time has set no price yet: does all that is
   * due before it, looks at fills heard on the way included.
   */
  catchUp(timeMs: number): void {
    while (this.dueMs < timeMs) this.passTo(timeMs);
  }

  /**
   * Advances the clock to the account's next sample if that is due at an open or before it: all
   * that is heard by then counts, answers and pushes included. True where the clock advanced, as
   * other steps may now come before the open.
   */
  leadToOpen(openMs: number, clock: VirtualClock): boolean {
    const { dueMs } = this.#equity;
    if (dueMs > openMs || dueMs <= clock.now()) return false;
    clock.advanceTo(dueMs);
    return true;
  }

  /** Like `passTo`, before a market opens. What the open sets off belongs to a later sample. */
  passToOpen(timeMs: number): void {
    if (this.dueMs > timeMs) return;
    this.#equity.passToOpen(timeMs);
    this.#findNext();
  }

  /** Does what is due by the end, and takes the account's last sample. */
  end(timeMs: number): void {
    this.#markouts.passTo(timeMs + 1);
    this.#equity.end(timeMs);
  }

  #findNext(): void {
    this.dueMs = Math.min(this.#equity.dueMs, this.#markouts.dueMs);
  }
}
