import {
  isSameOrder,
  type LiveOrder,
  newsOf,
  type OrderRecord,
  type OrderState,
  type Side,
} from '../../domain/index.ts';
import { CODES, type ExchangeFailure, type OrdersPage } from '../../exchange/index.ts';
import { BoundedMap, getOrInsert } from '../../kernel/index.ts';
import { compareOpenOrders } from '../../ledger/index.ts';
import { isBatched } from '../desk/tags.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from '../ports.ts';
import type { Courier, Delivery } from '../sending/courier.ts';
import { declareAbsent, Search } from './absence.ts';
import { assign } from './assignment.ts';
import { HEARD_MAX, type Horizon } from './horizon.ts';
import { byWeight, type Likeness, likenessOf, oldestTimeOf } from './likeness.ts';
import { PageRead } from './pages.ts';

export interface ScansParts {
  readonly courier: Courier;
  readonly horizon: Horizon;
  /** Exchange ids of earlier runs' orders that are not searched for. */
  readonly pastIds: ReadonlySet<string>;
}

/** The answer to a batch that the exchange took in part. */
export interface PartTaken {
  readonly exchangeOrderIds: readonly string[];
  /** Why the other orders are not there, as far as is known. */
  readonly reason: string;
}

/** A read compared with the orders searched for. */
type Comparison = ReturnType<typeof compareOpenOrders>;

/** The search in one side of a market. */
interface Scan {
  readonly market: string;
  readonly side: Side;
  dueMs: number;
  asking: boolean;
  read: PageRead | undefined;
  /** The searches for orders not found so far, by our ids. */
  readonly searches: Map<string, Search>;
}

/**
 * Finds orders that left in batches, without an id of ours: by side, price and amount in the pages
 * of `orders`, among records not older than they are.
 *
 * Age is judged by the exchange's clock, see `Horizon`, and by which orders had been heard of. By
 * our date an order would be missed, and sent again, if the date is ahead, and an older order would
 * be taken for it if the date is behind.
 */
