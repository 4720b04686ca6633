import { type Clock, dateMs, elapsedMs } from '../kernel/index.ts';

/**
 * The exchange's time as far as this machine knows it: what ends by the exchange's clock, such as
 * the interval of a candle, ends by this one.
 *
 * A run's clock follows the machine's date at once, and stays ahead for good if the date was too
 * far ahead for a moment. This clock runs by elapsed time from the date at the start. Only the
 * times of trades and candles move it forward from there, and it is never ahead of the date, which
 * may be set back.
 */
export class MarketClock implements Clock {
  readonly #clock: Clock;
  readonly schedule: Clock['schedule'];
  /** How far it is ahead of elapsed time. */
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.schedule = clock.schedule.bind(clock);
    this.#aheadMs = dateMs(this.#clock) - elapsedMs(this.#clock);
  }

  now(): number {
    return Math.min(dateMs(this.#clock), elapsedMs(this.#clock) + this.#aheadMs);
  }

  /** Something happened at the exchange at that time: the exchange's time is no earlier. */
  shows(exchangeTime: number): void {
    this.#aheadMs = Math.max(this.#aheadMs, exchangeTime - elapsedMs(this.#clock));
  }
}
