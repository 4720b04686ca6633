import type { Journal, TradingEvent } from '../domain/index.ts';
import { Chains, runHash } from './chain.ts';
import { StorageError } from './errors.ts';
import { isMarketData } from './text/line.ts';

/**
 * A journal of which the hash alone is kept, for runs on virtual time, however long: the same events
 * give the same hash as on disk.
 */
export class HashJournal implements Journal {
  readonly #marketData: boolean;
  readonly #chains = new Chains();
  #events = 0;
  #closed = false;

  /** `marketData`: whether tickers, depth, trades and candles count. Default: true. */
  constructor(options: { readonly marketData?: boolean } = {}) {
    this.#marketData = options.marketData ?? true;
  }

  append(event: TradingEvent): void {
    if (this.#closed) {
      throw new StorageError('Cannot append to the journal: it is closed, an open one is wanted');
    }
    if (!this.#marketData && isMarketData(event)) return;
    this.#chains.addEvent(++this.#events, event);
  }

  /** Nothing to do: there is no disk. */
  commitOrders(): void {}

  /** Nothing to do likewise. */
  commit(): void {}

  close(): void {
    this.#closed = true;
  }

  hash(): string {
    return runHash(this.#chains.state);
  }
}
