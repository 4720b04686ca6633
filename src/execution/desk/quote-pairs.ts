import type { LiveOrder, Quote } from '../../domain/index.ts';
import { HAIR, openAmount } from './open-amount.ts';

/** How far a resting order may differ from a quote and still serve it, as fractions. */
export interface Tolerances {
  readonly price: number;
  readonly amount: number;
}

/**
 * For each quote the order that already serves it and keeps its place in the exchange's queue.
 *
 * All orders are of the quotes' side. Open amounts are compared; exact matches go before near ones,
 * and the nearer in price before the farther. An order whose whole amount is wished again is kept
 * too, however much of it has filled: the same wish does not top it up. Orders being cancelled
 * serve none.
 */
export function pairQuotes(
  quotes: readonly Quote[],
  options: { readonly orders: readonly LiveOrder[]; readonly tolerances: Tolerances },
): readonly (LiveOrder | undefined)[] {
  const pairs = new Array<LiveOrder | undefined>(quotes.length);
  if (quotes.length === 0 || options.orders.length === 0) return pairs;
  const free = new Set<LiveOrder>(options.orders.filter((order) => order.status !== 'cancelling'));
  const searches = [
    (quote: Quote) => nearest(quote, { orders: free, tolerances: EXACT }),
    (quote: Quote) => identical(quote, free),
    (quote: Quote) => nearest(quote, { orders: free, tolerances: options.tolerances }),
  ];
  for (const search of searches) {
    quotes.forEach((quote, index) => {
      if (pairs[index] !== undefined) return;
      const order = search(quote);
      if (order === undefined) return;
      pairs[index] = order;
      free.delete(order);
    });
  }
  return pairs;
}

const EXACT: Tolerances = { price: 0, amount: 0 };

/** The order placed for the same wish, perhaps partly filled. */
function identical(quote: Quote, orders: Iterable<LiveOrder>): LiveOrder | undefined {
  for (const order of orders) {
    if (order.price === quote.price && order.amount === quote.amount) return order;
  }
  return undefined;
}

function nearest(
  quote: Quote,
  { orders, tolerances }: { orders: Iterable<LiveOrder>; tolerances: Tolerances },
): LiveOrder | undefined {
  let best: LiveOrder | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const order of orders) {
    const distance = Math.abs(order.price - quote.price);
    if (distance > quote.price * tolerances.price || distance >= bestDistance) continue;
    if (!isAmountNear(order, { quote, tolerance: tolerances.amount })) continue;
    best = order;
    bestDistance = distance;
  }
  return best;
}

/** Whether the order's open amount is near the quote's. */
function isAmountNear(
  order: LiveOrder,
  { quote, tolerance }: { quote: Quote; tolerance: number },
): boolean {
  const distance = Math.abs(openAmount(order) - quote.amount);
  return distance <= quote.amount * (tolerance + HAIR);
}
