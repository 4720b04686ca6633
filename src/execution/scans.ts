import {
  exchangeOrderIdOf,
  type LiveOrder,
  type OrderRecord,
  type OrderState,
  type Side,
} from '../domain/index.ts';
import { CODES, type ExchangeFailure } from '../exchange/index.ts';
import { SECOND_MS } from '../kernel/index.ts';
import { compareOpenOrders } from '../ledger/index.ts';
import { declareAbsent, isProvenAbsent } from './absence.ts';
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
}

/**
 * Finds orders that left without an id of ours, those of batches: by side, price, amount and time
 * in the pages of `orders`.
 */
export class Scans implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #parts: ScansParts;
  readonly #scans = new Map<string, Scan>();
  readonly #lookups = new Map<string, number>();

  constructor(options: ExecutorOptions, parts: ScansParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Searches for the order, and all like it of its side, from `dueMs` on. */
  ask({ market, side }: OrderState, dueMs: number): void {
    const key = `${market} ${side}`;
    const known = this.#scans.get(key);
    if (known === undefined) {
      this.#scans.set(key, { market, side, dueMs, asking: false, read: undefined });
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
    const { market, side } = scan;
    const wanted = this.#wanted(scan);
    if (wanted.length === 0) {
      this.#scans.delete(`${market} ${side}`);
      return;
    }
    const oldestMs = Math.min(...wanted.map((order) => order.createdTime)) - CLOCK_SKEW_MS;
    scan.read ??= new PageRead({
      market,
      side,
      isEnough: (page) => page.some((record) => record.exchangeTime < oldestMs),
    });
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
    scan.dueMs = clock.now() + config.readLagMs;
    for (const order of this.#wanted(scan)) this.#match(order, theirs);
  }

  #match(order: LiveOrder, theirs: readonly OrderRecord[]): void {
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
      this.#lookups.delete(clientOrderId);
      const { exchangeOrderId, closed, filledAmount, filledValue } = found;
      const record = { exchangeOrderId, closed, filledAmount, filledValue };
      const time = clock.now();
      orders.apply(clientOrderId, { kind: 'record', time, evidence: 'query', ...record });
      return;
    }
    const lookups = (this.#lookups.get(clientOrderId) ?? 0) + 1;
    this.#lookups.set(clientOrderId, lookups);
    if (!isProvenAbsent(order, { lookups, ...this.#options })) return;
    this.#lookups.delete(clientOrderId);
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
