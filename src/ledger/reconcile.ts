import { isSameOrder, type LiveOrder, type OrderRecord } from '../domain/index.ts';

/** Our orders compared with a full read of the market's orders. */
export interface OpenOrdersComparison {
  /** Ours whose exchange id was not read: ended, or not yet visible. */
  readonly missing: readonly LiveOrder[];
  /** Ours without a known exchange id: see `candidatesFor`. */
  readonly unidentified: readonly LiveOrder[];
  /** Read and open, but not known to be ours; some may be of `unidentified`. */
  readonly foreign: readonly OrderRecord[];
  /**
   * The records, open or closed, that may be this unidentified order: same side, price and amount,
   * nearest in time first.
   */
  candidatesFor(order: LiveOrder): readonly OrderRecord[];
}

export interface ComparisonOptions {
  readonly ours: readonly LiveOrder[];
  /** The orders that the exchange reported, open and closed. */
  readonly theirs: readonly OrderRecord[];
  /** Whether an exchange id is of an ended order of ours. Default: none is. */
  readonly isKnown?: (exchangeOrderId: string) => boolean;
}

/** Compares our live orders of a market with what the exchange reported. Changes nothing. */
export function compareOpenOrders(options: ComparisonOptions): OpenOrdersComparison {
  const { ours, theirs, isKnown = () => false } = options;
  const unclaimed = new Map(theirs.map((record) => [record.exchangeOrderId, record]));
  const missing: LiveOrder[] = [];
  const unidentified: LiveOrder[] = [];
  for (const order of ours) {
    const id = order.exchangeOrderId;
    if (id === undefined) unidentified.push(order);
    else if (!unclaimed.delete(id)) missing.push(order);
  }
  const rest = [...unclaimed.values()].filter((record) => !isKnown(record.exchangeOrderId));
  return {
    missing,
    unidentified,
    foreign: rest.filter((record) => !record.closed),
    candidatesFor: (order) => {
      const distanceMs = (record: OrderRecord) => Math.abs(record.exchangeTime - order.createdTime);
      return rest
        .filter((record) => isSameOrder(record, order))
        .sort((a, b) => distanceMs(a) - distanceMs(b));
    },
  };
}