export class Scans implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #parts: ScansParts;
  readonly #scans = new Map<string, Scan>();
  /** Answers to batches that were taken in part, by our ids of their orders. */
  readonly #partsTaken = new Map<string, PartTaken>();
  /** How many orders had been heard of when each order of this run left, by our ids. */
  readonly #heardCounts = new BoundedMap<string, number>(HEARD_MAX);
  /** Orders that cannot be told apart from others, by our ids. */
  readonly #doubted = new Set<string>();

  constructor(options: ExecutorOptions, parts: ScansParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Searches for the order, and all others lost on its side of the market, from `dueMs` on. */
  ask({ market, side }: OrderState, dueMs: number): void {
    const known = this.#scans.get(keyOf({ market, side }));
    if (known === undefined) {
      const scan = { market, side, dueMs, asking: false, read: undefined, searches: new Map() };
      this.#scans.set(keyOf(scan), scan);
    } else if (known.read === undefined) {
      known.dueMs = Math.min(known.dueMs, dueMs);
    }
  }

  /** These orders leave in a batch: orders heard of before are none of them. */
  leave(orders: readonly OrderState[]): void {
    const { heardCount } = this.#parts.horizon;
    for (const { clientOrderId } of orders) this.#heardCounts.set(clientOrderId, heardCount);
  }

  /** These orders left in a batch that the exchange took in part: a read tells which. */
  tookPart(orders: readonly OrderState[], part: PartTaken): void {
    for (const { clientOrderId } of orders) this.#partsTaken.set(clientOrderId, part);
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
    const oldestTimes = wanted.map((order) => {
      const search = getOrInsert(searches, order.clientOrderId, () => new Search(this.#options));
      search.leaves();
      return oldestTimeOf(order, { isLast: search.isLongEnough(order) });
    });
    const oldestTime = Math.min(...oldestTimes);
    return new PageRead({
      market,
      side,
      isEnough: (page) =>
        isNewestFirst(page) && page.some((record) => record.exchangeTime < oldestTime),
    });
  }

  #told(scan: Scan, { page, delivery }: { page: OrdersPage; delivery: Delivery }): void {
    if (delivery.late) return;
    scan.asking = false;
    scan.dueMs = this.#options.clock.now();
    this.#parts.horizon.hear(page);
    scan.read?.take(page);
    if (scan.read?.done) this.#conclude(scan, scan.read);
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

  #conclude(scan: Scan, { records, illegible }: PageRead): void {
    const { clock, config } = this.#options;
    scan.read = undefined;
    const theirs = this.#withTold(scan, records);
    this.#match(scan, this.#compare(scan, theirs));
    this.#judge(scan, { comparison: this.#compare(scan, theirs), illegible });
    const pauses = this.#wanted(scan).map(
      (order) => scan.searches.get(order.clientOrderId)?.pauseMs(order) ?? config.readLagMs,
    );
    if (pauses.length === 0) this.#scans.delete(keyOf(scan));
    scan.dueMs = clock.now() + Math.min(...pauses);
  }

  /** The records read, plus those that pushes told: a list may leave out ended orders. */
  #withTold({ market }: Scan, records: readonly OrderRecord[]): readonly OrderRecord[] {
    const told = this.#options.orders.foreign.allAside(market);
    if (told.length === 0) return records;
    const read = new Set(records.map(({ exchangeOrderId }) => exchangeOrderId));
    return [...records, ...told.filter(({ exchangeOrderId }) => !read.has(exchangeOrderId))];
  }

  #compare(scan: Scan, theirs: readonly OrderRecord[]): Comparison {
    const isKnown = (id: string) => this.#isKnown(id);
    return compareOpenOrders({ ours: this.#wanted(scan), theirs, isKnown });
  }

  #isKnown(exchangeOrderId: string): boolean {
    const { orders } = this.#options;
    return (
      this.#parts.pastIds.has(exchangeOrderId) ||
      orders.byExchangeOrderId(exchangeOrderId) !== undefined
    );
  }

  /**
   * Assigns records to as many orders as possible, the youngest orders and the weightiest records
   * first.
   */
  #match(scan: Scan, comparison: Comparison): void {
    const { orders, clock } = this.#options;
    const found = assign(comparison.unidentified.toReversed(), (order) =>
      this.#alike(order, { comparison, likeness: 'own' }).sort(byWeight),
    );
    for (const [order, record] of found) {
      this.#end(scan, order);
      const news = newsOf(record, { time: clock.now(), evidence: 'query' });
      orders.apply(order.clientOrderId, news);
    }
  }

  /**
   * The records with that likeness to the order. If its batch's answer named ids, only these count,
   * and by their terms alone.
   */
  #alike(
    order: LiveOrder,
    { comparison, likeness }: { comparison: Comparison; likeness: Likeness },
  ): OrderRecord[] {
    const { horizon } = this.#parts;
    const { clientOrderId } = order;
    const awaited = this.#options.orders
      .live(order.market)
      .filter((other) => !isBatched(other) && other.exchangeOrderId === undefined);
    const candidates = comparison
      .candidatesFor(order)
      .filter((record) => !awaited.some((other) => isSameOrder(other, record)));
    const named = this.#partsTaken.get(clientOrderId)?.exchangeOrderIds ?? [];
    if (named.length > 0) {
      const isNamed = likeness === 'own';
      return candidates.filter(({ exchangeOrderId }) => isNamed && named.includes(exchangeOrderId));
    }
    const others = new Set([...this.#partsTaken.values()].flatMap((part) => part.exchangeOrderIds));
    const heardCount = this.#heardCounts.get(clientOrderId);
    return candidates
      .filter(({ exchangeOrderId }) => !others.has(exchangeOrderId))
      .filter((record) => likenessOf(record, { order, heardCount, horizon }) === likeness);
  }

  /** Ends the orders that were not found, if that proves them absent. */
  #judge(
    scan: Scan,
    { comparison, illegible }: { comparison: Comparison; illegible: ReadonlySet<string> },
  ): void {
    for (const order of comparison.unidentified) {
      const search = scan.searches.get(order.clientOrderId);
      search?.missed();
      const reason = this.#refusalOf(order);
      if (reason === undefined && !search?.proves(order)) continue;
      const doubtful = this.#alike(order, { comparison, likeness: 'doubtful' });
      const ids = doubtful.map(({ exchangeOrderId }) => exchangeOrderId);
      if (reason === undefined) ids.push(...this.#unheard(order, illegible));
      this.#end(scan, order);
      if (ids.length === 0) declareAbsent(order, { ...this.#options, reason });
      else this.#doubt(order, ids);
    }
  }

  /** Ids of orders that could not be read and may have come after this order left. */
  #unheard({ clientOrderId }: LiveOrder, illegible: ReadonlySet<string>): readonly string[] {
    const heardCount = this.#heardCounts.get(clientOrderId) ?? 0;
    return [...illegible].filter((exchangeOrderId) => {
      const isOlder = this.#parts.horizon.isAmong(heardCount, { exchangeOrderId });
      return !isOlder && !this.#isKnown(exchangeOrderId);
    });
  }

  /** Leaves an order that cannot be told apart to a person, and to the next start. */
  #doubt({ clientOrderId }: LiveOrder, exchangeOrderIds: readonly string[]): void {
    this.#doubted.add(clientOrderId);
    this.#options.logger.error(
      { clientOrderId, orders: exchangeOrderIds },
      'an order sent in a batch may be one of these orders or none: its outcome stays unknown',
    );
  }

  /**
   * Why the exchange refused the order, if it did: it answered the batch, so nothing is under way
   * any more, and this read showed all that it took, without this order.
   */
  #refusalOf({ clientOrderId }: LiveOrder): string | undefined {
    const { orders } = this.#options;
    const part = this.#partsTaken.get(clientOrderId);
    if (part === undefined || part.exchangeOrderIds.length === 0) return undefined;
    const isSeen = (id: string) => orders.byExchangeOrderId(id) !== undefined;
    return part.exchangeOrderIds.every(isSeen) ? part.reason : undefined;
  }

  #end({ searches }: Scan, { clientOrderId }: LiveOrder): void {
    searches.delete(clientOrderId);
    this.#partsTaken.delete(clientOrderId);
  }

  #wanted({ market, side }: Scan): readonly LiveOrder[] {
    return this.#options.orders
      .live(market)
      .filter((order) => order.side === side && order.status === 'unknown')
      .filter(isBatched)
      .filter(({ clientOrderId }) => !this.#doubted.has(clientOrderId))
      .filter((order) => order.exchangeOrderId === undefined);
  }
}

/** Whether only older records can follow. The contract does not tell the order of lists. */
function isNewestFirst(page: readonly OrderRecord[]): boolean {
  const [first] = page;
  const last = page.at(-1);
  return first !== undefined && last !== undefined && first.exchangeTime >= last.exchangeTime;
}

function keyOf({ market, side }: Pick<Scan, 'market' | 'side'>): string {
  return `${market} ${side}`;
}
