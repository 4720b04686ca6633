import { type Clock, DAY_MS } from '../kernel/index.ts';

/** With the eight digits of the date: 18 digits, as seen on the wire, far above 2^53. */
const SEQUENCE_DIGITS = 10;
/** The digits at the end that are put to the others for each id. */
const LOW_DIGITS = 5;
const LOW = 10 ** LOW_DIGITS;
/** Ids a millisecond for which a restart on the same day still continues above the last one. */
const IDS_PER_MS = 100;

/**
 * Makes order ids: the UTC date as `YYYYMMDD`, then a growing number. Source: wire facts.
 *
 * Unless told otherwise the number starts with the time of day, and from the next day on without it:
 * ids keep growing over a restart, whether on the day of the start before it or later.
 */
export class OrderIds {
  readonly #first: number;
  /** The day of the start, and how its ids begin. */
  readonly #firstDay: number;
  readonly #firstDate: string;
  #day = Number.NaN;
  #date = '';
  /** The number without its last digits of the newest id, and what that id began with. */
  #high = Number.NaN;
  #prefix = '';
  /** The newest id, and of which order: it is told of several times in a row, and one text is known faster. */
  #newest = '';
  #ordinal = Number.NaN;
  #timeMs = Number.NaN;

  constructor(clock: Clock, first: number = Math.floor(clock.now() % DAY_MS) * IDS_PER_MS) {
    this.#first = first;
    this.#firstDay = Math.floor(clock.now() / DAY_MS);
    this.#firstDate = this.#dateOf(clock.now());
  }

  /** The id of the order with that running number, taken at that time. */
  text(ordinal: number, timeMs: number): string {
    if (ordinal !== this.#ordinal || timeMs !== this.#timeMs) {
      this.#newest = this.#made(ordinal, timeMs);
      this.#ordinal = ordinal;
      this.#timeMs = timeMs;
    }
    return this.#newest;
  }

  #made(ordinal: number, timeMs: number): string {
    const day = Math.floor(timeMs / DAY_MS);
    const number = day === this.#firstDay ? this.#first + ordinal : ordinal;
    const high = Math.floor(number / LOW);
    if (high !== this.#high || day !== this.#day) {
      this.#high = high;
      this.#prefix =
        this.#dateOf(timeMs) + String(high).padStart(SEQUENCE_DIGITS - LOW_DIGITS, '0');
    }
    // A number below 2^31 becomes a text several times as fast as one above.
    return this.#prefix + String(LOW + (number - high * LOW)).slice(1);
  }

  /** The running number behind an id; what is no id gives a number that nobody has. */
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
