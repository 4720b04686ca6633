import { filter, type Observable } from 'rxjs';
import {
  applyNews,
  type Booking,
  type Evidence,
  type Fill,
  isDeclaredAbsent,
  isFill,
  isFinal,
  isSameOrder,
  type LiveOrder,
  type Market,
  newsOf,
  type OpenOrder,
  type OrderNews,
  type OrderRecord,
  type OrderState,
  type PendingOrder,
  type TradingEvent,
} from '../domain/index.ts';
import { type Bus, type Clock, type Logger, seldomWarning, silentLogger } from '../kernel/index.ts';
import { AbsentOrders } from './absent.ts';
import { OrderAnnouncer } from './announcer.ts';
import { LedgerError } from './errors.ts';
import { bearerOf, IDS_EXCHANGED, misnamed } from './exchanged-ids.ts';
import { type FeeRates, isFeeInDoubt } from './fees.ts';
import { ForeignOrders } from './foreign-orders.ts';
import { KnownOrders } from './known-orders.ts';
import { Testimony } from './testimony.ts';
import { NOTHING_TOLD, type ToldRecord } from './unclaimed.ts';

export interface OrderLedgerOptions {
  readonly clock: Clock;
  readonly bus: Bus<TradingEvent>;
  readonly markets: ReadonlyMap<string, Market>;
  readonly feeRates: FeeRates;
  /**
   * How many final orders are remembered to absorb late news. Up to four times as many more are
   * kept if their fee is in doubt. Default: 4096.
   */
  readonly finalOrdersMax?: number | undefined;
  /** How many forgotten orders are still recognised by their exchange id. Default: 65,536. */
  readonly forgottenIdsMax?: number | undefined;
  /** Logs surprising news from the exchange. Default: nothing is logged. */
  readonly logger?: Logger;
}

/** Strategy name of adopted orders, which were found on the exchange. */
export const ADOPTED = 'adopted';

const NO_STATES: readonly OrderState[] = [];

/**
 * The account's orders that are ours. All news of orders is folded in here.
 *
 * A change is complete, fills included, before any event of it is published, so that whoever reacts
 * to an event finds the ledger up to date.
 */
export class OrderLedger extends KnownOrders {
  readonly #clock: Clock;
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #feeRates: FeeRates;
  readonly #logger: Logger;
  /** Warns of swapped ids. Rate-limited, since every batch may swap them. */
  readonly #idLogger: Logger;
  readonly #announcer: OrderAnnouncer;
  readonly #testimony: Testimony;
  readonly #absent: AbsentOrders;
  readonly #foreign = new ForeignOrders();
  #revision = 0;

  /** Known orders that are not ours; some may yet turn out to be. */
  readonly foreign: Pick<ForeignOrders, 'of' | 'aside' | 'allAside' | 'overMs'> = this.#foreign;
  /**
   * Every fill and late fee, at the moment it is learnt, ahead of the bus: for the position ledger.
   */
  readonly bookings: Observable<Booking>;
  /** The fills among them. */
  readonly fills: Observable<Fill>;

  constructor(options: OrderLedgerOptions) {
    super({
      capacity: options.finalOrdersMax ?? 4_096,
      isAwaited: (order) => isFeeInDoubt(order, options.feeRates),
    });
    this.#clock = options.clock;
    this.#announcer = new OrderAnnouncer(options);
    this.bookings = this.#announcer.bookings;
    this.fills = this.bookings.pipe(filter(isFill));
    this.#markets = options.markets;
    this.#feeRates = options.feeRates;
    this.#logger = options.logger ?? silentLogger;
    this.#idLogger = seldomWarning(this.#logger, this.#clock);
    this.#testimony = new Testimony({ ...options, logger: this.#logger });
    this.#absent = new AbsentOrders(options.forgottenIdsMax);
  }

  /**
   * Takes up an order whose request is about to leave, and publishes it.
   *
   * @throws {LedgerError} when the id was used before or the market is not known.
   */
  create(order: PendingOrder): void {
    this.#assertNew(order);
    this.#keep(order);
    this.#announcer.publish(order);
  }

  /**
   * Folds news into an order and returns its state. Publishes, once each, the order if it changed,
   * a fill if the filled amount grew, and a late fee if fills were booked with another fee. A
   * record that cannot belong to the order is logged, and its id is taken from the order: see
   * `misnamed`. News with an exchange id that another order of ours has is logged too; a pending
   * order then becomes unknown.
   *
   * @throws {LedgerError} when there is no such order.
   */
  apply(clientOrderId: string, news: OrderNews): OrderState {
    const order = this.get(clientOrderId);
    if (order === undefined) {
      throw new LedgerError(`Cannot apply news: no order is ${clientOrderId}, one of ours wanted`);
    }
    const changed = this.#apply(order, news);
    return changed.clientOrderId === clientOrderId ? changed : (this.get(clientOrderId) ?? order);
  }

