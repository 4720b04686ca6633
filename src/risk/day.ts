import { type Clock, DAY_MS, dateMs, MINUTE_MS } from '../kernel/index.ts';

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
    this.#startMs = this.#elapsedMs();
    this.#day = dayOf(this.#dateMs());
    this.#aheadMs = this.#dateMs() - this.#elapsedMs();
  }

  /** Its number, counted from the first of the run. */
  today(): number {
    const shown = dayOf(this.#dateMs());
    if (!this.#isSure) this.#weigh(shown);
    if (shown <= this.#day) {
      this.#shownMs = undefined;
      return this.#begun;
    }
    const elapsedMs = this.#elapsedMs();
    this.#shownMs ??= elapsedMs;
    const hasCome = dayOf(elapsedMs + this.#aheadMs) >= shown;
    if (hasCome || elapsedMs - this.#shownMs >= STANDS_MS) {
      this.#day = shown;
      this.#begun++;
    }
    return this.#begun;
  }

  /** A day that was shown at the start, and for less than a minute, is none that began. */
  #weigh(shown: number): void {
    if (shown < this.#day) {
      this.#day = shown;
      this.#aheadMs = this.#dateMs() - this.#elapsedMs();
    } else {
      this.#isSure = this.#elapsedMs() - this.#startMs >= STANDS_MS;
    }
  }

  #dateMs(): number {
    return dateMs(this.#clock);
  }

  #elapsedMs(): number {
    return this.#clock.elapsedMs?.() ?? this.#clock.now();
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
