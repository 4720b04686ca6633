import { type LiveOrder, SIDES, type Side } from '../../domain/index.ts';
import { passing } from '../../kernel/index.ts';
import { isCancellable } from './live-order.ts';
import { HAIR, openAmount } from './open-amount.ts';
import type { Slot } from './slot.ts';

/** What must leave so that the live orders become those of the slots. */
export interface Difference {
  readonly cancels: readonly LiveOrder[];
  readonly places: readonly Slot[];
}

/**
 * Compares the wanted slots with their live orders.
 *
 * An order that belongs to no slot is cancelled. Until that is confirmed it takes up the room of
 * one slot of its side, with the amount that it may still fill, and no order that would trade with
 * it is placed.
 */
export function difference(slots: readonly Slot[], orders: readonly LiveOrder[]): Difference {
  const isKept = ({ clientOrderId }: LiveOrder): boolean =>
    slots.some((slot) => slot.clientOrderId === clientOrderId);
  const leaving = passing(orders, (order) => !isKept(order));
  const empty = slots.filter((slot) => slot.isEmpty);
  if (leaving.length === 0 && empty.length === 0) return NOTHING;
  const places = SIDES.flatMap((side) => placesOf(side, { empty, leaving }));
  return { cancels: passing(leaving, isCancellable), places };
}

/** Nothing is missing. */
export const NOTHING: Difference = { cancels: [], places: [] };

/** Cancels these orders, as far as a cancel can name them now; nothing is placed meanwhile. */
export function cancelsOf(orders: readonly LiveOrder[]): Difference {
  return { cancels: orders.filter(isCancellable), places: [] };
}

/** The empty slots of a side to place now, as far as the orders on their way out leave room. */
function placesOf(
  side: Side,
  { empty: all, leaving }: { empty: readonly Slot[]; leaving: readonly LiveOrder[] },
): Slot[] {
  const empty = passing(all, (slot) => slot.side === side);
  if (empty.length === 0) return [];
  let room = empty.length;
  let amount = 0;
  for (const slot of empty) amount += slot.amount;
  const hair = amount * HAIR;
  for (const order of leaving) {
    if (order.side !== side) continue;
    room--;
    amount -= openAmount(order);
  }
  const places: Slot[] = [];
  for (const slot of empty) {
    if (room <= 0) break;
    if (leaving.some((order) => order.side !== side && wouldTrade(slot, order))) continue;
    if (slot.amount > amount + hair) break;
    places.push(slot);
    room--;
    amount -= slot.amount;
  }
  return places;
}

function wouldTrade(slot: Slot, order: LiveOrder): boolean {
  return slot.side === 'buy' ? slot.price >= order.price : slot.price <= order.price;
}
