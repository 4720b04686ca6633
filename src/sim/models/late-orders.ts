import { SIDES, type Side } from '../../domain/index.ts';
import type { Book } from '../book.ts';
import { ANONYMOUS, NO_ORDER } from '../order-store.ts';
import type { PriceLevel } from '../price-level.ts';

/** A part of a queue: an own order, or so much of others. */
interface Waiting {
  /** `NO_ORDER`: others. */
  readonly order: number;
  readonly amount: number;
}

/** What of a queue stands aside, from its front on. */
export interface LatePart {
  readonly side: Side;
  readonly price: number;
  readonly waiting: readonly Waiting[];
  /** What others have in the part that did not step aside. */
  readonly before: number;
}

/**
 * Takes out of a queue its own orders that came later than a time, and the others around and behind
 * them; undefined where none came later. What is put back stands behind all that is there then.
 */
export function takeLate(
  book: Book,
  { level, side, time }: { readonly level: PriceLevel; readonly side: Side; readonly time: number },
): LatePart | undefined {
  const first = firstLate(book, level, time);
  if (first === NO_ORDER) return undefined;
  const { orders } = book;
  const { price } = level;
  let before = level.anonymousAmount;
  const waiting: Waiting[] = [];
  for (let order = first; order !== NO_ORDER; ) {
    const next = orders.next(order);
    const isOwn = orders.owner(order) !== ANONYMOUS;
    const amount = orders.remaining(order);
    if (!isOwn) before -= amount;
    waiting.push({ order: isOwn ? order : NO_ORDER, amount });
    book.remove(order);
    order = next;
  }
  return { side, price, waiting, before };
}

/** As `takeLate`, of all queues that a trade at a price reaches. */
export function takeLateReached(
  book: Book,
  { price, time }: { readonly price: number; readonly time: number },
): LatePart[] {
  const parts: LatePart[] = [];
  for (const side of SIDES) {
    const ladder = book.side(side);
    let reached = 0;
    for (let level = ladder.best; level !== undefined; level = ladder.fromBest(++reached)) {
      if (!ladder.isReachedBy(price, level)) break;
    }
    // From the last on: a queue that is gone then moves none of those before it.
    for (let depth = reached - 1; depth >= 0; depth--) {
      const part = takeLate(book, { level: ladder.fromBest(depth)!, side, time });
      if (part !== undefined) parts.push(part);
    }
  }
  return parts;
}

/** The front of the part of a queue that came late; `NO_ORDER` where no own order did. */
function firstLate({ orders }: Book, level: PriceLevel, time: number): number {
  let first = NO_ORDER;
  let hasLate = false;
  for (let order = level.last; order !== NO_ORDER; order = orders.previous(order)) {
    if (orders.owner(order) !== ANONYMOUS) {
      if (orders.time(order) <= time) break;
      hasLate = true;
    }
    first = order;
  }
  return hasLate ? first : NO_ORDER;
}
