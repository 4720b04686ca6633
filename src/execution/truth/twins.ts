import { Subscription } from 'rxjs';
import {
  isDeclaredAbsent,
  isSameOrder,
  type LiveOrder,
  newsOf,
  type OrderRecord,
  type OrderState,
  type PendingOrder,
} from '../../domain/index.ts';
import { BoundedMap, Decimal, HOUR_MS } from '../../kernel/index.ts';
import { ADOPTED, CLOCK_SKEW_MS } from '../../ledger/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import { LOST_MAX_MS } from '../sending/lost-requests.ts';
import type { Horizon } from './horizon.ts';

/** Number of our newest orders that a stranger is compared with. */
const RECENT_MAX = 1_024;
/** Trading halts at a twin that comes within this time after another. */
const AGAIN_MS = HOUR_MS;

/** A record that no order of ours has claimed, and on whose word it is known. */
interface Stranger {
  readonly record: OrderRecord;
  readonly evidence: 'push' | 'query';
}

export interface TwinsParts {
  readonly horizon: Horizon;
  /** Called when requests are repeated time and again: nothing more may leave. */
  readonly onHalt: (reason: string) => void;
}

/**
 * Finds orders that the exchange placed a second time because something on the way repeated the
 * request, and makes them ours: they are cancelled, and their fills are booked.
 *
 * An order is a GET, which proxies repeat, and the exchange takes it twice in spite of our id. A
 * lookup by our id shows the newer order, mostly the one that we know. So a twin is recognised by
 * its terms: those of an order of ours that left up to two minutes before, as no copy can be under
 * way longer, while every order of ours with these terms has its id.
 */
export class Twins {
  readonly #options: ExecutorOptions;
  readonly #parts: TwinsParts;
  /** Ring buffer of our newest orders. */
  readonly #recent: PendingOrder[] = [];
  #recentCount = 0;
  readonly #restoredSince = new Map<string, number>();
  /**
   * By exchange id, strangers that may be an order of ours of which more is awaited, or its copy.
   */
  readonly #waiting = new Map<string, Stranger>();
  /**
   * By exchange id, how many of our orders had left when a stranger was first told: it is no copy
   * of a later one.
   */
  readonly #madeBefore = new BoundedMap<string, number>(RECENT_MAX);
  #lastMs = Number.NEGATIVE_INFINITY;
  /** By our id, how far the exchange's time of an order was ahead of our time of creation. */
  readonly #aheadMs = new BoundedMap<string, number>(RECENT_MAX);
  /** The same for the newest of them. */
  #newest = { createdTime: Number.NEGATIVE_INFINITY, aheadMs: 0 };

  constructor(options: ExecutorOptions, parts: TwinsParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Subscribes to the bus events of orders. Must hear pushes before the horizon does. */
  follow(): Subscription {
    const { bus } = this.#options;
    const all = new Subscription();
    all.add(bus.on('order').subscribe(({ order }) => this.#heed(order)));
    all.add(bus.on('orderPush').subscribe(({ order }) => this.#hear(order)));
    return all;
  }

  /** Takes up the newest orders of earlier runs. */
  restore(orders: readonly PendingOrder[]): void {
    for (const order of orders) {
      this.#remember(order);
      const { market, createdTime } = order;
      this.#restoredSince.set(
        market,
        Math.min(this.restoredSince(market) ?? createdTime, createdTime),
      );
    }
  }

  /** When the oldest restored order of the market was created; undefined: there is none. */
  restoredSince(market: string): number | undefined {
    return this.#restoredSince.get(market);
  }

  /** Whether an unclaimed record may be of an order of ours of which more is awaited. */
  mayBeAwaited(record: OrderRecord): boolean {
    const { orders } = this.#options;
    const isAlike = (order: LiveOrder) => this.#isAwaited(order) && isSameOrder(order, record);
    return orders.live(record.market).some(isAlike);
  }

  /** Takes up the records of a read, of our orders and of others. */
  read(records: readonly OrderRecord[]): void {
    for (const record of records) this.#compareClock(record);
    for (const record of records) this.#judge({ record, evidence: 'query' });
  }

  /**
   * Notes how far our date was off, perhaps by minutes, when the order left; an earlier run may
   * have had another date. Returns whether the record is of an order of ours.
   */
  #compareClock(record: OrderRecord): boolean {
    const { exchangeOrderId, exchangeTime } = record;
    const order = this.#options.orders.byExchangeOrderId(exchangeOrderId);
    if (order === undefined || order.strategy === ADOPTED) return false;
    // Its exchange id may be another's, by a mixed-up answer.
    if (!isSameOrder(order, record)) return false;
    const { clientOrderId, createdTime } = order;
    const aheadMs = exchangeTime - createdTime;
    this.#aheadMs.set(clientOrderId, aheadMs);
    if (createdTime >= this.#newest.createdTime) this.#newest = { createdTime, aheadMs };
    return true;
  }

  #remember(order: PendingOrder): void {
    this.#recent[this.#recentCount++ % RECENT_MAX] = order;
  }

  /** An order of ours is about to leave, or changed: an awaited id may now be known. */
  #heed(order: OrderState): void {
    if (order.status === 'pending') this.#remember(order);
    this.#judgeWaiting();
  }

  #judgeWaiting(): void {
    if (this.#waiting.size === 0) return;
    // Strangers that must go on waiting are put back by `#judge`.
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { record } of waiting) this.#compareClock(record);
    for (const stranger of waiting) this.#judge(stranger);
  }

  /** A push tells of an order. Only the first news of a stranger counts. */
  #hear(record: OrderRecord): void {
    const { horizon } = this.#parts;
    if (this.#compareClock(record)) {
      this.#judgeWaiting();
      return;
    }
    const isFirst = !horizon.isAmong(horizon.heardCount, record);
    if (isFirst || this.#waiting.has(record.exchangeOrderId)) {
      this.#judge({ record, evidence: 'push' });
    }
  }

