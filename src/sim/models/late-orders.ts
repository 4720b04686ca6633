import { SIDES, type Side } from '../../domain/index.ts';
import type { Book } from '../book.ts';
import { ANONYMOUS, NO_ORDER } from '../order-store.ts';
import type { PriceLevel } from '../price-level.ts';

/** A part of a queue: an own order, or an amount of others. */
interface Waiting {
  /** `NO_ORDER`: an amount of others. */
  readonly order: number;
  readonly amount: number;
}

/** The late part of a queue, taken out of it, front first. */
export interface LatePart {
  readonly side: Side;
  readonly price: number;
  readonly waiting: readonly Waiting[];
  /** The amount of others in the part that stays in the queue. */
  readonly before: number;
}

/**
 * Takes the late part out of a queue: everything behind its last own order that arrived by `time`.
 * Undefined if no own order arrived later. Whatever is put back goes to the end of the queue.
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

/** As `takeLate`, for all queues that a trade at a price reaches. */
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
    // The worst level first: a level that becomes empty and goes shifts none of the better ones.
    for (let depth = reached - 1; depth >= 0; depth--) {
      const part = takeLate(book, { level: ladder.fromBest(depth)!, side, time });
      if (part !== undefined) parts.push(part);
    }
  }
  return parts;
}

/** The first entry of the late part of a queue; `NO_ORDER` where no own order came late. */
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
