import type { Journal, TradingEvent } from '../domain/index.ts';
import { Chains, runHash } from './chain.ts';
import { StorageError } from './errors.ts';
import { isMarketData, lineOf } from './line.ts';

/** A journal in memory, for backtests and tests: the same events give the same hash as on disk. */
export class MemoryJournal implements Journal {
  readonly #events: TradingEvent[] = [];
  readonly #marketData: boolean;
  readonly #chains = new Chains();
  #hashed = 0;
  #closed = false;

  /** `marketData`: whether tickers, depth, trades and candles are kept. Default: true. */
  constructor(options: { readonly marketData?: boolean } = {}) {
    this.#marketData = options.marketData ?? true;
  }

  /** Everything kept so far, in order. */
  get events(): readonly TradingEvent[] {
    return this.#events;
  }

  append(event: TradingEvent): void {
    if (this.#closed) {
      throw new StorageError('Cannot append to the journal: it is closed, an open one is wanted');
    }
    if (this.#marketData || !isMarketData(event)) this.#events.push(event);
  }

  /** Nothing to do: memory is all there is. */
  commitOrders(): void {}

  /** Nothing to do likewise. */
  commit(): void {}

  close(): void {
    this.#closed = true;
  }

  hash(): string {
    while (this.#hashed < this.#events.length) {
      const event = this.#events[this.#hashed++]!;
      this.#chains.add(this.#hashed, { line: lineOf(event), isMarketData: isMarketData(event) });
    }
    return runHash(this.#chains.state);
  }
}
