import { getOrInsert, MINUTE_MS, SECOND_MS } from '../../../kernel/index.ts';
import { ByAddress } from './by-address.ts';

/** The most that was seen in any trailing window, and all that was seen. */
export interface Peak {
  readonly total: number;
  readonly highest: number;
}

/** What arrived at the server since it began, refused requests included. */
export interface ServerCounts {
  /** HTTP requests of every kind. */
  readonly requests: number;
  /** Answers that were refusals, by code. */
  readonly refusals: Readonly<Record<number, number>>;
  /** Signed requests by access key: `highest` in any one second. */
  readonly keys: Readonly<Record<string, Peak>>;
  /**
   * Signed requests by address: `highest` in any one minute. Where very many addresses come, those
   * that fell silent are forgotten.
   */
  readonly addresses: Readonly<Record<string, Peak>>;
  /** Candle requests by address, likewise: `highest` in any one second. */
  readonly candles: Readonly<Record<string, Peak>>;
}

/** Counts events in the trailing window without a cap, and keeps the highest count. */
export class PeakCounter implements Peak {
  readonly #windowMs: number;
  /** Distinct times of the window, oldest first from `#head`, and how many events each had. */
  #times: number[] = [];
  #counts: number[] = [];
  #head = 0;
  #inside = 0;
  total = 0;
  highest = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Counts an event in every window (nowMs - windowMs, nowMs] that holds it. */
  add(nowMs: number): void {
    while (this.#head < this.#times.length && this.#times[this.#head]! <= nowMs - this.#windowMs) {
      this.#inside -= this.#counts[this.#head++]!;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#times.length) this.#compact();
    const last = this.#times.length - 1;
    if (this.#times[last] === nowMs) this.#counts[last]!++;
    else {
      this.#times.push(nowMs);
      this.#counts.push(1);
    }
    this.total++;
    this.highest = Math.max(this.highest, ++this.#inside);
  }

  /** Whether the window that ends at `nowMs` is empty. */
  isSilent(nowMs: number): boolean {
    return (this.#times.at(-1) ?? Number.NEGATIVE_INFINITY) <= nowMs - this.#windowMs;
  }

  #compact(): void {
    this.#times = this.#times.slice(this.#head);
    this.#counts = this.#counts.slice(this.#head);
    this.#head = 0;
  }
}

/** The server's own tally, kept apart from the limiter so that it can convict it. */
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
