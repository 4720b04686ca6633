import type { OrderRecord } from '../../domain/index.ts';
import { ExchangeFailure } from '../../exchange/index.ts';
import { UnseenOrders } from '../../venues/zb/client/index.ts';
import { AppError } from '../errors.ts';
import { isRefusal, read } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';
import {
  type ListedOrders,
  type OrderSelection,
  ordersOfContract,
  pagesOfContract,
  unseenOf,
} from './contract-orders.ts';
import { PACE_MS, pause } from './pause.ts';

/** Most orders that a page holds. Source: wire facts, sibling list methods. */
export const ORDER_PAGE_SIZE_MAX = 100;

type PageQuery = OrderSelection & { readonly page: number; readonly pageSize: number };

/** One page of a market's orders, newest first. */
export function orderPage(venue: ConnectedVenue, query: PageQuery): Promise<ListedOrders> {
  const { page, pageSize } = query;
  const end = page * pageSize;
  return orOfContract(listedPage(venue, query), async () => {
    const { orders, illegible } = await ordersOfContract(venue, { ...query, count: end });
    return { orders: orders.slice(end - pageSize, end), illegible };
  });
}

/**
 * Every order of a selection, each once.
 *
 * @throws {AppError} `refused` or `exchange` when a page fails, or pages repeat without end.
 */
export function everyOrder(
  venue: ConnectedVenue,
  selection: OrderSelection,
): Promise<ListedOrders> {
  return orOfContract(everyListed(venue, selection), () => ordersOfContract(venue, selection));
}

/**
 * Every order of a selection, each once, as they become known: the list of the contract page by
 * page, for it holds what is closed too and takes long to read. A list of the exchange comes whole:
 * an open order that is cancelled leaves it, and its other pages would move.
 *
 * @throws {AppError} as `everyOrder`, of the list that was read last, perhaps after some have come.
 */
export async function* everyOrderByPart(
  venue: ConnectedVenue,
  selection: OrderSelection,
): AsyncGenerator<ListedOrders, void, undefined> {
  let listed: ListedOrders;
  try {
    listed = await everyListed(venue, selection);
  } catch (thrown) {
    if (!leadsToContract(thrown)) throw thrown;
    yield* pagesOfContract(venue, selection);
    return;
  }
  yield listed;
}

/**
 * What a list of the exchange tells, or else what that of the contract does.
 *
 * @throws {AppError} that of the first, when neither can be read.
 */
async function orOfContract(
  listed: Promise<ListedOrders>,
  ofContract: () => Promise<ListedOrders>,
): Promise<ListedOrders> {
  try {
    return await listed;
  } catch (thrown) {
    if (!leadsToContract(thrown)) throw thrown;
    return await ofContract().catch(() => {
      throw thrown;
    });
  }
}

/**
 * Whether the list of the contract may tell what this one did not: the contract does not name the
 * others, so an exchange may have none of them, and how it would say so is unknown.
 */
function leadsToContract(thrown: unknown): boolean {
  const failure = thrown instanceof AppError ? thrown.cause : undefined;
  if (!(failure instanceof ExchangeFailure)) return false;
  return failure.kind === 'unknown' || isRefusal(failure);
}

/**
 * Page by page until one is empty: an exchange may hold its pages shorter than they were asked for,
 * and one repeats what was told where new orders arrive.
 */
async function everyListed(
  venue: ConnectedVenue,
  selection: OrderSelection,
): Promise<ListedOrders> {
  const orders: OrderRecord[] = [];
  const odd = new Set<string>();
  const unseen = new UnseenOrders();
  for (let page = 1; ; page++) {
    const query = { ...selection, page, pageSize: ORDER_PAGE_SIZE_MAX };
    const { orders: records, illegible } = await listedPage(venue, query);
    if (records.length + illegible.length === 0) return { orders, illegible: [...odd] };
    for (const id of illegible) odd.add(id);
    orders.push(...unseenOf(venue, { unseen, records }));
    await pause(venue.clock, PACE_MS);
  }
}

async function listedPage(venue: ConnectedVenue, query: PageQuery): Promise<ListedOrders> {
  const orders = await read(venue, venue.exchange.orderLists.list(query));
  return { orders, illegible: orders.illegible ?? [] };
}
