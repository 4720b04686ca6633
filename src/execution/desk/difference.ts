import {
  type LiveOrder,
  type OrderState,
  type Quote,
  SIDES,
  type Side,
} from '../../domain/index.ts';
import type { ExecutionConfig } from '../config.ts';
import type { Slot } from './slot.ts';

/** How far a resting order may be from a quote and still be it, as fractions. */
export interface Tolerances {
  readonly price: number;
  readonly amount: number;
}

/**
 * For each quote the order that already is it: it keeps its place in the exchange's queue.
 *
 * All orders are of the quotes' side. What is still open counts, exact before near, the near one in
 * price before the far one. An order whose whole amount was wished and is wished again is kept too,
 * however much of it has filled: the same wish does not top it up. Orders on their way out are none.
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

/** The order that was placed for the same wish, part of which may have filled. */
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

/** Compares what is still open: float noise of the subtraction is far below any amount step. */
function isAmountNear(
  order: LiveOrder,
  { quote, tolerance }: { quote: Quote; tolerance: number },
): boolean {
  const distance = Math.abs(order.amount - order.filledAmount - quote.amount);
  return distance <= quote.amount * (tolerance + 1e-12);
}

/** What must leave so that the orders become the slots. */
export interface Difference {
  readonly cancels: readonly LiveOrder[];
  readonly places: readonly Slot[];
}

/**
 * Compares the slots wanted with the orders that live for them.
 *
 * An order that belongs to no slot is cancelled; until that is confirmed it takes up the room of
 * one slot of its side, and of as much as it may still fill, and no order that would trade with it
 * is placed.
 */
export function difference(slots: readonly Slot[], orders: readonly LiveOrder[]): Difference {
  const leaving = leavingOf(slots, orders);
  const places: Slot[] = [];
  for (const side of SIDES) addPlaces(places, { side, slots, leaving });
  if (leaving.length === 0 && places.length === 0) return NOTHING;
  return { cancels: leaving.filter(isCancellable), places };
}

/** Nothing is missing. */
export const NOTHING: Difference = { cancels: [], places: [] };

function leavingOf(slots: readonly Slot[], orders: readonly LiveOrder[]): readonly LiveOrder[] {
  if (orders.length === 0) return orders;
  const kept = new Set<string>();
  for (const { clientOrderId } of slots) if (clientOrderId !== undefined) kept.add(clientOrderId);
  return kept.size === 0 ? orders : orders.filter((order) => !kept.has(order.clientOrderId));
}

function addPlaces(
  places: Slot[],
  options: { side: Side; slots: readonly Slot[]; leaving: readonly LiveOrder[] },
): void {
  const { side, slots, leaving } = options;
  let [room, amount] = [0, 0];
  for (const slot of slots) {
    if (slot.side !== side || !slot.isEmpty) continue;
    room++;
    amount += slot.amount;
  }
  const hair = amount * HAIR;
  for (const order of leaving) {
    if (order.side !== side) continue;
    room--;
    amount -= order.amount - order.filledAmount;
  }
  for (const slot of slots) {
    if (room <= 0) return;
    if (slot.side !== side || !slot.isEmpty) continue;
    if (leaving.some((order) => order.side !== side && wouldTrade(slot, order))) continue;
    if (slot.amount > amount + hair) return;
    places.push(slot);
    room--;
    amount -= slot.amount;
  }
}

/** Float noise of sums is far below any amount step. */
const HAIR = 1e-12;

function wouldTrade(slot: Slot, order: LiveOrder): boolean {
  return slot.side === 'buy' ? slot.price >= order.price : slot.price <= order.price;
}

/**
 * When the order is to be over by itself, milliseconds since the epoch; infinite: it may rest. One
 * that takes at once is asked about a read lag after it left; what is there for another one rests.
 */
export function overMsOf(
  { type, createdTime }: OrderState,
  { readLagMs }: Pick<ExecutionConfig, 'readLagMs'>,
): number {
  return type === 'ioc' ? createdTime + 2 * readLagMs : Number.POSITIVE_INFINITY;
}

/** When the first of the orders is to be over by itself; infinite: they may all rest. */
export function firstOverMs(
  orders: readonly OrderState[],
  config: Pick<ExecutionConfig, 'readLagMs'>,
): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const order of orders) firstMs = Math.min(firstMs, overMsOf(order, config));
  return firstMs;
}

/** Whether a cancel can name it to the exchange and none is under way. */
export function isCancellable(order: LiveOrder): boolean {
  return order.status === 'open' || (order.status === 'unknown' && isIdTold(order));
}

/** Whether nobody knows if it exists, or what became of it, and no cancel can name it. */
export function isInDoubt(order: LiveOrder): boolean {
  return order.status === 'unknown' && !isIdTold(order);
}

/** Whether its id is the exchange's word: one that a person named may be another's until read. */
export function isIdTold(order: LiveOrder): boolean {
  return order.exchangeOrderId !== undefined && order.evidence !== 'person';
}