  #judge(stranger: Stranger): void {
    const { orders } = this.#options;
    const { record } = stranger;
    const { exchangeOrderId, closed, filledAmount } = record;
    this.#waiting.delete(exchangeOrderId);
    if (orders.byExchangeOrderId(exchangeOrderId) !== undefined) return;
    if (!this.#madeBefore.has(exchangeOrderId)) {
      this.#madeBefore.set(exchangeOrderId, this.#recentCount);
    }
    if (this.mayBeAwaited(record)) {
      this.#waiting.set(exchangeOrderId, stranger);
      return;
    }
    if (closed && filledAmount === 0) return;
    // The order that it waited for may count as absent by now: then the record is that order
    // itself, late.
    if (orders.reclaim(record, stranger.evidence) !== undefined) return;
    const own = this.#originalOf(record);
    if (own !== undefined && !orders.isForgotten(exchangeOrderId)) this.#take(stranger, own);
  }

  /**
   * Whether an order's id is not known, or not confirmed by a record, which also tells its time by
   * the exchange's clock: answers get mixed up on their way, and the id may be another's.
   */
  #isAwaited({ strategy, clientOrderId, exchangeOrderId }: OrderState): boolean {
    if (exchangeOrderId === undefined) return true;
    return strategy !== ADOPTED && !this.#aheadMs.has(clientOrderId);
  }

  /**
   * The newest order of ours of which the record may be the twin. Orders declared absent have none.
   */
  #originalOf(record: OrderRecord): PendingOrder | undefined {
    let newest: PendingOrder | undefined;
    const end = this.#madeBefore.get(record.exchangeOrderId) ?? this.#recentCount;
    for (let at = Math.max(0, this.#recentCount - RECENT_MAX); at < end; at++) {
      const order = this.#recent[at % RECENT_MAX]!;
      if (!isSameOrder(order, record)) continue;
      const state = this.#options.orders.get(order.clientOrderId);
      if (state !== undefined && isDeclaredAbsent(state)) continue;
      if (!this.#mayBeCopied(order, record.exchangeTime)) continue;
      if (newest === undefined || order.createdTime > newest.createdTime) newest = order;
    }
    return newest;
  }

  /** Whether a copy of the order may have reached the exchange at that time of its clock. */
  #mayBeCopied({ clientOrderId, createdTime }: PendingOrder, exchangeTime: number): boolean {
    const ageMs = exchangeTime - createdTime;
    const aheadMs = this.#aheadMs.get(clientOrderId) ?? 0;
    return [0, aheadMs, this.#newest.aheadMs].some((ahead) => isOfCopy(ageMs - ahead));
  }

  #take({ record, evidence }: Stranger, own: PendingOrder): void {
    const { orders, clock, logger, nextClientOrderId } = this.#options;
    const { market, exchangeOrderId } = record;
    const time = clock.now();
    const clientOrderId = nextClientOrderId();
    logger.error(
      { market, clientOrderId: own.clientOrderId, order: exchangeOrderId },
      PLACED_TWICE,
    );
    orders.restore({
      ...own,
      ...{ clientOrderId, status: 'unknown', reason: PLACED_TWICE, unknownSince: time },
      ...{ changedTime: time, filledAmount: NOTHING, filledValue: Decimal.ZERO },
    });
    orders.apply(clientOrderId, newsOf(record, { time, evidence }));
    if (time - this.#lastMs < AGAIN_MS) this.#parts.onHalt(AGAIN);
    this.#lastMs = time;
  }
}

/** Whether a copy of an order may have reached the exchange so long after the order was created. */
function isOfCopy(ageMs: number): boolean {
  return ageMs >= -CLOCK_SKEW_MS && ageMs <= LOST_MAX_MS;
}

const NOTHING = 0 as OrderState['filledAmount'];

const PLACED_TWICE =
  'the exchange placed an order of ours twice: somebody on the way repeats requests, or trades as we do';
const AGAIN =
  'the exchange placed orders of ours twice, two within an hour: somebody on the way repeats ' +
  'requests, or another bot on this account trades as we do';
