import { type Clock, DAY_MS, dateMs, elapsedMs, MINUTE_MS } from '../kernel/index.ts';

/**
 * How long a date must stand that elapsed time does not explain, as after the machine has slept.
 */
const STANDS_MS = MINUTE_MS;

/**
 * The UTC day for limits that count by the day.
 *
 * It follows the machine's date but never goes back. A momentarily wrong date begins no new day
 * and, if it was wrong when the run began, does not swallow the next one. Where elapsed time leads
 * to the new day as well, the day begins at once.
 */
export class RiskDay {
  readonly #clock: Clock;
  readonly #startMs: number;
  #aheadMs: number;
  #day: number;
  /** Whether the date at the start has stood long enough to be believed. */
  #isSure = false;
  #begun = 0;
  /** Elapsed time at which the date began to show a later day. */
  #shownMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = elapsedMs(this.#clock);
    this.#day = dayOf(dateMs(this.#clock));
    this.#aheadMs = dateMs(this.#clock) - elapsedMs(this.#clock);
  }

  /** Today's number, counted from the first day of the run. */
  today(): number {
    const shown = dayOf(dateMs(this.#clock));
    if (!this.#isSure) this.#weigh(shown);
    if (shown <= this.#day) {
      this.#shownMs = undefined;
      return this.#begun;
    }
    const nowMs = elapsedMs(this.#clock);
    this.#shownMs ??= nowMs;
    const hasCome = dayOf(nowMs + this.#aheadMs) >= shown;
    if (hasCome || nowMs - this.#shownMs >= STANDS_MS) {
      this.#day = shown;
      this.#begun++;
    }
    return this.#begun;
  }

  /** Corrects the first day: a date shown for less than a minute from the start began no day. */
  #weigh(shown: number): void {
    if (shown < this.#day) {
      this.#day = shown;
      this.#aheadMs = dateMs(this.#clock) - elapsedMs(this.#clock);
    } else {
      this.#isSure = elapsedMs(this.#clock) - this.#startMs >= STANDS_MS;
    }
  }
}

/** Tells a counter of days when a new day has begun. */
export class DayTurn {
  readonly #day: RiskDay;
  #counted: number;

  constructor(day: RiskDay) {
    this.#day = day;
    this.#counted = day.today();
  }

  /** Whether another day has begun since the last call. */
  hasCome(): boolean {
    const today = this.#day.today();
    if (today === this.#counted) return false;
    this.#counted = today;
    return true;
  }
}

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}
