import type { OrderRecord } from '../domain/index.ts';
import type { Clock } from '../kernel/index.ts';

/** How far one clock of the exchange is behind another at most, milliseconds. */
export const UNEVEN_MS = 5_000;
/** Elapsed time runs faster than the exchange's by less than this share. */
const DRIFT = 0.001;

/**
 * The least that the exchange's clock shows, whatever date this machine has: the newest time that an
 * order heard of bore, and the time that has elapsed since it was heard of.
 *
 * What is placed from now on bears no earlier time. So it divides the orders that the exchange has
 * from those to come without a look at our date.
 */
export class Horizon {
  readonly #clock: Clock;
  /** The newest time that was told, and when it was heard of, in elapsed time. */
  #told: { readonly time: number; readonly elapsedMs: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since the epoch; undefined while no order was heard of. */
  get time(): number | undefined {
    if (this.#told === undefined) return undefined;
    const sinceMs = this.#elapsedMs - this.#told.elapsedMs;
    return this.#told.time + Math.floor(sinceMs * (1 - DRIFT));
  }

  /** Takes up what a read or a push told. */
  hear(records: readonly OrderRecord[]): void {
    const time = newestTimeOf(records);
    if (time > (this.time ?? Number.NEGATIVE_INFINITY)) {
      this.#told = { time, elapsedMs: this.#elapsedMs };
    }
  }

  get #elapsedMs(): number {
    return this.#clock.elapsedMs?.() ?? this.#clock.now();
  }
}

/** When the newest of the records was placed, by the exchange's clock; minus infinity: there is none. */
export function newestTimeOf(records: readonly OrderRecord[]): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { exchangeTime } of records) newest = Math.max(newest, exchangeTime);
  return newest;
}
