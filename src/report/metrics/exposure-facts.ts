import type { EquityColumns, RunRecord } from '../record.ts';
import { TimeHeld } from '../trips/time-held.ts';

/** How much of the account stood in positions, weighted by time. */
export interface Exposure {
  /** Share of the time in which any strategy held a position. */
  readonly timeShare: number;
  /** Mean net worth, without sign, of what is owned beside quote, as a fraction of the equity. */
  readonly meanShare: number;
  /** Mean equity, in quote. */
  readonly meanEquity: number;
}

/**
 * Follows an account row by row; each row holds until the next. Means leave out rows without a
 * value; the time in which a position is held needs none.
 */
export class ExposureMeter {
  readonly #timeHeld: TimeHeld;
  #exposedMs = 0;
  #shares = 0;
  #equities = 0;
  #totalMs = 0;
  #valuedMs = 0;
  // The previous row; NaN before the first.
  #since = Number.NaN;
  #worth = Number.NaN;
  #share = Number.NaN;

  constructor(record: Pick<RunRecord, 'fills' | 'markets'>) {
    this.#timeHeld = new TimeHeld(record);
  }

  /** Takes the next rows. */
  add({ time, equity, positionValue }: EquityColumns): void {
    for (let at = 0; at < time.length; at++) {
      if (!Number.isNaN(this.#since)) this.#hold(time[at]!);
      this.#since = time[at]!;
      this.#worth = equity[at]!;
      this.#share = Math.abs(positionValue[at]! / this.#worth);
    }
  }

  result(): Exposure {
    return {
      timeShare: this.#exposedMs / this.#totalMs,
      meanShare: this.#shares / this.#valuedMs,
      meanEquity: this.#equities / this.#valuedMs,
    };
  }

  /** Counts the previous row as holding until then. */
  #hold(untilMs: number): void {
    const heldMs = untilMs - this.#since;
    this.#totalMs += heldMs;
    this.#exposedMs += this.#timeHeld.between(this.#since, untilMs);
    if (Number.isNaN(this.#worth)) return;
    this.#valuedMs += heldMs;
    this.#shares += this.#share * heldMs;
    this.#equities += this.#worth * heldMs;
  }
}
