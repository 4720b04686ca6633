import type { VirtualClock } from '../../../kernel/index.ts';
import type { EquityMeter } from './equity-meter.ts';
import type { Markouts } from './markouts.ts';

/** What is measured as time goes on: the account at whole intervals, and fills some time later. */
export class Meters {
  readonly #equity: EquityMeter;
  readonly #markouts: Markouts;
  /** When the next look is due, milliseconds since the epoch. */
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

  /** Notes what the account begins with, for its first value. */
  noteStart(): void {
    this.#equity.noteStart();
  }

  /** A fill is learnt of. */
  readonly addFill: Markouts['add'] = (fill, news) => {
    this.#markouts.add(fill, news);
    this.#findNext();
  };

  /** Time moves on to there: does what is due at `dueMs`. More may be due before then. */
  passTo(timeMs: number): void {
    if (this.#equity.dueMs === this.dueMs) this.#equity.passTo(timeMs);
    else this.#markouts.passTo(timeMs);
    this.#findNext();
  }

  /**
   * The clock has come to there, and what is the price there is none yet: does what fills that were
   * heard of on the way made due before it.
   */
  catchUp(timeMs: number): void {
    while (this.dueMs < timeMs) this.passTo(timeMs);
  }

  /**
   * Moves the clock to where the account is due ahead of an open, or at it: what is heard until then
   * counts, answers and pushes too. True where it moved: something may come before the open now.
   */
  leadToOpen(openMs: number, clock: VirtualClock): boolean {
    const { dueMs } = this.#equity;
    if (dueMs > openMs || dueMs <= clock.now()) return false;
    clock.advanceTo(dueMs);
    return true;
  }

  /** As `passTo`; what a market that opens then sets off is looked at when there is another price. */
  passToOpen(timeMs: number): void {
    if (this.dueMs > timeMs) return;
    this.#equity.passToOpen(timeMs);
    this.#findNext();
  }

  /** Does what is due by the end, and values the account a last time. */
  end(timeMs: number): void {
    this.#markouts.passTo(timeMs + 1);
    this.#equity.end(timeMs);
  }

  #findNext(): void {
    this.dueMs = Math.min(this.#equity.dueMs, this.#markouts.dueMs);
  }
}
