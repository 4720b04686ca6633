import { opposite, SIDES, type Side } from '../../domain/index.ts';
import type { Ladder } from '../ladder.ts';
import type { MatchingEngine } from '../matching-engine.ts';
import { ANONYMOUS, NO_ORDER } from '../order-store.ts';
import type { PriceLevel } from '../price-level.ts';
import { type LatePart, takeLate, takeLateReached } from './late-orders.ts';

/** Whole units of one market: a price and what rests or trades there. */
export interface Terms {
  readonly price: number;
  readonly amount: number;
}

/** Who leaves a queue that gets shorter without a trade. */
export const LEAVERS = ['conservative', 'proportional'] as const;
/** `conservative`: the last to arrive first; `proportional`: everybody the same part. */
export type Leavers = (typeof LEAVERS)[number];

/**
 * The anonymous orders that own orders meet in the book of one market: those that wait at the same
 * prices, and those lent to the book for an order that is about to arrive. They share the queue of
 * each price with own orders. All in whole units.
 */
export class Queues {
  readonly #engine: MatchingEngine;
  readonly #bids: Ladder;
  readonly #asks: Ladder;
  /** The levels that the arriving order may meet, lent or beside own orders, and their side. */
  readonly #lent: Lent[] = [];
  #lentSide: Side = 'buy';

  constructor(engine: MatchingEngine) {
    this.#engine = engine;
    this.#bids = engine.book.bids;
    this.#asks = engine.book.asks;
  }

  /** The amount that waits at a price, without own orders. */
  waiting(side: Side, price: number): number {
    return this.#engine.book.side(side).find(price)?.anonymousAmount ?? 0;
  }

  /** The level of a price if own orders rest there, otherwise undefined. */
  ownLevel(side: Side, price: number): PriceLevel | undefined {
    const ladder = side === 'buy' ? this.#bids : this.#asks;
    const { best } = ladder;
    if (best === undefined || !ladder.isReachedBy(price, best)) return undefined;
    const level = best.price === price ? best : ladder.find(price);
    return level !== undefined && isOwn(level) ? level : undefined;
  }

  /** Calls back with each level where own orders rest; the callback may change that level. */
  forOwnLevels(side: Side, work: (level: PriceLevel) => void): void {
    const ladder = this.#engine.book.side(side);
    for (let depth = ladder.size - 1; depth >= 0; depth--) {
      const level = ladder.fromBest(depth);
      if (level !== undefined && isOwn(level)) work(level);
    }
  }

  /** Queues an amount at a price, behind everything there. */
  join(side: Side, { price, amount }: Terms): void {
    if (!(amount > 0)) return;
    const { book } = this.#engine;
    const { orders } = book;
    const last = book.side(side).find(price)?.last ?? NO_ORDER;
    if (last !== NO_ORDER && orders.isPooled(last)) book.enlarge(last, amount);
    else book.rest(orders.add({ owner: ANONYMOUS, side, price, amount, pooled: true }));
  }

