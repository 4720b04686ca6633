import { type Clock, DAY_MS, dateMs, elapsedMs, MINUTE_MS } from '../kernel/index.ts';

/** How long a date has to stand that time which passes did not lead to, as after a sleep. */
const STANDS_MS = MINUTE_MS;

/**
 * The day in UTC that limits of a day count for.
 *
 * It goes by the machine's date, and never back: a date that is wrong for a moment begins no new
 * day, nor takes away the next one where it was wrong when the run began. Where elapsed time leads
 * to the new day as well it begins at once.
 */
export class RiskDay {
  readonly #clock: Clock;
  readonly #startMs: number;
  #aheadMs: number;
  #day: number;
  /** Whether the date of the start has stood. */
  #isSure = false;
  #begun = 0;
  /** Since when the date has shown a later day, by elapsed time. */
  #shownMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = elapsedMs(this.#clock);
    this.#day = dayOf(dateMs(this.#clock));
    this.#aheadMs = dateMs(this.#clock) - elapsedMs(this.#clock);
  }

  /** Its number, counted from the first of the run. */
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

  /** A day that was shown at the start, and for less than a minute, is none that began. */
  #weigh(shown: number): void {
    if (shown < this.#day) {
      this.#day = shown;
      this.#aheadMs = dateMs(this.#clock) - elapsedMs(this.#clock);
    } else {
      this.#isSure = elapsedMs(this.#clock) - this.#startMs >= STANDS_MS;
    }
  }
}

/** Tells when a day is over, to whoever counts by days. */
export class DayTurn {
  readonly #day: RiskDay;
  #counted: number;

  constructor(day: RiskDay) {
    this.#day = day;
    this.#counted = day.today();
  }

  /** Whether another day has begun since it was last asked for. */
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
