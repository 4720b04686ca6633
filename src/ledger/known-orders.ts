import { type FinalOrder, isFinal, type LiveOrder, type OrderState } from '../domain/index.ts';
import { FewSet, getOrInsert } from '../kernel/index.ts';
import { MarketOrders } from './market-orders.ts';

/** An order and its place among those that are over. */
interface Entry {
  order: OrderState;
  /** The how-manieth that ended, below zero where it is kept on; undefined while it lives. */
  place: number | undefined;
}

const NO_ORDERS: readonly LiveOrder[] = [];

export interface KnownOrdersOptions {
  /** How many orders that are over are kept. */
  readonly capacity: number;
  /** Whether more is expected of an order that is over: it is kept beyond them. */
  readonly isAwaited: (order: OrderState) => boolean;
}

/** How many times the capacity is kept of orders of which more is expected. */
const AWAITED_FACTOR = 4;

/**
 * The orders by their ids: all that live, and the newest whose story is over, enough to absorb late
 * news, bounded in memory. Those of which more is expected when their turn to be forgotten comes are
 * kept on, the newest of them.
 */
export class KnownOrders {
  readonly #capacity: number;
  readonly #isAwaited: KnownOrdersOptions['isAwaited'];
  readonly #entries = new Map<string, Entry>();
  readonly #ofExchangeId = new Map<string, Entry>();
  readonly #live = new FewSet<Entry>();
  #allLive: readonly LiveOrder[] | undefined;
  readonly #ofMarket = new Map<string, MarketOrders>();
  /** Those that are over, each at its place modulo the capacity. */
  readonly #ended: Entry[] = [];
  #endedCount = 0;
  /** Those that are kept on, each at its place modulo their number at most. */
  readonly #keptOn: Entry[] = [];
  #keptOnCount = 0;
  #unknownCount = 0;

  constructor({ capacity, isAwaited }: KnownOrdersOptions) {
    this.#capacity = capacity;
    this.#isAwaited = isAwaited;
  }

  /** An order of ours, live or among the newest final ones. */
  get(clientOrderId: string): OrderState | undefined {
    return this.#entries.get(clientOrderId)?.order;
  }

  byExchangeOrderId(exchangeOrderId: string): OrderState | undefined {
    return this.#ofExchangeId.get(exchangeOrderId)?.order;
  }

  /** The live orders of a market, in order of creation. Cheap between changes. */
  live(market: string): readonly LiveOrder[] {
    return this.#ofMarket.get(market)?.all() ?? NO_ORDERS;
  }

  liveOf(strategy: string, market: string): readonly LiveOrder[] {
    return this.#ofMarket.get(market)?.of(strategy) ?? NO_ORDERS;
  }

  /** Every live order, in order of creation: a list that later changes leave alone. */
  allLive(): readonly LiveOrder[] {
    // Whoever is among them is none that is over.
    this.#allLive ??= this.#live.values().map(({ order }) => order as LiveOrder);
    return this.#allLive;
  }

  /** How many orders are live. */
  get liveCount(): number {
    return this.#live.size;
  }

  /** How many orders are in state `unknown`. */
  get unknownCount(): number {
    return this.#unknownCount;
  }

  /** The orders that were heard to be over at that time or later, the newest first. */
  endedSince(timeMs: number): readonly OrderState[] {
    const ended: OrderState[] = [];
    const oldest = Math.max(0, this.#endedCount - this.#capacity);
    for (let place = this.#endedCount - 1; place >= oldest; place--) {
      const { order, place: its } = this.#ended[place % this.#capacity]!;
      if (order.changedTime < timeMs) break;
      // Else it came back to life, or ended anew since.
      if (its === place) ended.push(order);
    }
    return ended;
  }

  /** Whether the exchange's id of some live order is not known yet: a record may be of it. */
  protected hasUnidentified(market: string): boolean {
    return this.#ofMarket.get(market)?.hasUnidentified ?? false;
  }

  /** Keeps an order or its newer state, and answers with the one that is forgotten for it. */
  protected set(order: OrderState): FinalOrder | undefined {
    const entry = this.#entryOf(order);
    const former = entry.order;
    if (former !== order && former.status === 'unknown') this.#unknownCount--;
    entry.order = order;
    this.#allLive = undefined;
    if (former.exchangeOrderId !== order.exchangeOrderId) this.#rename(entry, former);
    return isFinal(order) ? this.#end(entry, order) : this.#revive(entry, order);
  }

  #rename(entry: Entry, { exchangeOrderId: formerId }: OrderState): void {
    const { exchangeOrderId } = entry.order;
    if (formerId !== undefined && this.#ofExchangeId.get(formerId) === entry) {
      this.#ofExchangeId.delete(formerId);
    }
    if (exchangeOrderId !== undefined) this.#ofExchangeId.set(exchangeOrderId, entry);
  }

  #entryOf(order: OrderState): Entry {
    const { clientOrderId } = order;
    const known = this.#entries.get(clientOrderId);
    if (known !== undefined) return known;
    const entry: Entry = { order, place: undefined };
    this.#entries.set(clientOrderId, entry);
    const { exchangeOrderId } = order;
    if (exchangeOrderId !== undefined) this.#ofExchangeId.set(exchangeOrderId, entry);
    return entry;
  }

  #revive(entry: Entry, order: LiveOrder): undefined {
    entry.place = undefined;
    this.#live.add(entry);
    this.#ordersOf(order.market).set(order);
    if (order.status === 'unknown') this.#unknownCount++;
  }

  #end(entry: Entry, { clientOrderId, market }: FinalOrder): FinalOrder | undefined {
    if (entry.place !== undefined) return undefined;
    if (this.#live.delete(entry)) this.#ordersOf(market).delete(clientOrderId);
    const place = this.#endedCount++;
    const oldest = this.#ended[place % this.#capacity];
    this.#ended[place % this.#capacity] = entry;
    entry.place = place;
    // Come back to life, or ended anew since.
    if (oldest?.place !== place - this.#capacity) return undefined;
    return this.#isAwaited(oldest.order) ? this.#keepOn(oldest) : this.#forget(oldest);
  }

  #keepOn(entry: Entry): FinalOrder | undefined {
    const capacity = AWAITED_FACTOR * this.#capacity;
    const at = this.#keptOnCount++;
    const oldest = this.#keptOn[at % capacity];
    this.#keptOn[at % capacity] = entry;
    entry.place = keptOnPlace(at);
    // Come back to life, ended anew or kept on anew since.
    return oldest?.place === keptOnPlace(at - capacity) ? this.#forget(oldest) : undefined;
  }

  #forget({ order }: Entry): FinalOrder {
    this.#entries.delete(order.clientOrderId);
    const { exchangeOrderId } = order;
    if (exchangeOrderId !== undefined) this.#ofExchangeId.delete(exchangeOrderId);
    return order as FinalOrder;
  }

  #ordersOf(market: string): MarketOrders {
    return getOrInsert(this.#ofMarket, market, () => new MarketOrders());
  }
}

function keptOnPlace(at: number): number {
  return -1 - at;
}
