import type { OrderRecord, Side } from '../../domain/index.ts';
import { type OrderFilter, type OrderReference, toFailure } from '../../exchange/index.ts';
import { UntoldOrders } from '../../venues/zb/client/index.ts';
import { change, nothingDone, read } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';
import { pause } from './pause.ts';

/** Most orders that a page holds. Source: wire facts, sibling list methods. */
export const ORDER_PAGE_SIZE_MAX = 100;

/**
 * Pause between an answer and the next request of a command that sends many. At most 40 a second
 * leave, which leaves room below the limit of 60 for other uses of the key.
 */
export const PACE_MS = 25;

/** Orders of a market, and which of them. */
export interface OrderSelection {
  readonly market: string;
  readonly filter: OrderFilter;
  /** Default: both. */
  readonly side?: Side | undefined;
}

/** Orders of a list, or of a part of it. */
export interface ListedOrders {
  readonly orders: readonly OrderRecord[];
  /** The exchange's ids of those that cannot be read. */
  readonly illegible: readonly string[];
}

/** One page of a market's orders, newest first. */
export async function orderPage(
  venue: ConnectedVenue,
  query: OrderSelection & { readonly page: number; readonly pageSize: number },
): Promise<ListedOrders> {
  const orders = await read(venue, venue.exchange.orderLists.list(query));
  return { orders, illegible: orders.illegible ?? [] };
}

/**
 * Every order of a selection, each once. Reads until a page is empty, as an exchange may shorten
 * pages; if new orders arrive, a page repeats some of the one before.
 *
 * @throws {AppError} `refused` or `exchange` when a page fails, or pages repeat without end.
 */
export async function everyOrder(
  venue: ConnectedVenue,
  selection: OrderSelection,
): Promise<ListedOrders> {
  const orders: OrderRecord[] = [];
  const odd = new Set<string>();
  const untold = new UntoldOrders();
  for (let page = 1; ; page++) {
    const query = { ...selection, page, pageSize: ORDER_PAGE_SIZE_MAX };
    const { orders: records, illegible } = await orderPage(venue, query);
    if (records.length + illegible.length === 0) return { orders, illegible: [...odd] };
    for (const id of illegible) odd.add(id);
    orders.push(...untoldOf(venue, { untold, records }));
    await pause(venue.clock, PACE_MS);
  }
}

function untoldOf(
  venue: ConnectedVenue,
  { untold, records }: { untold: UntoldOrders; records: readonly OrderRecord[] },
): readonly OrderRecord[] {
  try {
    return untold.of(records);
  } catch (thrown) {
    throw nothingDone(venue, toFailure(thrown));
  }
}

/** One order, as the exchange tells it now. */
export function orderNamed(venue: ConnectedVenue, reference: OrderReference): Promise<OrderRecord> {
  return read(venue, venue.exchange.trading.order(reference));
}

/** Has the exchange cancel every order of a market in a minute; asking again moves the minute. */
export async function cancelAllInAMinute(venue: ConnectedVenue, market: string): Promise<void> {
  const lookUp =
    'The orders may or may not be cancelled in a minute. To ask once more does no harm.';
  await change(venue, { lookUp, answer: venue.exchange.trading.cancelAllAfter(market) });
}
