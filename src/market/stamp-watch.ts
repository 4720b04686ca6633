import { type Clock, dateMs, elapsedMs } from '../kernel/index.ts';

/**
 * Recognises what the exchange stamped too long ago, whatever the difference of the clocks.
 *
 * The lag from stamp to receipt is compared with the least lag so far. If the first stamps are
 * further than `ageMaxMs` from our date, either the clocks differ or the stamps stand still: then
 * the first stamp that counts is one later than the very first.
 */
export class StampWatch {
  readonly #clock: Clock;
  readonly #ageMaxMs: number;
  #firstTime: number | undefined;
  /** Transport and the difference of the clocks, undefined until a stamp counts. */
  #leastLagMs: number | undefined;

  constructor({ clock, ageMaxMs }: { readonly clock: Clock; readonly ageMaxMs: number }) {
    this.#clock = clock;
    this.#ageMaxMs = ageMaxMs;
  }

  /** Whether a record received now with that stamp is too old to be news. */
  isFrozen(exchangeTime: number): boolean {
    if (this.#leastLagMs === undefined && !this.#isBelievable(exchangeTime)) return true;
    const lagMs = elapsedMs(this.#clock) - exchangeTime;
    this.#leastLagMs = Math.min(this.#leastLagMs ?? lagMs, lagMs);
    return lagMs - this.#leastLagMs > this.#ageMaxMs;
  }

  /** Goes by the date, which is corrected if it was wrong at the start; elapsed time is not. */
  #isBelievable(exchangeTime: number): boolean {
    this.#firstTime ??= exchangeTime;
    const ageMs = Math.abs(dateMs(this.#clock) - exchangeTime);
    return exchangeTime > this.#firstTime || ageMs <= this.#ageMaxMs;
  }
}
