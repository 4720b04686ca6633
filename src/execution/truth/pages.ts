import type { OrderRecord, Side } from '../../domain/index.ts';
import { ORDERS_PAGE_SIZE, type OrdersPage, type OrdersQuery } from '../../exchange/index.ts';

export interface PageReadOptions {
  readonly market: string;
  readonly side: Side;
  /** Whether nothing of interest can come after this full page. */
  readonly isEnough: (page: readonly OrderRecord[]) => boolean;
}

/**
 * Reads the orders of one side page by page, newest first.
 *
 * New orders push older ones to later pages meanwhile: some are then read twice, none is missed.
 */
export class PageRead {
  readonly #options: PageReadOptions;
  readonly #records = new Map<string, OrderRecord>();
  readonly #illegible = new Set<string>();
  #page = 1;
  #done = false;

  constructor(options: PageReadOptions) {
    this.#options = options;
  }

  get done(): boolean {
    return this.#done;
  }

  /** The next query to send. */
  get query(): OrdersQuery {
    const { market, side } = this.#options;
    return { market, side, page: this.#page };
  }

  /** All records read, newest first. */
  get records(): readonly OrderRecord[] {
    return [...this.#records.values()];
  }

  /** The exchange's ids of orders that could not be read. */
  get illegible(): ReadonlySet<string> {
    return this.#illegible;
  }

  /** The answer to `query`. */
  take(page: OrdersPage): void {
    const { illegible = [] } = page;
    for (const record of page) this.#records.set(record.exchangeOrderId, record);
    for (const id of illegible) this.#illegible.add(id);
    this.#page++;
    const isLast = page.length + illegible.length < ORDERS_PAGE_SIZE;
    this.#done = isLast || this.#options.isEnough(page);
  }
}