  /**
   * Folds a record of the exchange into the order with its exchange id.
   *
   * A record of no known order is kept aside while some order of its market awaits its id (a push
   * may come before the answer), and is applied when that id is learnt. Otherwise it belongs to an
   * order presumed absent, or is foreign. Returns undefined when it found no order. `asOfTime`: see
   * `OrderNews`.
   */
  record(
    record: OrderRecord,
    evidence: Evidence,
    { asOfTime }: { readonly asOfTime?: number } = {},
  ): OrderState | undefined {
    const known = this.byExchangeOrderId(record.exchangeOrderId);
    const time = this.#clock.now();
    const order = known && this.#apply(known, newsOf(record, { time, evidence, asOfTime }));
    if (order?.exchangeOrderId === record.exchangeOrderId) return order;
    this.#revision++;
    const isAwaited = this.hasUnidentified(record.market);
    const told = { record: this.#testimony.record(record), evidence };
    this.#foreign.take(told, { isAwaited, time });
    return isAwaited ? undefined : this.#reclaim(record, evidence);
  }

  /**
   * Takes up a record with the id of no known order, from a read or kept aside during a search. The
   * newest order of the same terms that was presumed absent is found again by it: its request was
   * late, and it lives. Returns undefined when there is none, or when a live order of the same
   * terms has no exchange id yet: the record may be of that one. The foreign copy of the record is
   * updated.
   */
  reclaim(record: OrderRecord, evidence: Evidence): OrderState | undefined {
    this.#foreign.hear(this.#testimony.record(record));
    return this.#reclaim(record, evidence);
  }

  #reclaim(record: OrderRecord, evidence: Evidence): OrderState | undefined {
    const absent = this.#absent.match(record);
    if (absent === undefined || this.byExchangeOrderId(record.exchangeOrderId)) return undefined;
    const isAwaited = (order: LiveOrder) =>
      order.exchangeOrderId === undefined && isSameOrder(order, record);
    if (this.live(record.market).some(isAwaited)) return undefined;
    return this.apply(absent.clientOrderId, this.#news(record, evidence));
  }

  /**
   * Grows with every change of an order, ours or foreign: cached sums of an older revision are
   * invalid.
   */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Whether the fee booked for the order is a guess that may be wrong though the rates are right:
   * the exchange has to be asked.
   */
  isFeeInDoubt(order: OrderState): boolean {
    return isFeeInDoubt(order, this.#feeRates);
  }

  /**
   * Adopts an open order found on the exchange, and publishes it. Its earlier fills are not
   * published: they are not of this run.
   *
   * @throws {LedgerError} when the record is closed or already of an order of ours.
   */
  adopt(record: OrderRecord, clientOrderId: string): OpenOrder {
    const { exchangeOrderId } = record;
    if (record.closed || this.byExchangeOrderId(exchangeOrderId) !== undefined) {
      const what = record.closed ? 'closed' : 'already ours';
      throw new LedgerError(
        `Cannot adopt order ${exchangeOrderId}: it is ${what}, want an open one`,
      );
    }
    const { market, side, type, price, amount, filledAmount, filledValue, fee } =
      this.#testimony.record(record);
    const time = this.#clock.now();
    const order: OpenOrder = {
      ...{ market, side, type, price, amount, filledAmount, filledValue, fee },
      ...{ clientOrderId, exchangeOrderId, status: 'open', strategy: ADOPTED, tag: '' },
      ...{ createdTime: time, changedTime: time, evidence: 'query' },
    };
    this.#assertNew(order);
    this.#foreign.claim(exchangeOrderId);
    this.#keep(order);
    this.#announcer.publish(order);
    return order;
  }

  /** Takes up an order from the journal as it was last written; publishes nothing. */
  restore(order: OrderState): void {
    this.#assertNew(order);
    this.#keep(order);
  }

  /** Takes up the exchange ids of earlier runs' orders that are final and booked. */
  restorePast(exchangeOrderIds: Iterable<string>): void {
    for (const id of exchangeOrderIds) this.#absent.exclude(id);
  }

  /** Whether the id was that of an order of ours since forgotten, or of an earlier run. */
  isForgotten(exchangeOrderId: string): boolean {
    return this.#absent.isExcluded(exchangeOrderId);
  }

  /** Replaces a market's foreign orders by a full read of its open orders. */
  resetForeign(market: string, records: readonly OrderRecord[]): void {
    this.#revision++;
    const isForeign = ({ exchangeOrderId }: OrderRecord) =>
      this.byExchangeOrderId(exchangeOrderId) === undefined;
    const foreign = records.filter(isForeign).map((record) => this.#testimony.record(record));
    this.#foreign.reset(market, foreign);
  }

  /** Applies news to the order that it turns out to be of, and returns that order's state. */
  #apply(order: OrderState, news: OrderNews): OrderState {
    const bearer = bearerOf(news, { order, live: this.live(order.market) });
    if (bearer !== undefined) return this.#apply(this.#swapIds(order, bearer), news);
    const states = this.#statesAfter(order, news);
    const newest = states.at(-1);
    if (newest === undefined) return order;
    if (isFinal(order) && !isFinal(newest)) this.#noteReturn(newest);
    this.#keep(newest);
    const released = this.#release(order.market);
    this.#announcer.changed(order, { states, market: this.#marketOf(order) });
    for (const { record, evidence } of released) this.#reclaim(record, evidence);
    return newest;
  }

  /** Swaps the exchange ids of two orders of a batch. Returns the new state of the second. */
  #swapIds(order: OrderState, bearer: LiveOrder): OrderState {
    const { clientOrderId, market, exchangeOrderId } = bearer;
    this.#idLogger.warn({ clientOrderId, market, exchangeOrderId }, IDS_EXCHANGED);
    const former = { ...order, exchangeOrderId } as OrderState;
    const owner = { ...bearer, exchangeOrderId: order.exchangeOrderId } as OrderState;
    for (const one of [former, owner]) this.#keep(one);
    for (const one of [former, owner]) this.#announcer.publish(one);
    return owner;
  }

  #noteReturn({ clientOrderId, market, status }: LiveOrder): void {
    const what = `an order in ${market} that was over by our books is ${status} at the exchange`;
    this.#logger.warn({ clientOrderId, market, status }, what);
  }

