import { type Clock, dateMs, elapsedMs } from '../kernel/index.ts';

/**
 * Tells what the exchange stamped too long ago, whatever the difference of the clocks.
 *
 * A stamp is held against the least time from stamp to receipt so far. Where the first ones are
 * further than that from our date, the clocks differ or the stamps stand still: then one counts once
 * it is later than the first.
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

  /** Whether what is received now with that stamp is no news, however often it is given. */
  isFrozen(exchangeTime: number): boolean {
    if (this.#leastLagMs === undefined && !this.#isBelievable(exchangeTime)) return true;
    const lagMs = elapsedMs(this.#clock) - exchangeTime;
    this.#leastLagMs = Math.min(this.#leastLagMs ?? lagMs, lagMs);
    return lagMs - this.#leastLagMs > this.#ageMaxMs;
  }

  /** By the date, which is set right where it was wrong at the start; elapsed time is not. */
  #isBelievable(exchangeTime: number): boolean {
    this.#firstTime ??= exchangeTime;
    const ageMs = Math.abs(dateMs(this.#clock) - exchangeTime);
    return exchangeTime > this.#firstTime || ageMs <= this.#ageMaxMs;
  }
}
