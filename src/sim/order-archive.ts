import type { Side } from '../domain/index.ts';
import type { AccountOrder } from './account-order.ts';

/** Closed orders that an account can still look up, per market and side. */
const CLOSED_ORDERS_KEPT = 1_000;

/** Orders of one account on one side of one market, oldest first. */
class OrderList {
  orders: AccountOrder[] = [];
  pruneAt = 2 * CLOSED_ORDERS_KEPT;
}

/**
 * The orders of one market that accounts can ask for: all open ones and the newest closed ones.
 */
export class OrderArchive {
  readonly #byClientOrderId = new Map<string, AccountOrder>();
  readonly #lists = new Map<number, Record<Side, OrderList>>();

  add(order: AccountOrder): void {
    if (order.clientOrderId !== undefined) this.#byClientOrderId.set(clientKey(order), order);
    const list = this.#list(order.account, order.side);
    list.orders.push(order);
    if (list.orders.length >= list.pruneAt) this.#prune(list);
  }

  /** The account's order with that running number. */
  byOrdinal(account: number, ordinal: number): AccountOrder | undefined {
    return (
      findByOrdinal(this.orders(account, 'buy'), ordinal) ??
      findByOrdinal(this.orders(account, 'sell'), ordinal)
    );
  }

  /** The newest order with that customerOrderId, open or closed. Source: contract, note 1. */
  byClientOrderId(account: number, clientOrderId: string): AccountOrder | undefined {
    return this.#byClientOrderId.get(clientKey({ account, clientOrderId }));
  }

  /** Orders of one side, open and closed, oldest first. */
  orders(account: number, side: Side): readonly AccountOrder[] {
    return this.#list(account, side).orders;
  }

  /** All open orders of an account, oldest first. */
  open(account: number): AccountOrder[] {
    const isOpen = (order: AccountOrder) => !order.closed;
    const buys = this.orders(account, 'buy').filter(isOpen);
    const sells = this.orders(account, 'sell').filter(isOpen);
    return [...buys, ...sells].sort((a, b) => a.ordinal - b.ordinal);
  }

  #list(account: number, side: Side): OrderList {
    let lists = this.#lists.get(account);
    if (lists === undefined) {
      lists = { buy: new OrderList(), sell: new OrderList() };
      this.#lists.set(account, lists);
    }
    return lists[side];
  }

  /** Forgets the oldest closed orders; each pass is paid for by as many additions. */
  #prune(list: OrderList): void {
    let surplus = -CLOSED_ORDERS_KEPT;
    for (const order of list.orders) if (order.closed) surplus++;
    list.orders = list.orders.filter((order) => {
      if (!order.closed || surplus-- <= 0) return true;
      this.#forget(order);
      return false;
    });
    list.pruneAt = 2 * Math.max(list.orders.length, CLOSED_ORDERS_KEPT);
  }

  #forget(order: AccountOrder): void {
    if (order.clientOrderId === undefined) return;
    const key = clientKey(order);
    if (this.#byClientOrderId.get(key) === order) this.#byClientOrderId.delete(key);
  }
}

/** Orders stand in the order of their numbers, so this is a binary search. */
function findByOrdinal(orders: readonly AccountOrder[], ordinal: number): AccountOrder | undefined {
  let low = 0;
  let high = orders.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (orders[middle]!.ordinal < ordinal) low = middle + 1;
    else high = middle;
  }
  return orders[low]?.ordinal === ordinal ? orders[low] : undefined;
}

function clientKey(order: { account: number; clientOrderId: string | undefined }): string {
  return `${order.account} ${order.clientOrderId}`;
}
