import type { Observable } from 'rxjs';
import { type OrderRecord, SIDES, type Side } from '../../domain/index.ts';
import {
  CODES,
  type OrderFilter,
  type OrderListQuery,
  type OrderListsPort,
  type Permissions,
} from '../../exchange/index.ts';
import type { AccountOrder } from '../account-order.ts';
import type { OrderArchive } from '../order-archive.ts';
import { notPermitted, rejection } from '../order-checks.ts';
import { marketOn, type TradingFloor } from '../trading-floor.ts';
import { checkedPage, newestFirst } from './pages.ts';

/** Source: wire facts, sibling list methods. */
const PAGE = { least: 1, most: 100 };

const FILTERS: Readonly<Record<OrderFilter, (order: AccountOrder) => boolean>> = {
  all: () => true,
  unfinished: (order) => !order.closed,
  finished: (order) => order.closed || order.remaining < order.amount,
};

/** The lists of one account's orders. A list is made once and paged through until orders change. */
export class OrderLists implements OrderListsPort {
  readonly #floor: TradingFloor;
  readonly #account: number;
  readonly #permissions: () => Permissions;
  /** Oldest first, by market, filter and side. Emptied by every change: orders are reused. */
  readonly #lists = new Map<string, readonly AccountOrder[]>();

  constructor(
    floor: TradingFloor,
    { account, permissions }: { account: number; permissions: () => Permissions },
  ) {
    this.#floor = floor;
    this.#account = account;
    this.#permissions = permissions;
  }

  /** Takes note that an order of the account has changed. */
  ordersChanged(): void {
    if (this.#lists.size > 0) this.#lists.clear();
  }

  list(query: OrderListQuery): Observable<readonly OrderRecord[]> {
    return this.#floor.calls.call(() => {
      if (!this.#permissions().orders) throw notPermitted('list orders');
      const { engine } = marketOn(this.#floor, query.market);
      check(query);
      const page = checkedPage(query, PAGE);
      const orders = this.#orders(query, engine.orders);
      const until = this.#countOld(orders);
      const found = newestFirst(orders, { ...page, until });
      return found.map((order) => order.record(engine.units));
    });
  }

  #orders({ market, side, filter }: OrderListQuery, archive: OrderArchive) {
    const key = `${market} ${filter} ${side ?? ''}`;
    let orders = this.#lists.get(key);
    if (orders === undefined) {
      const sides: readonly Side[] = side === undefined ? SIDES : [side];
      const kept = sides.map((one) => archive.orders(this.#account, one).filter(FILTERS[filter]));
      // Two ordered runs: sorting them is merging them.
      orders = kept.flat().sort((a, b) => a.ordinal - b.ordinal);
      this.#lists.set(key, orders);
    }
    return orders;
  }

  /** How many of them are old enough for reads to find them: orders stand in order of time. */
  #countOld(orders: readonly AccountOrder[]): number {
    const youngest = this.#floor.clock.now() - this.#floor.readLagMs;
    let low = 0;
    let high = orders.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (orders[middle]!.time <= youngest) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function check({ side, filter }: OrderListQuery): void {
  const sideKnown = side === undefined || SIDES.includes(side);
  if (sideKnown && Object.hasOwn(FILTERS, filter)) return;
  throw rejection(
    CODES.invalidArguments,
    `Cannot list the ${filter} orders of the side ${side}: there are none such`,
  );
}
