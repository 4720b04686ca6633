import { type OrderRecord, SIDES, type Side } from '../../domain/index.ts';
import { type OrderFilter, toFailure } from '../../exchange/index.ts';
import { UnseenOrders } from '../../venues/zb/client/index.ts';
import { nothingDone, read } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';
import { PACE_MS, pause } from './pause.ts';

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

/** Which orders a filter lets through. Source: wire facts, sibling list methods. */
const PASSES: Readonly<Record<OrderFilter, (order: OrderRecord) => boolean>> = {
  all: () => true,
  unfinished: ({ closed }) => !closed,
  finished: ({ closed, filledAmount }) => closed || filledAmount > 0,
};

/**
 * Orders of a selection from `getOrders`, the one list that the contract names: ten of a side at a
 * time, open and closed ones. Newest first, and each once.
 *
 * `count`: how many of a side are enough. Default: all that there are.
 *
 * @throws {AppError} `refused` or `exchange` when a page fails, or pages repeat without end.
 */
export async function ordersOfContract(
  venue: ConnectedVenue,
  { count = Number.POSITIVE_INFINITY, ...selection }: OrderSelection & { readonly count?: number },
): Promise<ListedOrders> {
  const sides = selection.side === undefined ? SIDES : [selection.side];
  const orders: OrderRecord[] = [];
  const illegible: string[] = [];
  for (const side of sides) {
    const found = await ordersOfSide(venue, { ...selection, side, count });
    orders.push(...found.orders);
    illegible.push(...found.illegible);
  }
  return { orders: orders.sort((a, b) => b.exchangeTime - a.exchangeTime), illegible };
}

async function ordersOfSide(
  venue: ConnectedVenue,
  { market, side, filter, count }: OrderSelection & { readonly side: Side; readonly count: number },
): Promise<ListedOrders> {
  const orders: OrderRecord[] = [];
  const odd = new Set<string>();
  const unseen = new UnseenOrders();
  for (let page = 1; orders.length < count; page++) {
    const records = await read(venue, venue.exchange.trading.orders({ market, side, page }));
    const { illegible = [] } = records;
    if (records.length + illegible.length === 0) break;
    for (const id of illegible) odd.add(id);
    orders.push(...unseenOf(venue, { unseen, records }).filter(PASSES[filter]));
    await pause(venue.clock, PACE_MS);
  }
  return { orders, illegible: [...odd] };
}

/** The orders of a page that no page before held. @throws {AppError} when pages repeat without end. */
export function unseenOf(
  venue: ConnectedVenue,
  { unseen, records }: { unseen: UnseenOrders; records: readonly OrderRecord[] },
): readonly OrderRecord[] {
  try {
    return unseen.of(records);
  } catch (thrown) {
    throw nothingDone(venue, toFailure(thrown));
  }
}
