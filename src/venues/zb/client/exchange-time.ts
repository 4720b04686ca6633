import { CODES, ExchangeFailure } from '../../../exchange/index.ts';
import { type Clock, dateMs, elapsedMs, type Logger, MINUTE_MS } from '../../../kernel/index.ts';

/** A smaller change of our time is not logged: then the exchange refused the key, not the time. */
const TOLD_MIN_MS = MINUTE_MS;

/** A time that a request is stamped with. */
interface Stamp {
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  /** The index of the machine's time that it was made with. */
  readonly source: number;
  /** Elapsed time at which it was made. */
  readonly elapsedMs: number;
}

export interface ExchangeTimeOptions {
  readonly clock: Clock;
  /** The exchange's clock minus ours, in milliseconds. */
  readonly timeOffsetMs: number;
  readonly logger: Logger;
}

/**
 * The exchange's time as far as this machine knows it.
 *
 * It is the machine's date, because a wrong date gets corrected. The clock's `now` never goes back,
 * and so stays ahead for good if the date was too far ahead once. When the exchange refuses a
 * stamp, the next of the machine's times is tried: elapsed time since the last stamp that it
 * accepted, then `now`. A refused request was not acted on.
 */
export class ExchangeTime {
  readonly #options: ExchangeTimeOptions;
  readonly #sources: readonly (() => number)[];
  #source = 0;
  /** How far the last accepted stamp was ahead of elapsed time. */
  #takenAheadMs: number | undefined;

  constructor(options: ExchangeTimeOptions) {
    const { clock } = options;
    this.#options = options;
    const date = (): number => dateMs(clock);
    const reckoned = () =>
      this.#takenAheadMs === undefined ? date() : elapsedMs(clock) + this.#takenAheadMs;
    this.#sources = [date, reckoned, () => clock.now()];
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#sources[this.#source]!() + this.#options.timeOffsetMs;
  }

  /** For a request that leaves now. */
  stamp(): Stamp {
    return { timeMs: this.now(), source: this.#source, elapsedMs: elapsedMs(this.#options.clock) };
  }

  /** The exchange accepted the request with that stamp. */
  taken({ timeMs, elapsedMs }: Stamp): void {
    this.#takenAheadMs = timeMs - this.#options.timeOffsetMs - elapsedMs;
  }

  /** The request with that stamp failed. */
  failed({ source, timeMs }: Stamp, failure: unknown): void {
    if (!isOfTime(failure) || source !== this.#source) return;
    this.#source = (source + 1) % this.#sources.length;
    const byMs = this.now() - timeMs;
    if (Math.abs(byMs) < TOLD_MIN_MS) return;
    this.#options.logger.warn({ byMs }, 'the exchange refuses our time: stamps are set');
  }
}

/** Source: wire facts, Order of checks: some servers call an expired stamp unverified. */
function isOfTime(failure: unknown): boolean {
  if (!(failure instanceof ExchangeFailure)) return false;
  return failure.code === CODES.requestExpired || failure.code === CODES.unverified;
}
