import {
  isSameOrder,
  type OrderNews,
  type PendingOrder,
  type Refusal,
  tagOfOrder,
} from '../../domain/index.ts';
import {
  BATCH_ORDERS_MAX,
  type BatchAnswer,
  CODES,
  type ExchangeFailure,
} from '../../exchange/index.ts';
import { counted, Decimal } from '../../kernel/index.ts';
import { isRefusal, type OrderDraft } from '../../risk/index.ts';
import type { Desk } from '../desk/desk.ts';
import type { Lack } from '../desk/refusals.ts';
import type { Slot } from '../desk/slot.ts';
import { batchTag } from '../desk/tags.ts';
import type { ExecutorOptions } from '../ports.ts';
import { assign } from '../truth/assignment.ts';
import type { Horizon } from '../truth/horizon.ts';
import type { Scans } from '../truth/scans.ts';
import type { Courier } from './courier.ts';

/** An order that has passed risk and is in the ledger. */
interface Ready {
  readonly order: PendingOrder;
  /** Since when it has waited for the rate budget. */
  readonly waitingSinceMs: number | undefined;
}

/** Whether an order shrinks a position (`reduce`) or not (`open`). */
export type PlacePriority = 'reduce' | 'open';

export interface PlacerParts {
  readonly courier: Courier;
  readonly horizon: Horizon;
  readonly scans: Scans;
}

/** Takes orders through risk, into the ledger and to the exchange, and handles the answers. */
export class Placer {
  readonly #options: ExecutorOptions;
  readonly #parts: PlacerParts;

  constructor(options: ExecutorOptions, parts: PlacerParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Sends the slot's order. All of this happens before it returns, the request included. */
  place(desk: Desk, { slot, priority }: { slot: Slot; priority: PlacePriority }): void {
    const ready = this.#prepare(desk, { slot, tag: slot.tag });
    if (ready !== undefined) this.#send(ready, priority);
  }

  /**
   * Sends plain limit orders of one side as one request, those that risk passes and are still
   * wished.
   */
  placeBatch(
    desk: Desk,
    { slots, priority }: { slots: readonly Slot[]; priority: PlacePriority },
  ): void {
    const { time } = this.#parts.horizon;
    const ready: Ready[] = [];
    for (const slot of slots.slice(0, BATCH_ORDERS_MAX)) {
      // The effects of one order leaving may replace the wish to which the next one belongs.
      if (!desk.isPlanned) break;
      const order = this.#prepare(desk, { slot, tag: batchTag(slot.tag, time) });
      if (order !== undefined) ready.push(order);
    }
    const [first] = ready;
    if (first === undefined) return;
    this.#sendBatch(ready, { priority, waitingSinceMs: first.waitingSinceMs });
  }

  /**
   * Publishes a refusal, unless the same one of a retried wish was published before. A single order
   * is a single attempt: its strategy must hear of each refusal.
   */
  refuse(desk: Desk, { slot, refusal }: { slot: Slot; refusal: Refusal }): void {
    const { bus, clock, gate, onRepeated } = this.#options;
    const time = clock.now();
    const untilMs = refusal.code === 'orderRate' ? gate.paceOpensMs(desk.strategy) : undefined;
    const isCrossed = refusal.code === 'selfCross';
    const lacks = LACKS.get(refusal.code);
    const isFirst = desk.refused(slot, { untilMs, isCrossed, lacks });
    const { strategy, market } = desk;
    const { id } = market;
    const told = tagOfOrder(slot.tag);
    const isNews = desk.refusals.isNews(refusal, time);
    if (isNews || told.tag !== undefined) {
      bus.publish({ kind: 'refusal', time, market: id, strategy, ...told, refusal });
    } else if (isFirst) onRepeated?.(refusal.code, { strategy, market: id });
  }

  #prepare(desk: Desk, { slot, tag }: { slot: Slot; tag: string }): Ready | undefined {
    const { gate, orders, nextClientOrderId, clock } = this.#options;
    const draft: OrderDraft = {
      market: desk.market.id,
      side: slot.side,
      type: slot.type,
      price: slot.price,
      amount: slot.amount,
      strategy: desk.strategy,
      tag,
      clientOrderId: nextClientOrderId(),
    };
    const answer = gate.order(draft);
    if (isRefusal(answer)) {
      this.refuse(desk, { slot, refusal: answer });
      return undefined;
    }
    const time = clock.now();
    const { value } = answer;
    // Key by key: spreading a copy takes several times as long and twice the memory.
    const order: PendingOrder = {
      market: value.market,
      side: value.side,
      type: value.type,
      price: value.price,
      amount: value.amount,
      strategy: value.strategy,
      tag: value.tag,
      clientOrderId: value.clientOrderId,
      status: 'pending',
      createdTime: time,
      changedTime: time,
      evidence: 'request',
      filledAmount: NOTHING,
      filledValue: Decimal.ZERO,
    };
    const { waitingSinceMs } = slot;
    desk.placed(slot, order.clientOrderId, { isPart: order.amount < slot.amount });
    orders.create(order);
    return { order, waitingSinceMs };
  }

