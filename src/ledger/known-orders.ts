import { type FinalOrder, isFinal, type LiveOrder, type OrderState } from '../domain/index.ts';
import { FewSet, getOrInsert } from '../kernel/index.ts';
import { MarketOrders } from './market-orders.ts';

/** An order and its place among the ended ones. */
interface Entry {
  order: OrderState;
  /** Sequence number of its end; negative when it is kept on; undefined while it lives. */
  place: number | undefined;
}

const NO_ORDERS: readonly LiveOrder[] = [];

export interface KnownOrdersOptions {
  /** How many ended orders are kept. */
  readonly capacity: number;
  /** Whether news of an ended order is still expected: it is then kept beyond the capacity. */
  readonly isAwaited: (order: OrderState) => boolean;
}

/** Awaited orders kept on at most, as a multiple of the capacity. */
const AWAITED_FACTOR = 4;

/**
 * Orders by their ids: all live ones, and the newest ended ones, enough to absorb late news. Memory
 * is bounded. Ended orders of which news is still expected are kept on when their turn to be
 * forgotten comes, up to a second bound.
 */
export class KnownOrders {
  readonly #capacity: number;
  readonly #isAwaited: KnownOrdersOptions['isAwaited'];
  readonly #entries = new Map<string, Entry>();
  readonly #ofExchangeId = new Map<string, Entry>();
  readonly #live = new FewSet<Entry>();
  #allLive: readonly LiveOrder[] | undefined;
  readonly #ofMarket = new Map<string, MarketOrders>();
  /** Ring buffer of ended orders, indexed by sequence number. */
  readonly #ended: Entry[] = [];
  #endedCount = 0;
  /** Ring buffer of the orders kept on. */
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

  /** Every live order, in order of creation. The list is not changed later. */
  allLive(): readonly LiveOrder[] {
    // Entries of this set are never final.
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

  /** Orders whose end was learnt at that time or later, newest first. */
  endedSince(timeMs: number): readonly OrderState[] {
    const ended: OrderState[] = [];
    const oldest = Math.max(0, this.#endedCount - this.#capacity);
    for (let place = this.#endedCount - 1; place >= oldest; place--) {
      const { order, place: its } = this.#ended[place % this.#capacity]!;
      if (order.changedTime < timeMs) break;
      // Otherwise the order came back to life, or has ended again since.
      if (its === place) ended.push(order);
    }
    return ended;
  }

  /** Whether some live order has no exchange id yet: a record may turn out to be of it. */
  protected hasUnidentified(market: string): boolean {
    return this.#ofMarket.get(market)?.hasUnidentified ?? false;
  }

  /** Stores an order or its newer state. Returns the ended order that was forgotten in exchange. */
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
    // The oldest came back to life, or has ended again since.
    if (oldest?.place !== place - this.#capacity) return undefined;
    return this.#isAwaited(oldest.order) ? this.#keepOn(oldest) : this.#forget(oldest);
  }

  #keepOn(entry: Entry): FinalOrder | undefined {
    const capacity = AWAITED_FACTOR * this.#capacity;
    const at = this.#keptOnCount++;
    const oldest = this.#keptOn[at % capacity];
    this.#keptOn[at % capacity] = entry;
    entry.place = keptOnPlace(at);
    // Otherwise the oldest came back to life, or was moved to a newer place.
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