  /** The successive states that the news leads to; none where it changes nothing. */
  #statesAfter(order: OrderState, news: OrderNews): readonly OrderState[] {
    const credible = this.#testimony.news(news, { order, market: this.#marketOf(order) });
    const next = credible === undefined ? misnamed(order, news) : applyNews(order, credible);
    if (next === undefined || next === order) return NO_STATES;
    const { exchangeOrderId } = next;
    if (exchangeOrderId === undefined || order.exchangeOrderId !== undefined) return [next];
    const owner = this.byExchangeOrderId(exchangeOrderId);
    if (owner !== undefined) {
      if (misnamed(owner, news) === undefined) return this.#disown(order, { owner, news });
      this.#apply(owner, news);
    }
    return this.#claimed(next);
  }

  /**
   * The states of an order that has just got its exchange id, including news told earlier under
   * that id.
   */
  #claimed(next: OrderState): readonly OrderState[] {
    const told = this.#foreign.claim(next.exchangeOrderId!);
    if (told === undefined) return [next];
    const news = this.#news(told.record, told.evidence);
    if (misnamed(next, news) === undefined) return [next, ...this.#statesAfter(next, news)];
    // The record is another order's, which will claim it.
    this.#foreign.take(told, { isAwaited: true, time: news.time });
    return this.#statesAfter(next, news);
  }

  /**
   * An exchange id belongs to one order: news that gives it to a second one cannot be believed. If
   * the second is pending, its fate is unknown.
   */
  #disown(
    order: OrderState,
    { owner, news }: { readonly owner: OrderState; readonly news: OrderNews },
  ): readonly OrderState[] {
    const { clientOrderId, market, status } = order;
    const { exchangeOrderId } = owner;
    const reason = `Cannot believe what is told of an order: ${exchangeOrderId} is ${owner.clientOrderId}, an id of its own is wanted`;
    this.#logger.warn({ clientOrderId, exchangeOrderId, market }, reason);
    if (status !== 'pending') return NO_STATES;
    const { time, evidence } = news;
    return [applyNews(order, { kind: 'lost', reason, time, evidence })];
  }

  #news(record: OrderRecord, evidence: Evidence): OrderNews {
    return newsOf(record, { time: this.#clock.now(), evidence });
  }

  #keep(order: OrderState): void {
    this.#revision++;
    const forgotten = this.set(order);
    if (isDeclaredAbsent(order)) this.#absent.add(order);
    else this.#absent.delete(order.clientOrderId);
    if (forgotten === undefined) return;
    this.#absent.delete(forgotten.clientOrderId);
    const { exchangeOrderId } = forgotten;
    if (exchangeOrderId !== undefined) this.#absent.exclude(exchangeOrderId);
  }

  /** The records kept aside, once no order of the market awaits an id any more. */
  #release(market: string): readonly ToldRecord[] {
    if (this.hasUnidentified(market)) return NOTHING_TOLD;
    return this.#foreign.giveUp(market);
  }

  #assertNew({ clientOrderId, market }: OrderState): void {
    if (!this.#markets.has(market)) {
      throw new LedgerError(`Cannot take up order ${clientOrderId}: market ${market} is not known`);
    }
    if (this.get(clientOrderId) === undefined) return;
    throw new LedgerError(
      `Cannot take up order ${clientOrderId}: the id is taken, a new one wanted`,
    );
  }

  #marketOf({ market }: OrderState): Market {
    const found = this.#markets.get(market);
    if (found === undefined) throw new LedgerError(`Cannot find market ${market}: it is not known`);
    return found;
  }
}