  #send({ order, waitingSinceMs }: Ready, priority: PlacePriority): void {
    const { exchange } = this.#options;
    const { market, side, type, price, amount, clientOrderId } = order;
    this.#parts.courier.send({
      operation: 'place',
      market,
      priority,
      waitingSinceMs,
      durable: true,
      // For an IOC order the bus event gives work in any case.
      isHeard: type === 'ioc',
      // Always the spot account, without borrowing: the balances that risk looks at are spot's.
      call: () => exchange.trading.place({ market, side, type, price, amount, clientOrderId }),
      answered: ({ exchangeOrderId }) => this.#accepted(order, exchangeOrderId),
      failed: (failure) => this.#failed(order, failure),
    });
  }

  #sendBatch(
    ready: readonly Ready[],
    { priority, waitingSinceMs }: { priority: PlacePriority; waitingSinceMs: number | undefined },
  ): void {
    const { exchange } = this.#options;
    const orders = ready.map(({ order }) => order);
    const { market, side } = orders[0]!;
    const terms = orders.map(({ price, amount }) => ({ price, amount }));
    this.#parts.scans.leave(orders);
    this.#parts.courier.send({
      operation: 'placeBatch',
      market,
      priority,
      waitingSinceMs,
      durable: true,
      call: () => exchange.trading.placeBatch({ market, side, orders: terms }),
      answered: (answer) => this.#answeredBatch(orders, answer),
      failed: (failure) => {
        for (const order of orders) this.#failed(order, failure);
      },
    });
  }

  /**
   * The answer to a batch. Fewer ids than orders do not tell which orders they are of: a read does.
   */
  #answeredBatch(orders: readonly PendingOrder[], { exchangeOrderIds, remark }: BatchAnswer): void {
    if (exchangeOrderIds.length === orders.length) {
      const ids = this.#inOrder(exchangeOrderIds, orders);
      orders.forEach((order, index) => {
        this.#accepted(order, ids[index]!);
      });
      this.#keepIds();
      return;
    }
    const counts = `the exchange took ${exchangeOrderIds.length} of a batch of ${counted(orders.length, 'order')}`;
    const reason = remark === undefined ? counts : `${counts}: ${remark}`;
    this.#parts.scans.tookPart(orders, { exchangeOrderIds, reason });
    for (const order of orders) this.#tell(order, { kind: 'lost', reason, ...this.#answer() });
  }

  /**
   * An order of a batch cannot be found by an id of ours: its exchange id must be on disk at once,
   * in case the process is killed next.
   */
  #keepIds(): void {
    try {
      this.#options.journal.commit();
    } catch {
      // The engine was told by then, and no other order leaves.
    }
  }

  /**
   * The ids matched to the orders by what pushes have told of them; where that is not enough, as
   * they stand.
   */
  #inOrder(ids: readonly string[], orders: readonly PendingOrder[]): readonly string[] {
    const mayBear = (order: PendingOrder, id: string): boolean => {
      const told = this.#options.orders.foreign.aside(order.market, id);
      return told === undefined || isSameOrder(order, told);
    };
    if (orders.every((order, at) => mayBear(order, ids[at]!))) return ids;
    const idOf = assign(orders, (order) => ids.filter((id) => mayBear(order, id)));
    return idOf.size < orders.length ? ids : orders.map((order) => idOf.get(order)!);
  }

  #accepted(order: PendingOrder, exchangeOrderId: string): void {
    const time = this.#options.clock.now();
    this.#tell(order, { kind: 'accepted', exchangeOrderId, time, evidence: 'answer' });
  }

  /**
   * The request failed. If the answer does not tell what became of the order, it must be looked up.
   */
  #failed(order: PendingOrder, { kind, code, message: reason }: ExchangeFailure): void {
    if (kind === 'unknown' || (code !== undefined && UNCLEAR.has(code))) {
      this.#tell(order, { kind: 'lost', reason, ...this.#answer() });
      return;
    }
    const codeOf = code === undefined ? (kind === 'limited' ? LIMITED : {}) : { code };
    this.#tell(order, { kind: 'rejected', reason, ...codeOf, ...this.#answer() });
  }

  #tell({ clientOrderId }: PendingOrder, news: OrderNews): void {
    const { orders } = this.#options;
    if (orders.get(clientOrderId) !== undefined) orders.apply(clientOrderId, news);
  }

  #answer() {
    return { time: this.#options.clock.now(), evidence: 'answer' as const };
  }
}

/**
 * Codes that do not tell the order's fate. A duplicate id: the exchange already has this very
 * order, as something on the way repeated the request. Order not found: an answer meant for a
 * lookup, cancel or list, mixed up on its way. Source: contract, note 1; wire facts, table of
 * codes.
 */
const UNCLEAR: ReadonlySet<number> = new Set([CODES.duplicateClientOrderId, CODES.orderNotFound]);
/**
 * By code of refusal, what an exit lacks that is too large beside the resting orders of its side.
 */
const LACKS: ReadonlyMap<string, Lack> = new Map([
  ['position', 'room'],
  ['balance', 'coins'],
]);
const NOTHING = 0 as PendingOrder['filledAmount'];
const LIMITED = { code: CODES.tooFrequent };
