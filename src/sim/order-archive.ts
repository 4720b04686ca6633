import type { Side } from '../domain/index.ts';
import { AccountOrder } from './account-order.ts';
import type { OrderIds } from './order-ids.ts';
import { closedSlot, OrderList } from './order-list.ts';
import type { OrderStore } from './order-store.ts';

/** Which orders to show. */
interface ShownOrders {
  readonly side: Side;
  readonly skip: number;
  readonly count: number;
  readonly takenUntil: number;
  readonly isListed?: (order: AccountOrder) => boolean;
}

/**
 * The orders of one market that accounts can ask for: all open ones and the last closed ones, at
 * least 1,000 of each account and side, whenever they were placed.
 *
 * The store holds only open orders. An order that closes moves to the closed ones of its account,
 * so that the memory that matching works on stays small.
 */
export class OrderArchive {
  readonly #store: { readonly orders: OrderStore; readonly ids: OrderIds };
  /** Running numbers of the newest orders with a customerOrderId, by account. */
  readonly #byClientOrderId: Map<string, number>[] = [];
  /** Two lists for each account: its buys, its sells. */
  readonly #lists: OrderList[] = [];

  constructor(store: { orders: OrderStore; ids: OrderIds }) {
    this.#store = store;
  }

  view(slot: number): AccountOrder {
    return new AccountOrder(slot, this.#store);
  }

  add(slot: number): void {
    const { orders } = this.#store;
    const clientOrderId = orders.clientOrderId(slot);
    const account = orders.account(slot);
    if (clientOrderId !== undefined) {
      this.#namesOf(account).set(clientOrderId, orders.ordinal(slot));
    }
    this.#listAt(account, orders.isBuy(slot)).add(slot);
  }

  /** Moves a closed order out of the store, which frees its slot. */
  close(slot: number): void {
    const { orders } = this.#store;
    const list = this.#listAt(orders.account(slot), orders.isBuy(slot));
    this.#forgetName(list);
    list.close(slot);
    orders.free(slot);
  }

  /** The account's order with that running number. */
  byOrdinal(account: number, ordinal: number): AccountOrder | undefined {
    return (
      this.#find(this.#listAt(account, true), ordinal) ??
      this.#find(this.#listAt(account, false), ordinal)
    );
  }

  /** The newest order with that customerOrderId, open or closed. Source: contract, note 1. */
  byClientOrderId(account: number, clientOrderId: string): AccountOrder | undefined {
    const ordinal = this.#namesOf(account).get(clientOrderId);
    return ordinal === undefined ? undefined : this.byOrdinal(account, ordinal);
  }

  /** How many customerOrderIds of an account are known: no more than orders are kept. */
  countNames(account: number): number {
    return this.#namesOf(account).size;
  }

  /**
   * At most `count` orders of one side, newest first: of those accepted until `takenUntil` and
   * listed, without the first `skip`. `isListed`: Default: all are.
   */
  newest(account: number, page: ShownOrders): readonly AccountOrder[] {
    const { isListed = () => true } = page;
    const list = this.#listAt(account, page.side === 'buy');
    const found: AccountOrder[] = [];
    let skipped = page.skip;
    for (const standing of list.newestFirst()) {
      if (found.length === page.count) break;
      const order = this.#viewOf(list, standing);
      if (order.time > page.takenUntil || !isListed(order) || skipped-- > 0) continue;
      found.push(order);
    }
    return found;
  }

  /** All open orders of an account, oldest first. */
  open(account: number): AccountOrder[] {
    const lists = [this.#listAt(account, true), this.#listAt(account, false)];
    return lists
      .flatMap((list) => [...list.newestFirst()].filter(isOpen).map((slot) => this.view(slot)))
      .sort((a, b) => a.ordinal - b.ordinal);
  }

  #find(list: OrderList, ordinal: number): AccountOrder | undefined {
    const standing = list.find(ordinal);
    return standing === undefined ? undefined : this.#viewOf(list, standing);
  }

  #viewOf(list: OrderList, standing: number): AccountOrder {
    if (isOpen(standing)) return this.view(standing);
    const { ids } = this.#store;
    return new AccountOrder(closedSlot(standing), { orders: list.closed, ids });
  }

  #listAt(account: number, buys: boolean): OrderList {
    const at = 2 * account + (buys ? 0 : 1);
    while (this.#lists.length <= at) this.#lists.push(new OrderList(this.#store.orders));
    return this.#lists[at]!;
  }

  #namesOf(account: number): Map<string, number> {
    while (this.#byClientOrderId.length <= account) this.#byClientOrderId.push(new Map());
    return this.#byClientOrderId[account]!;
  }

  /** Forgets the customerOrderId of the closed order that the next one to close overwrites. */
  #forgetName({ closed, leaving }: OrderList): void {
    if (leaving === undefined) return;
    const clientOrderId = closed.clientOrderId(leaving);
    if (clientOrderId === undefined) return;
    const names = this.#namesOf(closed.account(leaving));
    if (names.get(clientOrderId) === closed.ordinal(leaving)) names.delete(clientOrderId);
  }
}

/** Whether an order's standing is a slot of the store, as that of an open order is. */
function isOpen(standing: number): boolean {
  return standing > 0;
}
