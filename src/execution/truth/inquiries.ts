import {
  isFinal,
  isSameOrder,
  type LiveOrder,
  newsOf,
  type OrderRecord,
  type OrderState,
} from '../../domain/index.ts';
import { CODES, type ExchangeFailure, type OrderReference } from '../../exchange/index.ts';
import { FewMap } from '../../kernel/index.ts';
import { ADOPTED } from '../../ledger/index.ts';
import { isBatched } from '../desk/tags.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from '../ports.ts';
import type { Courier, Delivery } from '../sending/courier.ts';
import { declareAbsent, Search, searchMs } from './absence.ts';
import type { Scans } from './scans.ts';

/** One order that is looked up until the exchange has told what is wanted. */
interface Inquiry {
  readonly clientOrderId: string;
  /** When the lookup was last requested by the executor. */
  sinceMs: number;
  dueMs: number;
  asking: boolean;
  search: Search;
  /** The exchange id that it is searched by; undefined: by our id. */
  exchangeOrderId: string | undefined;
  /** The id of ours to use in the next lookup instead; undefined: no change. */
  byClientOrderId: string | undefined;
  /** Our ids of other orders that it was looked up by since the last lookup by its own. */
  readonly tried: Set<string>;
  /** The news that makes the lookup needless if it comes from elsewhere. */
  until: Until | undefined;
}

/**
 * `final`: the order's end; `proven`: proof that an order is gone whose cancel was acknowledged.
 */
export type Until = 'final' | 'proven';

export interface InquiriesParts {
  readonly courier: Courier;
  readonly scans: Scans;
  /** Whether lookups of that order must wait, as its market will be read as a whole. */
  readonly isBlocked: (order: OrderState) => boolean;
  /** Called when an order counts as absent from now on, whatever it was before. */
  readonly onAbsent: (order: LiveOrder) => void;
}

/**
 * Looks up single orders: those in state `unknown`, cancels without a clear answer, contradictory
 * ends.
 *
 * An order is looked up until the exchange has told something definite. That it does not exist
 * counts only after several lookups, once its request can't be under way any more: see `Search`.
 */
