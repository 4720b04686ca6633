import {
  exchangeOrderIdOf,
  type LiveOrder,
  newsOf,
  type OrderRecord,
  type OrderState,
  type Side,
} from '../domain/index.ts';
import { CODES, type ExchangeFailure } from '../exchange/index.ts';
import { SECOND_MS } from '../kernel/index.ts';
import { compareOpenOrders } from '../ledger/index.ts';
import { declareAbsent, Search } from './absence.ts';
import type { Courier, Delivery } from './courier.ts';
import { PageRead } from './pages.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from './ports.ts';
import { isBatched } from './tags.ts';

/** How far the exchange's clock may be behind ours: less than orders of the same terms are apart. */
const CLOCK_SKEW_MS = 5 * SECOND_MS;

export interface ScansParts {
  readonly courier: Courier;
  /** The exchange's ids of orders of earlier runs that are none of those searched for. */
  readonly pastIds: ReadonlySet<string>;
}

/** The search of one side of a market. */
interface Scan {
  readonly market: string;
  readonly side: Side;
  dueMs: number;
  asking: boolean;
  read: PageRead | undefined;
  /** Of the orders that were not found so far, by our ids. */
  readonly searches: Map<string, Search>;
}

/**
 * Finds orders that left without an id of ours, those of batches: by side, price, amount and time
 * in the pages of `orders`.
 */
export class Scans implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #parts: ScansParts;
  readonly #scans = new Map<string, Scan>();

  constructor(options: ExecutorOptions, parts: ScansParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Searches for the order, and all like it of its side, from `dueMs` on. */
  ask({ market, side }: OrderState, dueMs: number): void {
    const known = this.#scans.get(keyOf({ market, side }));
    if (known === undefined) {
      const scan = { market, side, dueMs, asking: false, read: undefined, searches: new Map() };
      this.#scans.set(keyOf(scan), scan);
    } else if (known.read === undefined) {
      known.dueMs = Math.min(known.dueMs, dueMs);
    }
  }

  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { asking, dueMs } of this.#scans.values()) {
      if (!asking) nextMs = Math.min(nextMs, dueMs);
    }
    return nextMs;
  }

  sendDue(turn: QuestionTurn): boolean {
    const nowMs = this.#options.clock.now();
    for (const scan of this.#scans.values()) {
      if (scan.asking || scan.dueMs > nowMs) continue;
      this.#send(scan, turn);
      return true;
    }
    return false;
  }

  #send(scan: Scan, turn: QuestionTurn): void {
    const { market } = scan;
    const wanted = this.#wanted(scan);
    if (wanted.length === 0) {
      this.#scans.delete(keyOf(scan));
      return;
    }
    scan.read ??= this.#begin(scan, wanted);
    const { read } = scan;
    scan.asking = true;
    this.#parts.courier.send({
      operation: 'queryOrders',
      market,
      ...turn,
      call: () => this.#options.exchange.trading.orders(read.query),
      answered: (page, delivery) => this.#told(scan, { page, delivery }),
      failed: (failure, delivery) => this.#failed(scan, { failure, delivery }),
    });
  }

  #begin({ market, side, searches }: Scan, wanted: readonly LiveOrder[]): PageRead {
    const oldestMs = Math.min(...wanted.map((order) => order.createdTime)) - CLOCK_SKEW_MS;
    for (const { clientOrderId } of wanted) {
      const search = searches.get(clientOrderId) ?? new Search(this.#options);
      searches.set(clientOrderId, search);
      search.leaves();
    }
    return new PageRead({
      market,
      side,
      isEnough: (page) => page.some((record) => record.exchangeTime < oldestMs),
    });
  }

  #told(
    scan: Scan,
    { page, delivery }: { page: readonly OrderRecord[]; delivery: Delivery },
  ): void {
    if (delivery.late) return;
    scan.asking = false;
    scan.dueMs = this.#options.clock.now();
    scan.read?.take(page);
    if (scan.read?.done) this.#conclude(scan, scan.read.records);
  }

  #failed(
    scan: Scan,
    { failure, delivery }: { failure: ExchangeFailure; delivery: Delivery },
  ): void {
    if (failure.code === CODES.orderNotFound) {
      this.#told(scan, { page: [], delivery });
      return;
    }
    if (delivery.late) return;
    const { clock, config } = this.#options;
    scan.asking = false;
    scan.dueMs = clock.now() + config.readLagMs;
  }

  #conclude(scan: Scan, theirs: readonly OrderRecord[]): void {
    const { clock, config } = this.#options;
    scan.read = undefined;
    for (const order of this.#wanted(scan)) this.#match(scan, { order, theirs });
    const pauses = this.#wanted(scan).map(
      ({ clientOrderId }) => scan.searches.get(clientOrderId)?.pauseMs ?? config.readLagMs,
    );
    if (pauses.length === 0) this.#scans.delete(keyOf(scan));
    scan.dueMs = clock.now() + Math.min(...pauses);
  }

  #match(
    { searches }: Scan,
    { order, theirs }: { order: LiveOrder; theirs: readonly OrderRecord[] },
  ): void {
    const { orders, clock } = this.#options;
    const { clientOrderId } = order;
    const { pastIds } = this.#parts;
    const isKnown = (id: string) => pastIds.has(id) || orders.byExchangeOrderId(id) !== undefined;
    const comparison = compareOpenOrders({
      ours: [order],
      theirs,
      isKnown,
      clockSkewMs: CLOCK_SKEW_MS,
    });
    const [found] = comparison.candidatesFor(order);
    if (found !== undefined) {
      searches.delete(clientOrderId);
      orders.apply(clientOrderId, newsOf(found, { time: clock.now(), evidence: 'query' }));
      return;
    }
    const search = searches.get(clientOrderId);
    search?.missed();
    if (!search?.proves(order)) return;
    searches.delete(clientOrderId);
    declareAbsent(order, this.#options);
  }

  /** The orders that a scan of that side may find. */
  #wanted({ market, side }: Scan): readonly LiveOrder[] {
    return this.#options.orders
      .live(market)
      .filter((order) => order.side === side && order.status === 'unknown')
      .filter(isBatched)
      .filter((order) => exchangeOrderIdOf(order) === undefined);
  }
}

function keyOf({ market, side }: Pick<Scan, 'market' | 'side'>): string {
  return `${market} ${side}`;
}
