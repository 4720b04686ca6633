import type { Side } from '../domain/index.ts';
import { AccountOrder } from './account-order.ts';
import type { OrderIds } from './order-ids.ts';
import type { OrderStore } from './order-store.ts';

/** Closed orders that an account can still look up, per market and side. */
const CLOSED_ORDERS_KEPT = 1_000;

/**
 * Closed orders are forgotten together when they are that many, and at least that part of their
 * list: few enough that their memory is still at hand for the next orders.
 */
const PRUNED_MIN = 128;
const PRUNED_PART = 16;

/** Orders of one account on one side of one market, as slots. */
class OrderList {
  /** All of them, in the order of their placement. */
  slots: number[] = [];
  /** The closed ones among them, in the order of their closing. */
  readonly closed: number[] = [];
}

/**
 * The orders of one market that accounts can ask for: all open ones and the last that have closed,
 * at least 1,000 of an account and side, whenever they were placed.
 */
export class OrderArchive {
  readonly #store: { readonly orders: OrderStore; readonly ids: OrderIds };
  /** By account. */
  readonly #byClientOrderId: Map<string, number>[] = [];
  /** Two lists an account: its buys, its sells. */
  readonly #lists: OrderList[] = [];

  constructor(store: { orders: OrderStore; ids: OrderIds }) {
    this.#store = store;
  }

  /** A view of an order. */
  view(slot: number): AccountOrder {
    return new AccountOrder(slot, this.#store);
  }

  add(slot: number): void {
    const { orders } = this.#store;
    const clientOrderId = orders.clientOrderId(slot);
    const account = orders.account(slot);
    if (clientOrderId !== undefined) this.#namesOf(account).set(clientOrderId, slot);
    this.#listAt(2 * account + (orders.isBuy(slot) ? 0 : 1)).slots.push(slot);
  }

  /** Takes note of an order that has closed. */
  close(slot: number): void {
    const { orders } = this.#store;
    const list = this.#listAt(2 * orders.account(slot) + (orders.isBuy(slot) ? 0 : 1));
    list.closed.push(slot);
    const surplus = list.closed.length - CLOSED_ORDERS_KEPT;
    if (surplus >= PRUNED_MIN && surplus * PRUNED_PART >= list.slots.length) {
      this.#prune(list, surplus);
    }
  }

  /** The account's order with that running number. */
  byOrdinal(account: number, ordinal: number): AccountOrder | undefined {
    const slot =
      this.#findByOrdinal(this.#list(account, 'buy').slots, ordinal) ??
      this.#findByOrdinal(this.#list(account, 'sell').slots, ordinal);
    return slot === undefined ? undefined : this.view(slot);
  }

  /** The newest order with that customerOrderId, open or closed. Source: contract, note 1. */
  byClientOrderId(account: number, clientOrderId: string): AccountOrder | undefined {
    const slot = this.#namesOf(account).get(clientOrderId);
    return slot === undefined ? undefined : this.view(slot);
  }

  /** Orders of one side, open and closed, oldest first. */
  orders(account: number, side: Side): readonly AccountOrder[] {
    return this.#list(account, side).slots.map((slot) => this.view(slot));
  }

  /** At most `count` orders of one side, newest first, leaving out as many as told and the young. */
  newest(
    account: number,
    page: { side: Side; skip: number; count: number; takenUntil: number },
  ): readonly AccountOrder[] {
    const { orders } = this.#store;
    const { slots } = this.#list(account, page.side);
    let end = slots.length;
    while (end > 0 && orders.time(slots[end - 1]!) > page.takenUntil) end--;
    end -= page.skip;
    if (end <= 0) return [];
    return slots
      .slice(Math.max(0, end - page.count), end)
      .reverse()
      .map((slot) => this.view(slot));
  }

  /** All open orders of an account, oldest first. */
  open(account: number): AccountOrder[] {
    const { orders } = this.#store;
    const isOpen = (slot: number) => !orders.isClosed(slot);
    const buys = this.#list(account, 'buy').slots.filter(isOpen);
    const sells = this.#list(account, 'sell').slots.filter(isOpen);
    return [...buys, ...sells].map((slot) => this.view(slot)).sort((a, b) => a.ordinal - b.ordinal);
  }

  #list(account: number, side: Side): OrderList {
    return this.#listAt(2 * account + (side === 'buy' ? 0 : 1));
  }

  #listAt(at: number): OrderList {
    while (this.#lists.length <= at) this.#lists.push(new OrderList());
    return this.#lists[at]!;
  }

  #namesOf(account: number): Map<string, number> {
    while (this.#byClientOrderId.length <= account) this.#byClientOrderId.push(new Map());
    return this.#byClientOrderId[account]!;
  }

  /** Forgets those that closed first; each pass is paid for by as many that have closed. */
  #prune(list: OrderList, surplus: number): void {
    const { orders } = this.#store;
    for (const slot of list.closed.splice(0, surplus)) this.#forget(slot);
    const kept: number[] = [];
    let at = 0;
    for (let forgotten = 0; forgotten < surplus; at++) {
      const slot = list.slots[at]!;
      if (orders.isFree(slot)) forgotten++;
      else kept.push(slot);
    }
    list.slots = kept.concat(list.slots.slice(at));
  }

  #forget(slot: number): void {
    const { orders } = this.#store;
    const clientOrderId = orders.clientOrderId(slot);
    if (clientOrderId !== undefined) {
      const names = this.#namesOf(orders.account(slot));
      if (names.get(clientOrderId) === slot) names.delete(clientOrderId);
    }
    orders.free(slot);
  }

  /** Orders stand in the order of their numbers, so this is a binary search. */
  #findByOrdinal(slots: readonly number[], ordinal: number): number | undefined {
    const { orders } = this.#store;
    let low = 0;
    let high = slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (orders.ordinal(slots[middle]!) < ordinal) low = middle + 1;
      else high = middle;
    }
    const slot = slots[low];
    return slot !== undefined && orders.ordinal(slot) === ordinal ? slot : undefined;
  }
}