export class Inquiries implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #parts: InquiriesParts;
  readonly #inquiries = new FewMap<string, Inquiry>();
  /**
   * The lookup for proof that is under way: one at a time, as they would keep all others waiting.
   */
  #proving: Inquiry | undefined;

  constructor(options: ExecutorOptions, parts: InquiriesParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /**
   * Looks up the order from `dueMs` on, or earlier if that was asked before. `until`: no longer,
   * once that is told, see `end`.
   */
  ask(clientOrderId: string, dueMs: number, { until }: { readonly until?: Until } = {}): void {
    const sinceMs = this.#options.clock.now();
    const known = this.#inquiries.get(clientOrderId);
    const order = this.#options.orders.get(clientOrderId);
    if (known !== undefined) {
      // An id that a person told may be wrong: then each read of the market misses its order.
      if (order?.evidence !== 'person') known.dueMs = Math.min(known.dueMs, dueMs);
      known.sinceMs = sinceMs;
      if (known.until !== until) known.until = undefined;
      return;
    }
    if (order === undefined) return;
    this.#guard(order);
    if (isBatched(order) && order.exchangeOrderId === undefined) {
      this.#parts.scans.ask(order, dueMs);
      return;
    }
    this.#inquiries.set(clientOrderId, {
      clientOrderId,
      sinceMs,
      dueMs,
      asking: false,
      search: new Search(this.#options),
      exchangeOrderId: order.exchangeOrderId,
      byClientOrderId: undefined,
      tried: new Set(),
      until,
    });
  }

  /**
   * Guards an order whose request may be under way: whatever becomes of its wish, the timed cancel
   * must be armed should it come to rest.
   */
  #guard(order: OrderState): void {
    if (isFinal(order) || order.exchangeOrderId !== undefined) return;
    const { heartbeat, config } = this.#options;
    heartbeat.awaits(order.market, searchMs(order, config));
  }

  asksAbout(clientOrderId: string): boolean {
    return this.#inquiries.has(clientOrderId);
  }

  /** Ends a lookup that only waited for this news. */
  end(clientOrderId: string, told: Until): void {
    const inquiry = this.#inquiries.get(clientOrderId);
    if (inquiry?.until === told && !inquiry.asking) this.#inquiries.delete(clientOrderId);
  }

  /**
   * A read of the market, as of that time, told of the order and was taken up: ends the lookup that
   * it answers. A read that may predate the cause of the question answers none.
   */
  told(order: OrderState, asOfMs: number): void {
    const inquiry = this.#inquiries.get(order.clientOrderId);
    if (inquiry === undefined || inquiry.asking) return;
    if (asOfMs <= inquiry.sinceMs) return;
    if (this.#isAnswered(order, { inquiry, asOfMs })) this.#inquiries.delete(order.clientOrderId);
  }

  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    if (this.#inquiries.size === 0) return nextMs;
    for (const inquiry of this.#inquiries.values()) {
      if (this.#canAsk(inquiry)) nextMs = Math.min(nextMs, inquiry.dueMs);
    }
    return nextMs;
  }

  sendDue(turn: QuestionTurn): boolean {
    const inquiry = this.#nextDue();
    if (inquiry === undefined) return false;
    this.#send(inquiry, turn);
    return true;
  }

  /** The first lookup that is due. Lookups for proof come last, however long they have waited. */
  #nextDue(): Inquiry | undefined {
    const nowMs = this.#options.clock.now();
    let next: Inquiry | undefined;
    for (const inquiry of this.#inquiries.values()) {
      if (inquiry.dueMs > nowMs || !this.#canAsk(inquiry)) continue;
      if (inquiry.until !== 'proven') return inquiry;
      next ??= inquiry;
    }
    return next;
  }

  #canAsk({ asking, clientOrderId, until }: Inquiry): boolean {
    if (asking || (until === 'proven' && this.#proving !== undefined)) return false;
    const order = this.#options.orders.get(clientOrderId);
    return order === undefined || !this.#parts.isBlocked(order);
  }

  #send(inquiry: Inquiry, turn: QuestionTurn): void {
    const { orders, exchange } = this.#options;
    const order = orders.get(inquiry.clientOrderId);
    if (order === undefined || order.status === 'rejected') {
      this.#inquiries.delete(inquiry.clientOrderId);
      return;
    }
    inquiry.asking = true;
    if (inquiry.until === 'proven') this.#proving = inquiry;
    this.#searchOf(inquiry, order).leaves();
    const reference = referenceOf(order, inquiry);
    this.#parts.courier.send({
      operation: 'queryOrder',
      market: order.market,
      ...turn,
      call: () => exchange.trading.order(reference),
      answered: (record, delivery) => this.#told(inquiry, { record, delivery }),
      failed: (failure, delivery) => this.#failed(inquiry, { failure, delivery }),
    });
  }

  #told(inquiry: Inquiry, { record, delivery }: { record: OrderRecord; delivery: Delivery }): void {
    const { orders, clock } = this.#options;
    const { clientOrderId } = inquiry;
    const { asOfMs } = delivery;
    // If its lookup has ended, was replaced or repeated, the answer counts as any other read.
    const isPast =
      this.#inquiries.get(clientOrderId) !== inquiry || (delivery.late && inquiry.asking);
    if (!isPast) this.#ended(inquiry);
    if (orders.get(clientOrderId) === undefined) {
      if (!isPast) this.#inquiries.delete(clientOrderId);
      return;
    }
    this.#dropWrongId(inquiry, record);
    const news = newsOf(record, { time: clock.now(), evidence: 'query', asOfTime: asOfMs });
    const order = orders.apply(clientOrderId, news);
    if (isPast) {
      this.told(order, asOfMs);
      return;
    }
    // Not before: reactions to the news would ask the same question again.
    inquiry.asking = false;
    // That the order rested before its end in our books does not tell whether it does since.
    const isBefore = order.status === 'cancelled' && !record.closed && asOfMs <= inquiry.sinceMs;
    if (!isBefore && this.#isAnswered(order, { inquiry, asOfMs })) {
      this.#inquiries.delete(clientOrderId);
      return;
    }
    this.#followSwap(inquiry, { order, record });
    // The record is another order's: its terms differ.
    if (!isFinal(order) && order.evidence === 'person') this.#missed(order, inquiry);
    this.#again(inquiry);
  }

  /**
   * If the record has the id that another order of ours with the same terms was answered, answers
   * were swapped, and this order takes the record that the other's id of ours finds. If that leads
   * back to an order already tried, a lookup was answered wrong, and the next one uses its own id.
   */
  #followSwap(
    inquiry: Inquiry,
    { order, record }: { readonly order: OrderState; readonly record: OrderRecord },
  ): void {
    if (order.exchangeOrderId !== undefined) return;
    const { tried } = inquiry;
    const owner = this.#options.orders.byExchangeOrderId(record.exchangeOrderId);
    const isSwapped = owner !== undefined && isSameOrder(owner, order) && bearsOurId(owner);
    inquiry.byClientOrderId = undefined;
    if (!isSwapped || tried.has(owner.clientOrderId)) {
      tried.clear();
      return;
    }
    inquiry.byClientOrderId = owner.clientOrderId;
    tried.add(owner.clientOrderId);
  }

  /**
   * Drops the exchange id that an order was answered, if that finds nothing and our id finds
   * another one.
   */
  #dropWrongId(inquiry: Inquiry, { exchangeOrderId }: OrderRecord): void {
    const { orders, clock } = this.#options;
    const { clientOrderId, byClientOrderId } = inquiry;
    if (byClientOrderId !== clientOrderId) return;
    inquiry.byClientOrderId = undefined;
    const order = orders.get(clientOrderId);
    if (order === undefined || isFinal(order) || !mayBeMisnamed(order)) return;
    if (order.exchangeOrderId === exchangeOrderId) return;
    const reason = `${order.exchangeOrderId}, the id that it was answered, does not exist`;
    const told = { time: clock.now(), evidence: 'query' } as const;
    orders.apply(clientOrderId, { kind: 'lost', reason, isMisnamed: true, ...told });
  }

  /**
   * Whether the order's state answers the lookup. A record may predate a cancel: only one read well
   * after it proves that the order rests.
   */
  #isAnswered(
    order: OrderState,
    { inquiry, asOfMs }: { inquiry: Inquiry; asOfMs: number },
  ): boolean {
    const { orders, clock } = this.#options;
    if (isFinal(order)) return true;
    if (order.status === 'cancelling') {
      if (asOfMs < inquiry.sinceMs) return false;
      const news = { time: clock.now(), evidence: 'query' } as const;
      orders.apply(order.clientOrderId, { kind: 'cancelRefused', ...news });
      return true;
    }
    return order.status === 'open' && order.type !== 'ioc';
  }

  #failed(
    inquiry: Inquiry,
    { failure, delivery }: { failure: ExchangeFailure; delivery: Delivery },
  ): void {
    if (delivery.late) return;
    this.#ended(inquiry);
    inquiry.asking = false;
    if (failure.code !== CODES.orderNotFound) {
      inquiry.search.failed();
      this.#again(inquiry);
      return;
    }
    this.#notFound(inquiry);
  }

  /** Its lookup has ended: the next one for proof may leave. */
  #ended(inquiry: Inquiry): void {
    if (this.#proving === inquiry) this.#proving = undefined;
  }

  #notFound(inquiry: Inquiry): void {
    const { orders, logger } = this.#options;
    const order = orders.get(inquiry.clientOrderId);
    if (order === undefined || isFinal(order)) {
      this.#inquiries.delete(inquiry.clientOrderId);
      return;
    }
    this.#missed(order, inquiry);
    if (!inquiry.search.proves(order)) {
      this.#again(inquiry);
      return;
    }
    if (mayBeMisnamed(order) && inquiry.byClientOrderId === undefined) {
      inquiry.byClientOrderId = inquiry.clientOrderId;
      inquiry.dueMs = this.#options.clock.now();
      return;
    }
    this.#inquiries.delete(inquiry.clientOrderId);
    const { market, side, amount, price } = order;
    logger.warn(
      { clientOrderId: order.clientOrderId },
      `the exchange does not know this order: ${side} ${amount} at ${price} in ${market}`,
    );
    this.#parts.onAbsent(order);
    declareAbsent(order, this.#options);
  }

  /**
   * The search for an order. Lookups from before its exchange id was told prove nothing: the
   * exchange has the order, and reads may lag.
   */
  #searchOf(inquiry: Inquiry, { exchangeOrderId }: OrderState): Search {
    if (inquiry.exchangeOrderId !== exchangeOrderId) {
      inquiry.exchangeOrderId = exchangeOrderId;
      inquiry.search = new Search(this.#options);
    }
    return inquiry.search;
  }

  #missed(order: LiveOrder, inquiry: Inquiry): void {
    const search = this.#searchOf(inquiry, order);
    search.missed();
    if (!search.isInVain(order)) return;
    const { clientOrderId } = order;
    const what = `${clientOrderId} was settled to be ${order.exchangeOrderId}`;
    const wanted = 'its outcome stays unknown until it is settled anew (`orders settle`)';
    this.#options.logger.warn(
      { clientOrderId },
      `${what}, an order that the exchange does not know or has with other terms: ${wanted}`,
    );
  }

  #again(inquiry: Inquiry): void {
    const { clock, orders } = this.#options;
    inquiry.dueMs = clock.now() + inquiry.search.pauseMs(orders.get(inquiry.clientOrderId));
  }
}

/** The exchange id if known: an id of ours names only the newest order that has it. */
function referenceOf(order: OrderState, { byClientOrderId }: Inquiry): OrderReference {
  const { market, exchangeOrderId } = order;
  const clientOrderId = byClientOrderId ?? order.clientOrderId;
  const isByOurs = exchangeOrderId === undefined || byClientOrderId === order.clientOrderId;
  return isByOurs ? { market, clientOrderId } : { market, exchangeOrderId };
}

/**
 * Whether the exchange id that the order was answered may be wrong: not once fills were told under
 * it.
 */
function mayBeMisnamed(order: LiveOrder): boolean {
  return order.exchangeOrderId !== undefined && order.filledAmount === 0 && bearsOurId(order);
}

/** Whether the exchange has the order under an id of ours. */
function bearsOurId(order: OrderState): boolean {
  return order.strategy !== ADOPTED && !isBatched(order);
}
