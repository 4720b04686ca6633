import { EMPTY, expand, last, map, type Observable } from 'rxjs';
import type { OrderRecord } from '../../../../domain/index.ts';
import {
  CODES,
  type OrderListQuery,
  type OrderListsPort,
  type OrdersPage,
} from '../../../../exchange/index.ts';
import { LIST_PAGE_SIZE, orderListParameters } from '../../wire/index.ts';
import type { LegibleRows } from '../legible.ts';
import { emptyAs } from './emptiness.ts';
import type { SignedRequests } from './signed-requests.ts';
import { UnseenOrders } from './unseen-orders.ts';

/** Most orders on a page. Source: wire facts, sibling list methods. */
const PAGE_SIZE_MAX = 100;

/**
 * The sibling lists of `getOrders` over REST: getOrdersNew, getOrdersIgnoreTradeType,
 * getUnfinishedOrdersIgnoreTradeType and getFinishedAndPartialOrders. Source: wire facts.
 */
export function restOrderLists(requests: SignedRequests, rows: LegibleRows): OrderListsPort {
  const page = (query: OrderListQuery): Observable<OrdersPage> =>
    requests
      .send('list orders', {
        parameters: () => orderListParameters(query),
        read: (json) => rows.orders(json, query.market),
      })
      .pipe(emptyAs<OrdersPage>([], [CODES.orderNotFound]));
  return {
    list: (query) =>
      query.side === undefined || query.filter === 'all' ? page(query) : ofOneSide(query, page),
  };
}

/**
 * A page of one side from a list of both sides, which the exchange does not filter: the list is
 * read from its top until the page is full. One request per hundred orders, or per ten if the
 * exchange gives no more. Orders that cannot be read may be of either side, and are all named.
 */
function ofOneSide(
  query: OrderListQuery,
  page: (query: OrderListQuery) => Observable<OrdersPage>,
): Observable<OrdersPage> {
  const { side, page: number = 1, pageSize = LIST_PAGE_SIZE } = query;
  const end = number * pageSize;
  const unseen = new UnseenOrders();
  const odd = new Set<string>();
  const read = (at: number, before: readonly OrderRecord[]) =>
    page({ ...query, page: at, pageSize: PAGE_SIZE_MAX }).pipe(
      map((records) => {
        const { illegible = [] } = records;
        for (const id of illegible) odd.add(id);
        const isLast = records.length + illegible.length === 0;
        const more = isLast ? [] : unseen.of(records);
        const found = [...before, ...more.filter((order) => order.side === side)];
        return { at, found, isDone: isLast || found.length >= end };
      }),
    );
  return read(1, []).pipe(
    expand(({ at, found, isDone }) => (isDone ? EMPTY : read(at + 1, found))),
    last(),
    map(({ found }) => {
      const orders = found.slice(end - pageSize, end);
      return odd.size === 0 ? orders : Object.assign(orders, { illegible: [...odd] });
    }),
  );
}
