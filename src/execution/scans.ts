import {
  exchangeOrderIdOf,
  type LiveOrder,
  newsOf,
  type OrderRecord,
  type OrderState,
  type Side,
} from '../domain/index.ts';
import { CODES, type ExchangeFailure } from '../exchange/index.ts';
import { compareOpenOrders } from '../ledger/index.ts';
import { declareAbsent, Search } from './absence.ts';
import type { Courier, Delivery } from './courier.ts';
import { type Horizon, UNEVEN_MS } from './horizon.ts';
import { PageRead } from './pages.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from './ports.ts';
import { isBatched, leftAfter } from './tags.ts';

export interface ScansParts {
  readonly courier: Courier;
  readonly horizon: Horizon;
  /** The exchange's ids of orders of earlier runs that are none of those searched for. */
  readonly pastIds: ReadonlySet<string>;
}

/** What the answer to a batch tells that the exchange took in part. */
export interface PartTaken {
  readonly exchangeOrderIds: readonly string[];
  /** Why the others are not there, as far as anybody knows. */
  readonly reason: string;
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
 * Finds orders that left without an id of ours, those of batches: by side, price and amount in the
 * pages of `orders`, among what is not older than they are.
 *
 * That is told by the exchange's clock alone, see `Horizon`. By our date an order would be missed,
 * and sent again, where that is ahead, and an older one be taken for it where it is behind.
 */
export class Scans implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #parts: ScansParts;
  readonly #scans = new Map<string, Scan>();
  /** Of batches that were taken in part, by our ids of their orders. */
  readonly #partsTaken = new Map<string, PartTaken>();

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

  /** These orders left in a batch of which the exchange took a part: a read tells which. */
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
    const oldestTime = Math.min(...wanted.map(oldestTimeOf));
    for (const { clientOrderId } of wanted) {
      const search = searches.get(clientOrderId) ?? new Search(this.#options);
      searches.set(clientOrderId, search);
      search.leaves();
    }
    return new PageRead({
      market,
      side,
      isEnough: (page) =>
        isNewestFirst(page) && page.some((record) => record.exchangeTime < oldestTime),
    });
  }

  #told(
    scan: Scan,
    { page, delivery }: { page: readonly OrderRecord[]; delivery: Delivery },
  ): void {
    if (delivery.late) return;
    scan.asking = false;
    scan.dueMs = this.#options.clock.now();
    this.#parts.horizon.hear(page);
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
    for (const order of this.#wanted(scan)) this.#judge(scan, order);
    const pauses = this.#wanted(scan).map(
      ({ clientOrderId }) => scan.searches.get(clientOrderId)?.pauseMs ?? config.readLagMs,
    );
    if (pauses.length === 0) this.#scans.delete(keyOf(scan));
    scan.dueMs = clock.now() + Math.min(...pauses);
  }

  #match(
    scan: Scan,
    { order, theirs }: { order: LiveOrder; theirs: readonly OrderRecord[] },
  ): void {
    const { orders, clock } = this.#options;
    const { clientOrderId } = order;
    const found = this.#find(order, theirs);
    if (found === undefined) {
      scan.searches.get(clientOrderId)?.missed();
      return;
    }
    this.#end(scan, order);
    orders.apply(clientOrderId, newsOf(found, { time: clock.now(), evidence: 'query' }));
  }

  /** The newest of the records that may be the order's; rather one that the answer names. */
  #find(order: LiveOrder, theirs: readonly OrderRecord[]): OrderRecord | undefined {
    const { orders } = this.#options;
    const { pastIds } = this.#parts;
    const named = this.#partsTaken.get(order.clientOrderId)?.exchangeOrderIds ?? [];
    const isKnown = (id: string) => pastIds.has(id) || orders.byExchangeOrderId(id) !== undefined;
    const candidates = compareOpenOrders({ ours: [order], theirs, isKnown, clockSkewMs: ANY })
      .candidatesFor(order)
      .filter((record) => mayBe(record, order))
      .sort((a, b) => b.exchangeTime - a.exchangeTime);
    return candidates.find((record) => named.includes(record.exchangeOrderId)) ?? candidates[0];
  }

  /** Ends an order that was not found where that proves it absent. */
  #judge(scan: Scan, order: LiveOrder): void {
    const { clientOrderId } = order;
    const refusal = this.#refusalOf(order);
    if (refusal === undefined && !scan.searches.get(clientOrderId)?.proves(order)) return;
    this.#end(scan, order);
    declareAbsent(order, { ...this.#options, reason: refusal });
  }

  /**
   * Why the exchange refused the order, where it has: it answered, so nothing is under way any more,
   * and this read showed all that it took of the batch, without this one.
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

  /** The orders that a scan of that side may find. */
  #wanted({ market, side }: Scan): readonly LiveOrder[] {
    return this.#options.orders
      .live(market)
      .filter((order) => order.side === side && order.status === 'unknown')
      .filter(isBatched)
      .filter((order) => exchangeOrderIdOf(order) === undefined);
  }
}

/** No distance between the exchange's clock and ours is too far. */
const ANY = Number.POSITIVE_INFINITY;

/** Whether older ones alone can follow. The contract does not tell the order of lists. */
function isNewestFirst(page: readonly OrderRecord[]): boolean {
  const [first] = page;
  const last = page.at(-1);
  return first !== undefined && last !== undefined && first.exchangeTime >= last.exchangeTime;
}

/** How old a record may be that is the order's, by the exchange's clock. */
function oldestTimeOf(order: LiveOrder): number {
  return leftAfter(order) - UNEVEN_MS;
}

/**
 * Whether the record may be the order's by its time. One that is a little older may be stamped by a
 * clock that is behind; there only what it traded or that it rests counts: else it is the same as
 * none.
 */
function mayBe({ exchangeTime, closed, filledAmount }: OrderRecord, order: LiveOrder): boolean {
  if (exchangeTime > leftAfter(order)) return true;
  return exchangeTime >= oldestTimeOf(order) && (!closed || filledAmount > 0);
}

function keyOf({ market, side }: Pick<Scan, 'market' | 'side'>): string {
  return `${market} ${side}`;
}
