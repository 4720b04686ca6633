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

/** One order about which the exchange is asked until it has said what is wanted. */
interface Inquiry {
  readonly clientOrderId: string;
  /** When it was last asked for. */
  sinceMs: number;
  dueMs: number;
  asking: boolean;
  search: Search;
  /** By which id at the exchange it is searched for; undefined: by ours. */
  exchangeOrderId: string | undefined;
  /** By which id of ours it is looked up all the same; undefined: by none. */
  byClientOrderId: string | undefined;
  /** The ids of others that it was looked up by since it was by its own. */
  readonly tried: Set<string>;
  /** What makes it needless when it is told otherwise. */
  until: Until | undefined;
}

/** The order's end, or that it is gone where the exchange has said so in its answer to a cancel. */
export type Until = 'final' | 'proven';

export interface InquiriesParts {
  readonly courier: Courier;
  readonly scans: Scans;
  /** Whether lookups of that order have to wait: its market will be read as a whole. */
  readonly isBlocked: (order: OrderState) => boolean;
  /** An order counts as absent from now on, whatever it was before. */
  readonly onAbsent: (order: LiveOrder) => void;
}

/**
 * Asks the exchange about single orders: those in state `unknown`, cancels without a clear answer,
 * ends that don't add up.
 *
 * An order is looked up until the exchange has said something definite. That it does not exist
 * counts only after several lookups, when its request can't be under way any more: see `Search`.
 */
export class Inquiries implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #parts: InquiriesParts;
  readonly #inquiries = new FewMap<string, Inquiry>();
  /** Whose lookup for proof is under way: one is at a time, or they would keep all else waiting. */
  #proving: Inquiry | undefined;

  constructor(options: ExecutorOptions, parts: InquiriesParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /**
   * Asks about the order from `dueMs` on, or earlier if that was wanted before. `until`: not any more
   * once that is told, see `end`.
   */
  ask(clientOrderId: string, dueMs: number, { until }: { readonly until?: Until } = {}): void {
    const sinceMs = this.#options.clock.now();
    const known = this.#inquiries.get(clientOrderId);
    const order = this.#options.orders.get(clientOrderId);
    if (known !== undefined) {
      // An id that a person told may be wrong: each reading of the market misses its order then.
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

  /** Whatever becomes of its wish, an order whose request may be under way must not rest unguarded. */
  #guard(order: OrderState): void {
    if (isFinal(order) || order.exchangeOrderId !== undefined) return;
    const { heartbeat, config } = this.#options;
    heartbeat.awaits(order.market, searchMs(order, config));
  }

  asksAbout(clientOrderId: string): boolean {
    return this.#inquiries.has(clientOrderId);
  }

  /** That is told: whoever waited for that alone needs no answer. */
  end(clientOrderId: string, told: Until): void {
    const inquiry = this.#inquiries.get(clientOrderId);
    if (inquiry?.until === told && !inquiry.asking) this.#inquiries.delete(clientOrderId);
  }

  /**
   * A reading of its market, as of that time, told of the order, and it was taken up: what that
   * answers is asked no more. One that may not show yet what gave rise to the question answers none.
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

  /** Of those that are due the first; what should be gone comes last, however long it has waited. */
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
    // Its question may be over and another be open, or be asked anew: it is a reading among others.
    const isPast =
      this.#inquiries.get(clientOrderId) !== inquiry || (delivery.late && inquiry.asking);
    if (!isPast) this.#ended(inquiry);
    if (orders.get(clientOrderId) === undefined) {
      if (!isPast) this.#inquiries.delete(clientOrderId);
      return;
    }
    this.#rename(inquiry, record);
    const news = newsOf(record, { time: clock.now(), evidence: 'query', asOfTime: asOfMs });
    const order = orders.apply(clientOrderId, news);
    if (isPast) {
      this.told(order, asOfMs);
      return;
    }
    // Only now: what the news sets off would ask the same question again.
    inquiry.asking = false;
    // That it rested before it ended by our books tells nothing of whether it does since.
    const isBefore = order.status === 'cancelled' && !record.closed && asOfMs <= inquiry.sinceMs;
    if (!isBefore && this.#isAnswered(order, { inquiry, asOfMs })) {
      this.#inquiries.delete(clientOrderId);
      return;
    }
    this.#exchange(inquiry, { order, record });
    // What was told is another order's: it has other terms.
    if (!isFinal(order) && order.evidence === 'person') this.#missed(order, inquiry);
    this.#again(inquiry);
  }

  /**
   * Another order of the same terms was answered its id: then it gets what that one's finds. Where
   * that leads back, a lookup was answered wrong, and the next is by its own id.
   */
  #exchange(
    inquiry: Inquiry,
    { order, record }: { readonly order: OrderState; readonly record: OrderRecord },
  ): void {
    if (order.exchangeOrderId !== undefined) return;
    const { tried } = inquiry;
    const owner = this.#options.orders.byExchangeOrderId(record.exchangeOrderId);
    const isExchanged = owner !== undefined && isSameOrder(owner, order) && bearsOurId(owner);
    inquiry.byClientOrderId = undefined;
    if (!isExchanged || tried.has(owner.clientOrderId)) {
      tried.clear();
      return;
    }
    inquiry.byClientOrderId = owner.clientOrderId;
    tried.add(owner.clientOrderId);
  }

  /** Its own id finds another order than the exchange's id that it was answered, which finds none. */
  #rename(inquiry: Inquiry, { exchangeOrderId }: OrderRecord): void {
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

  /** A record may be older than a cancel: only one read well after it proves that the order rests. */
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

  /** Its lookup is over: the next for proof may leave. */
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

  /** Lookups of before its id was told prove nothing: the exchange has the order, reads may lag. */
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
    const wanted = 'it stays unknown until `orders settle` says otherwise';
    this.#options.logger.warn(
      { clientOrderId },
      `${what}, which the exchange does not know or has with other terms: ${wanted}`,
    );
  }

  #again(inquiry: Inquiry): void {
    const { clock, orders } = this.#options;
    inquiry.dueMs = clock.now() + inquiry.search.pauseMs(orders.get(inquiry.clientOrderId));
  }
}

/** The exchange's own id where it is known: an id of ours names the newest order that bears it. */
function referenceOf(order: OrderState, { byClientOrderId }: Inquiry): OrderReference {
  const { market, exchangeOrderId } = order;
  const clientOrderId = byClientOrderId ?? order.clientOrderId;
  const isByOurs = exchangeOrderId === undefined || byClientOrderId === order.clientOrderId;
  return isByOurs ? { market, clientOrderId } : { market, exchangeOrderId };
}

/** Whether the id that the order was answered may be nobody's: what has traded was told of that id. */
function mayBeMisnamed(order: LiveOrder): boolean {
  return order.exchangeOrderId !== undefined && order.filledAmount === 0 && bearsOurId(order);
}

/** Whether the exchange has the order by an id of ours. */
function bearsOurId(order: OrderState): boolean {
  return order.strategy !== ADOPTED && !isBatched(order);
}
