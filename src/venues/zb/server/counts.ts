import { getOrInsert, MINUTE_MS, SECOND_MS, SlidingWindow } from '../../../kernel/index.ts';
import { ByAddress } from './by-address.ts';

/** The highest count in any trailing window, and the count of all. */
export interface Peak {
  readonly total: number;
  readonly highest: number;
}

/** What has arrived at the server since it started, refused requests included. */
export interface ServerCounts {
  /** HTTP requests of every kind. */
  readonly requests: number;
  /** Answers that were refusals, by code. */
  readonly refusals: Readonly<Record<number, number>>;
  /** Signed requests by access key: `highest` in any one second. */
  readonly keys: Readonly<Record<string, Peak>>;
  /**
   * Signed requests by address: `highest` in any one minute. When very many addresses come, those
   * that fell silent are forgotten.
   */
  readonly addresses: Readonly<Record<string, Peak>>;
  /** Candle requests by address, likewise: `highest` in any one second. */
  readonly candles: Readonly<Record<string, Peak>>;
}

/** Counts events in the trailing window without a cap, and keeps the highest count. */
export class PeakCounter implements Peak {
  readonly #window: SlidingWindow;
  total = 0;
  highest = 0;

  constructor(windowMs: number) {
    this.#window = new SlidingWindow(Number.POSITIVE_INFINITY, windowMs);
  }

  add(nowMs: number): void {
    this.#window.add(nowMs);
    this.total++;
    this.highest = Math.max(this.highest, this.#window.count(nowMs));
  }

  /** Whether the window that ends at `nowMs` is empty. */
  isSilent(nowMs: number): boolean {
    return this.#window.count(nowMs) === 0;
  }
}

/**
 * The server's own tally, kept apart from the limiter so that it can show a fault of the limiter.
 */
export class Tally {
  #requests = 0;
  readonly #refusals = new Map<number, number>();
  readonly #keys = new Map<string, PeakCounter>();
  readonly #addresses = countersByAddress(MINUTE_MS);
  readonly #candles = countersByAddress(SECOND_MS);

  request(): void {
    this.#requests++;
  }

  refusal(code: number): void {
    this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + 1);
  }

  signed(address: string, nowMs: number): void {
    this.#addresses.of(address, nowMs).add(nowMs);
  }

  key(accessKey: string, nowMs: number): void {
    getOrInsert(this.#keys, accessKey, () => new PeakCounter(SECOND_MS)).add(nowMs);
  }

  candles(address: string, nowMs: number): void {
    this.#candles.of(address, nowMs).add(nowMs);
  }

  counts(): ServerCounts {
    return {
      requests: this.#requests,
      refusals: Object.fromEntries(this.#refusals),
      keys: peaksOf(this.#keys),
      addresses: peaksOf(this.#addresses),
      candles: peaksOf(this.#candles),
    };
  }
}

function countersByAddress(windowMs: number): ByAddress<PeakCounter> {
  return new ByAddress(
    () => new PeakCounter(windowMs),
    (counter, nowMs) => counter.isSilent(nowMs),
  );
}

function peaksOf(counters: Iterable<[string, PeakCounter]>): Record<string, Peak> {
  const entries = Array.from(counters, ([name, { total, highest }]) => [name, { total, highest }]);
  return Object.fromEntries(entries);
}
