import type { Observable } from 'rxjs';
import type { Desks } from '../desk/desks.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { ReadOptions, Reconciler, ReconciliationReport } from './reconciler.ts';

type RegularReadingsOptions = Pick<ExecutorOptions, 'clock' | 'orders' | 'heartbeat' | 'config'>;

export interface RegularReadingsParts {
  readonly desks: Desks;
  readonly reconciler: Reconciler;
}

/**
 * Reads orders and balances every `reconcileMs` while orders live, counted from any other such
 * read.
 */
export class RegularReadings {
  readonly #options: RegularReadingsOptions;
  readonly #parts: RegularReadingsParts;
  #lastMs: number;

  constructor(options: RegularReadingsOptions, parts: RegularReadingsParts) {
    this.#options = options;
    this.#parts = parts;
    this.#lastMs = options.clock.now();
  }

  /** Reads now, like `Reconciler.read`. The next regular read is due `reconcileMs` later. */
  read(
    reason: string,
    markets: readonly string[],
    options: ReadOptions,
  ): Observable<ReconciliationReport> {
    this.#lastMs = this.#options.clock.now();
    return this.#parts.reconciler.read(reason, markets, options);
  }

  /** Reads the traded markets if that is due. */
  readDue(nowMs: number): void {
    const { orders, heartbeat } = this.#options;
    if (this.nextMs > nowMs) return;
    // Between two orders a market has none for a moment: an armed timed cancel tells that it is
    // traded.
    const isTraded = (market: string) =>
      orders.live(market).length > 0 || heartbeat.confirmed(market);
    const markets = [...this.#parts.desks.markets()].filter(isTraded);
    this.read('regular', markets, { goesWithout: true });
  }

  /** When the next regular read is due; infinite: no order lives. */
  get nextMs(): number {
    const { orders, config } = this.#options;
    return orders.liveCount === 0 ? Number.POSITIVE_INFINITY : this.#lastMs + config.reconcileMs;
  }
}
