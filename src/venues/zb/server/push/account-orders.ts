import {
  distinctUntilChanged,
  EMPTY,
  expand,
  forkJoin,
  map,
  type Observable,
  reduce,
  scan,
  throttleTime,
} from 'rxjs';
import type { OrderRecord } from '../../../../domain/index.ts';
import type { FullExchange } from '../../../../exchange/index.ts';
import type { Clock } from '../../../../kernel/index.ts';
import { ordersMarketOf } from '../../wire/fields.ts';
import type { Dialect } from '../dialect.ts';
import { renderOrderPush } from '../render/orders.ts';
import { tail } from './feed.ts';
import { SNAPSHOT_INTERVAL_MS } from './frames.ts';
import { followed, type Update, wholeUpdate } from './updates.ts';

/** Orders on one page of a list. Source: wire facts, sibling list methods. */
const PAGE_SIZE = 100;
/** Most pages of open orders that a snapshot begins with; older orders join when they change. */
const OPEN_PAGES_MAX = 10;
/** Most ended orders in a snapshot. */
const PAST_MAX = 20;

/** Orders of a market, newest first. */
interface Records {
  readonly open: readonly OrderRecord[];
  readonly past: readonly OrderRecord[];
}

interface Source {
  readonly exchange: FullExchange;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly market: string;
  readonly channel: string;
}

/** Frames of `push_user_incr_record`: each order that changes. Source: wire facts, WebSocket. */
export function changedOrders({ exchange, dialect, market, channel }: Source): Observable<string> {
  const head = `{${tail('userIncrRecord', channel)},"market":"${ordersMarketOf(market)}"`;
  return exchange.accountFeed
    .orders(market)
    .pipe(map(({ order }) => `${head},"record":${renderOrderPush(order, dialect)}}`));
}

/** Frames of `push_user_record`: open and past orders, now and after changes. */
export function allOrders(source: Source): Observable<Update> {
  const { exchange, clock, dialect, market, channel } = source;
  const head = `{${tail('userRecord', channel)},"market":"${ordersMarketOf(market)}"`;
  const render = (orders: readonly OrderRecord[]) =>
    `[${orders.map((order) => renderOrderPush(order, dialect)).join(',')}]`;
  return records(exchange, market).pipe(
    throttleTime(SNAPSHOT_INTERVAL_MS, clock, { leading: true, trailing: true }),
    map(({ open, past }) =>
      wholeUpdate(`${head},"record":${render(open)},"hrecord":${render(past)}}`),
    ),
  );
}

function records(exchange: FullExchange, market: string): Observable<Records> {
  type Step = (before: Records) => Records;
  const now = forkJoin({ open: openOrders(exchange, market), past: pastOrders(exchange, market) });
  const later = exchange.accountFeed.orders(market);
  return followed<Step>(
    now.pipe(map((told) => () => told)),
    later.pipe(
      map(
        ({ order }) =>
          (before) =>
            withOrder(before, order),
      ),
    ),
  ).pipe(
    scan((before, step) => step(before), { open: [], past: [] } as Records),
    distinctUntilChanged(),
  );
}

function openOrders(exchange: FullExchange, market: string): Observable<readonly OrderRecord[]> {
  const read = (page: number) =>
    exchange.orderLists
      .list({ market, filter: 'unfinished', page, pageSize: PAGE_SIZE })
      .pipe(map((orders) => ({ page, orders })));
  return read(1).pipe(
    expand(({ page, orders }) =>
      orders.length < PAGE_SIZE || page === OPEN_PAGES_MAX ? EMPTY : read(page + 1),
    ),
    reduce((all: readonly OrderRecord[], { orders }) => [...all, ...orders], []),
  );
}

/** The newest ended orders: a list of finished ones also has open ones that filled in part. */
function pastOrders(exchange: FullExchange, market: string): Observable<readonly OrderRecord[]> {
  return exchange.orderLists
    .list({ market, filter: 'finished', pageSize: PAGE_SIZE })
    .pipe(map((orders) => orders.filter(({ closed }) => closed).slice(0, PAST_MAX)));
}

/** The orders with one of them as it was pushed; the same object if the push is old news. */
function withOrder(before: Records, order: OrderRecord): Records {
  const isMeant = ({ exchangeOrderId }: OrderRecord) => exchangeOrderId === order.exchangeOrderId;
  if (before.past.some(isMeant)) return before;
  const at = before.open.findIndex(isMeant);
  const known = before.open[at];
  if (known !== undefined && known.filledAmount > order.filledAmount) return before;
  if (!order.closed) {
    const open = known === undefined ? [order, ...before.open] : before.open.with(at, order);
    return { open, past: before.past };
  }
  const open = known === undefined ? before.open : before.open.toSpliced(at, 1);
  return { open, past: [order, ...before.past].slice(0, PAST_MAX) };
}
