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

/** A selection, and how many orders of a side are enough. Default: all that there are. */
type ContractSelection = OrderSelection & { readonly count?: number };

/**
 * Orders of a selection from `getOrders`, the one list that the contract names. Newest first, and
 * each once.
 *
 * @throws {AppError} `refused` or `exchange` when a page fails, or pages repeat without end.
 */
export async function ordersOfContract(
  venue: ConnectedVenue,
  selection: ContractSelection,
): Promise<ListedOrders> {
  const orders: OrderRecord[] = [];
  const odd = new Set<string>();
  for await (const page of pagesOfContract(venue, selection)) {
    orders.push(...page.orders);
    for (const id of page.illegible) odd.add(id);
  }
  return { orders: orders.sort((a, b) => b.exchangeTime - a.exchangeTime), illegible: [...odd] };
}

/**
 * The pages of `getOrders`: ten orders of a side, open and closed ones, of which a filter may leave
 * none. The sides take turns, so that what is new on either comes early. Each order comes once, the
 * id of one that cannot be read perhaps again.
 *
 * @throws {AppError} `refused` or `exchange` when a page fails, or pages repeat without end.
 */
export async function* pagesOfContract(
  venue: ConnectedVenue,
  { market, filter, side: only, count = Number.POSITIVE_INFINITY }: ContractSelection,
): AsyncGenerator<ListedOrders, void, undefined> {
  const sides = only === undefined ? SIDES : [only];
  let unread = sides.map((side) => ({ side, unseen: new UnseenOrders(), found: 0 }));
  for (let page = 1; unread.length > 0; page++) {
    for (const part of unread) {
      const { side, unseen } = part;
      const records = await read(venue, venue.exchange.trading.orders({ market, side, page }));
      await pause(venue.clock, PACE_MS);
      const { illegible = [] } = records;
      if (records.length + illegible.length === 0) {
        part.found = Number.POSITIVE_INFINITY;
        continue;
      }
      const orders = unseenOf(venue, { unseen, records }).filter(PASSES[filter]);
      part.found += orders.length;
      yield { orders, illegible };
    }
    unread = unread.filter(({ found }) => found < count);
  }
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