  /**
   * Makes the queue of a level, without own orders, as long as it was at `time`. Amounts that
   * joined by then go ahead of own orders that arrived later.
   */
  resize(level: PriceLevel, { side, amount, leavers, time }: LevelChange): void {
    const surplus = level.anonymousAmount - amount;
    if (surplus < 0) {
      const joining = { price: level.price, amount: -surplus };
      const late = takeLate(this.#engine.book, { level, side, time });
      this.join(side, joining);
      if (late !== undefined) this.#putBack(late);
    } else if (leavers === 'conservative') this.#engine.book.reduceAnonymous(level, surplus);
    else this.#leaveEverywhere(level, surplus);
  }

  /** Removes queues where no own order waits any more. */
  sweep(): void {
    for (const side of SIDES) {
      const ladder = this.#engine.book.side(side);
      for (let depth = ladder.size - 1; depth >= 0; depth--) {
        const level = ladder.fromBest(depth)!;
        if (!isOwn(level)) this.#engine.book.reduceAnonymous(level, level.anonymousAmount);
      }
    }
  }

  /**
   * Lends an amount at a price to the book, for an order of the other side that arrives next.
   * Returns how much of others the order meets there: where own orders rest already, nothing is
   * lent, and it meets the queue around them.
   */
  lend(side: Side, { price, amount }: Terms): number {
    const own = this.ownLevel(side, price);
    const meets = own === undefined ? amount : own.anonymousAmount;
    this.#lentSide = side;
    this.#lent.push({ price, amount: meets, stays: own !== undefined });
    if (own === undefined) this.join(side, { price, amount });
    return meets;
  }

  /** Takes back what is left of the lent amounts. `taken` hears what the order took, by price. */
  takeBack(taken?: (side: Side, terms: Terms) => void): void {
    if (this.#lent.length === 0) return;
    const side = this.#lentSide;
    const ladder = this.#engine.book.side(side);
    for (const { price, amount, stays } of this.#lent) {
      const level = ladder.find(price);
      const left = level?.anonymousAmount ?? 0;
      if (level !== undefined && !stays) this.#engine.book.reduceAnonymous(level, left);
      if (left < amount) taken?.(side, { price, amount: amount - left });
    }
    this.#lent.length = 0;
  }

  /**
   * The rank from which levels of a side concern resting orders: such a level is at least as good
   * as the worst level of its own side in the book, or crosses the other side. Infinite where
   * nothing rests.
   */
  reach(side: Side): number {
    const queue = (side === 'buy' ? this.#bids : this.#asks).worst;
    const maker = (side === 'buy' ? this.#asks : this.#bids).best;
    const queueRank = queue === undefined ? Number.POSITIVE_INFINITY : queue.rank;
    // The rank of a price has the opposite sign on the other side.
    const makerRank = maker === undefined ? Number.POSITIVE_INFINITY : -maker.rank;
    return Math.min(queueRank, makerRank);
  }

  /** Whether a level of that side reaches orders that rest on the other one. */
  isCrossed(side: Side, price: number): boolean {
    const makers = side === 'buy' ? this.#asks : this.#bids;
    const { best } = makers;
    return best !== undefined && makers.isReachedBy(price, best);
  }

  /** Whether a trade at a price reaches orders that rest on either side. */
  isReached(price: number): boolean {
    const bid = this.#bids.best;
    if (bid !== undefined && bid.price >= price) return true;
    const ask = this.#asks.best;
    return ask !== undefined && ask.price <= price;
  }

  /**
   * Own orders meet a trade that really happened. If it traded beyond their price, the queue ahead
   * of them is gone and they fill; at their price the queue is served first, and only a taker of
   * the other side serves it. `capped`: the trade fills no more than its own amount, otherwise
   * orders that it went beyond fill whole. An order that arrived later than the trade was not
   * there: the trade affects neither the order nor the queue ahead of it. True when own orders
   * filled.
   */
  print(terms: Terms, print: Print): boolean {
    const { price } = terms;
    const late = takeLateReached(this.#engine.book, { price, time: print.time });
    const filledAny = this.#serve(terms, print);
    for (const part of late) this.#putBack(part);
    return filledAny;
  }

  #serve({ price, amount }: Terms, { takerSide, capped }: Print): boolean {
    let left = amount;
    let filledAny = false;
    for (const side of SIDES) {
      const beyond = price + (side === 'buy' ? 1 : -1);
      if (!this.#clear(side, beyond)) continue;
      const most = capped ? left : Number.MAX_SAFE_INTEGER;
      const filled = this.cross(opposite(side), { price: beyond, amount: most });
      if (capped) left -= filled;
      filledAny ||= filled > 0;
    }
    const level = this.ownLevel(opposite(takerSide), price);
    if (level === undefined || !(left > 0)) return filledAny;
    const own = level.amount - level.anonymousAmount;
    this.#engine.print({ takerSide, price, amount: left });
    return filledAny || level.price !== price || level.amount - level.anonymousAmount !== own;
  }

  /** Puts back the late part of a queue, with as much of others ahead of it as before. */
  #putBack({ side, price, waiting, before }: LatePart): void {
    this.join(side, { price, amount: before - this.waiting(side, price) });
    for (const { order, amount } of waiting) {
      if (order === NO_ORDER) this.join(side, { price, amount });
      else this.#engine.book.rest(order);
    }
  }

  /** Fills own orders up to a price, whoever waits ahead of them. Returns the amount filled. */
  cross(takerSide: Side, { price, amount }: Terms): number {
    const { orders } = this.#engine.book;
    const taker = orders.add({ owner: ANONYMOUS, side: takerSide, price, amount });
    this.#engine.crossAccounts(taker);
    const filled = amount - orders.remaining(taker);
    orders.free(taker);
    return filled;
  }

  /** Removes the queues at a price and better; false when no own order rests there. */
  #clear(side: Side, price: number): boolean {
    const ladder = this.#engine.book.side(side);
    let depth = 0;
    for (;;) {
      const level = ladder.fromBest(depth);
      if (level === undefined || !ladder.isReachedBy(price, level)) return depth > 0;
      // A level without own orders goes with its queue, and the next one takes its place.
      if (isOwn(level)) depth++;
      this.#engine.book.reduceAnonymous(level, level.anonymousAmount);
    }
  }

  /** Takes the same part from all. Rounding takes more from the back: it never helps own orders. */
  #leaveEverywhere(level: PriceLevel, surplus: number): void {
    const { book } = this.#engine;
    const { orders } = book;
    let waiting = level.anonymousAmount;
    let left = surplus;
    let order = level.last;
    while (order !== NO_ORDER && left > 0) {
      const previous = orders.previous(order);
      if (orders.owner(order) === ANONYMOUS) {
        const remaining = orders.remaining(order);
        const leaving = Math.min(remaining, left, Math.ceil((left / waiting) * remaining));
        waiting -= remaining;
        book.reduce(order, leaving);
        left -= leaving;
      }
      order = previous;
    }
  }
}

/** An amount that an arriving order may meet at a price. */
interface Lent extends Terms {
  /** Whether it is the queue beside own orders, which stays whatever arrives. */
  readonly stays: boolean;
}

interface LevelChange {
  readonly side: Side;
  readonly amount: number;
  readonly leavers: Leavers;
  /** When the queue was so long, milliseconds since the epoch. */
  readonly time: number;
}

interface Print {
  readonly takerSide: Side;
  readonly capped: boolean;
  /** When the trade happened, milliseconds since the epoch. */
  readonly time: number;
}

function isOwn(level: PriceLevel): boolean {
  return level.amount !== level.anonymousAmount;
}
