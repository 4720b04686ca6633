import { isSameOrder, type LiveOrder, type OrderRecord } from '../domain/index.ts';
import { MINUTE_MS } from '../kernel/index.ts';

/** What a full read of the orders says of ours. */
export interface OpenOrdersComparison {
  /** Ours whose id was read, each with its record, open or closed. */
  readonly matched: readonly { readonly order: LiveOrder; readonly record: OrderRecord }[];
  /** Ours with an id that was not read: over, or not yet visible. */
  readonly missing: readonly LiveOrder[];
  /** Ours whose id at the exchange is not known: see `candidatesFor`. */
  readonly unidentified: readonly LiveOrder[];
  /** Read and open, but not known to be ours; some may be of `unidentified`. */
  readonly foreign: readonly OrderRecord[];
  /**
   * The records, open or closed, that may be this unidentified order: same side, price and amount,
   * and not older than it. Nearest in time first.
   */
  candidatesFor(order: LiveOrder): readonly OrderRecord[];
}

export interface ComparisonOptions {
  /** Our live orders of one market. */
  readonly ours: readonly LiveOrder[];
  /** What the exchange reported, open and closed. */
  readonly theirs: readonly OrderRecord[];
  /** Whether an id is of an order of ours that is over. Default: none is. */
  readonly isKnown?: (exchangeOrderId: string) => boolean;
  /** How far the exchange's clock may be behind ours, in milliseconds. Default: one minute. */
  readonly clockSkewMs?: number;
}

/** Compares our live orders of a market with what the exchange reported. Changes nothing. */
export function compareOpenOrders(options: ComparisonOptions): OpenOrdersComparison {
  const { ours, theirs, isKnown = () => false, clockSkewMs = MINUTE_MS } = options;
  const unclaimed = new Map(theirs.map((record) => [record.exchangeOrderId, record]));
  const matched: { order: LiveOrder; record: OrderRecord }[] = [];
  const missing: LiveOrder[] = [];
  const unidentified: LiveOrder[] = [];
  for (const order of ours) {
    const id = order.exchangeOrderId;
    const record = id === undefined ? undefined : unclaimed.get(id);
    if (record !== undefined) matched.push({ order, record });
    else (id === undefined ? unidentified : missing).push(order);
    if (id !== undefined) unclaimed.delete(id);
  }
  const rest = [...unclaimed.values()].filter((record) => !isKnown(record.exchangeOrderId));
  return {
    matched,
    missing,
    unidentified,
    foreign: rest.filter((record) => !record.closed),
    candidatesFor: (order) => {
      const distanceMs = (record: OrderRecord) => Math.abs(record.exchangeTime - order.createdTime);
      return rest
        .filter((record) => isSameOrder(record, order))
        .filter((record) => record.exchangeTime >= order.createdTime - clockSkewMs)
        .sort((a, b) => distanceMs(a) - distanceMs(b));
    },
  };
}
