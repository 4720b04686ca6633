import { type Clock, DAY_MS } from '../kernel/index.ts';

/** With the eight digits of the date: 18 digits, as seen on the wire, far above 2^53. */
const SEQUENCE_DIGITS = 10;
/** Ids a millisecond for which a restart on the same day still continues above the last one. */
const IDS_PER_MS = 100;

/**
 * Makes order ids: the UTC date as `YYYYMMDD`, then a growing number. Source: wire facts.
 *
 * On the day of the start the number is the time of day plus the running number, on later days the
 * running number alone: so ids keep growing over a restart, on the same day or later, as long as
 * the clock goes on meanwhile.
 */
export class OrderIds {
  readonly #first: number;
  /** How ids of the day of the start begin. */
  readonly #firstDate: string;
  #day = Number.NaN;
  #date = '';
  /** The id made last, and of which order: orders are reported several times in a row. */
  #newest = '';
  #ordinal = Number.NaN;
  #timeMs = Number.NaN;

  constructor(clock: Clock) {
    this.#first = Math.floor(clock.now() % DAY_MS) * IDS_PER_MS;
    this.#firstDate = this.#dateOf(clock.now());
  }

  /** The id of the order with that running number, taken at that time. */
  text(ordinal: number, timeMs: number): string {
    if (ordinal !== this.#ordinal || timeMs !== this.#timeMs) {
      const date = this.#dateOf(timeMs);
      const number = date === this.#firstDate ? this.#first + ordinal : ordinal;
      this.#newest = date + String(number).padStart(SEQUENCE_DIGITS, '0');
      this.#ordinal = ordinal;
      this.#timeMs = timeMs;
    }
    return this.#newest;
  }

  /** The running number in an id; a text that is no id gives a number that no order has. */
  ordinal(id: string): number {
    const number = Number(id.slice(8));
    return id.startsWith(this.#firstDate) ? number - this.#first : number;
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
