import type { Observable } from 'rxjs';
import { type OrderRecord, SIDES } from '../domain/index.ts';
import type {
  OrderFilter,
  OrderListQuery,
  OrderListsPort,
  Permissions,
} from '../exchange/index.ts';
import type { AccountOrder } from './account-order.ts';
import { checkedPage } from './pages.ts';
import { notPermitted } from './refusals.ts';
import { marketOn, type TradingFloor } from './trading-floor.ts';

/** Source: wire facts, sibling list methods. */
const PAGE = { least: 1, most: 100 };

const FILTERS: Readonly<Record<OrderFilter, (order: AccountOrder) => boolean>> = {
  all: () => true,
  unfinished: (order) => !order.closed,
  finished: (order) => order.closed || order.remaining < order.amount,
};

/** The lists of one account's orders. */
export class OrderLists implements OrderListsPort {
  readonly #floor: TradingFloor;
  readonly #account: number;
  readonly #permissions: Permissions;

  constructor(
    floor: TradingFloor,
    { account, permissions }: { account: number; permissions: Permissions },
  ) {
    this.#floor = floor;
    this.#account = account;
    this.#permissions = permissions;
  }

  list(query: OrderListQuery): Observable<readonly OrderRecord[]> {
    return this.#floor.calls.call(() => {
      if (!this.#permissions.orders) throw notPermitted('list orders');
      const { engine } = marketOn(this.#floor, query.market);
      const { page, pageSize } = checkedPage(query, PAGE);
      const { clock, readLagMs } = this.#floor;
      const wanted = {
        skip: 0,
        count: page * pageSize,
        takenUntil: clock.now() - readLagMs,
        isListed: FILTERS[query.filter],
      };
      const sides = query.side === undefined ? SIDES : [query.side];
      const orders = sides
        .flatMap((side) => engine.orders.newest(this.#account, { side, ...wanted }))
        // Two ordered runs: sorting them is merging them.
        .sort((a, b) => b.ordinal - a.ordinal)
        .slice((page - 1) * pageSize, page * pageSize);
      return orders.map((order) => order.record(engine.units));
    });
  }
}
