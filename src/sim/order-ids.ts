import { type Clock, DAY_MS } from '../kernel/index.ts';

/** With the eight digits of the date: 18 digits, as seen on the wire, far above 2^53. */
const SEQUENCE_DIGITS = 10;
/** Ids a millisecond for which a restart on the same day still continues above the last one. */
const IDS_PER_MS = 100;

/**
 * Makes order ids: the UTC date as `YYYYMMDD`, then a growing number. Source: wire facts.
 *
 * Unless told otherwise the number starts with the time of day, so ids keep growing over a restart.
 */
export class OrderIds {
  readonly #first: number;
  #day = Number.NaN;
  #date = '';

  constructor(clock: Clock, first: number = (clock.now() % DAY_MS) * IDS_PER_MS) {
    this.#first = first;
  }

  /** The id of the order with that running number, taken at that time. */
  text(ordinal: number, timeMs: number): string {
    const number = String(this.#first + ordinal).padStart(SEQUENCE_DIGITS, '0');
    return `${this.#dateOf(timeMs)}${number}`;
  }

  /** The running number behind an id; what is no id gives a number that nobody has. */
  ordinal(id: string): number {
    return Number(id.slice(8)) - this.#first;
  }

  #dateOf(timeMs: number): string {
    const day = Math.floor(timeMs / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = new Date(timeMs).toISOString().slice(0, 10).replaceAll('-', '');
    }
    return this.#date;
  }
}
