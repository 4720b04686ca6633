import type { Side } from '../domain/index.ts';
import { Ladder } from './ladder.ts';
import { ANONYMOUS, NO_ORDER, OrderStore } from './order-store.ts';
import type { PriceLevel } from './price-level.ts';

/**
 * The order book of one market: price-time priority, trades at the resting order's price.
 *
 * Everything is in whole units, orders are slots of the store. Self trades are allowed, as the
 * contract is silent on them: an account that crosses itself trades with itself and pays both fees.
 *
 * A taker is matched in steps, so that no object is created for a fill: `makerFor` names the order
 * that it meets, `trade` reduces both, and so on until there is none left.
 */
export class Book {
  readonly orders = new OrderStore();
  readonly bids = new Ladder('buy', this.orders);
  readonly asks = new Ladder('sell', this.orders);
  /** Grows with every change. */
  version = 0;

  side(side: Side): Ladder {
    return side === 'buy' ? this.bids : this.asks;
  }

  /** Whether an order of that side and limit would trade at once. */
  wouldTake(side: Side, limit: number): boolean {
    const makers = side === 'buy' ? this.asks : this.bids;
    const best = makers.best;
    return best !== undefined && makers.isReachedBy(limit, best);
  }

  /** The resting order that a taker meets next, `NO_ORDER` when none is within its limit. */
  makerFor(taker: number): number {
    const { orders } = this;
    if (orders.remaining(taker) === 0) return NO_ORDER;
    const makers = orders.isBuy(taker) ? this.asks : this.bids;
    const best = makers.best;
    if (best === undefined || !makers.isReachedBy(orders.price(taker), best)) return NO_ORDER;
    return best.first;
  }

  /** As `makerFor`, passing over anonymous orders. */
  accountMakerFor(taker: number): number {
    const { orders } = this;
    if (orders.remaining(taker) === 0) return NO_ORDER;
    const makers = orders.isBuy(taker) ? this.asks : this.bids;
    const limit = orders.price(taker);
    for (let depth = 0; depth < makers.size; depth++) {
      const level = makers.fromBest(depth)!;
      if (!makers.isReachedBy(limit, level)) return NO_ORDER;
      if (level.amount === level.anonymousAmount) continue;
      let maker = level.first;
      while (orders.owner(maker) === ANONYMOUS) maker = orders.next(maker);
      return maker;
    }
    return NO_ORDER;
  }

  /**
   * The resting order that a recorded trade meets next. The orders of others at better prices must
   * have been gone, or the trade would have happened there: so it meets the account orders at
   * better prices, then whoever queues at its own price.
   */
  printMakerFor(taker: number): number {
    const { orders } = this;
    const maker = this.accountMakerFor(taker);
    const price = orders.price(taker);
    if (maker !== NO_ORDER && orders.price(maker) !== price) return maker;
    if (orders.remaining(taker) === 0) return NO_ORDER;
    const makers = orders.isBuy(taker) ? this.asks : this.bids;
    return makers.find(price)?.first ?? NO_ORDER;
  }

  /** Reduces both by what they trade. A maker with nothing left leaves the book. */
  trade(maker: number, taker: number): void {
    const { orders } = this;
    const offered = orders.remaining(maker);
    const wanted = orders.remaining(taker);
    const amount = offered < wanted ? offered : wanted;
    orders.setRemaining(taker, wanted - amount);
    this.reduce(maker, amount);
  }

  /** Puts the order at the back of the queue of its price. */
  rest(order: number): void {
    this.version++;
    this.#ladderOf(order).findOrCreate(this.orders.price(order)).append(order);
  }

  /** Takes a resting order out; false when it does not rest. Frees only slots of pooled orders. */
  remove(order: number): boolean {
    const number = this.orders.level(order);
    if (number === 0) return false;
    this.version++;
    const ladder = this.#ladderOf(order);
    const level = ladder.byNumber(number);
    level.remove(order);
    if (level.isEmpty) ladder.drop(level);
    if (this.orders.isPooled(order)) this.orders.free(order);
    return true;
  }

  /** Reduces a resting order, which keeps its place; with nothing left it leaves the book. */
  reduce(order: number, by: number): void {
    const { orders } = this;
    const number = orders.level(order);
    if (number === 0) return;
    this.version++;
    const remaining = orders.remaining(order) - by;
    this.#ladderOf(order)
      .byNumber(number)
      .resize(order, remaining > 0 ? remaining : 0);
    if (remaining <= 0) this.remove(order);
  }

  /** Takes anonymous liquidity out of a level, from the back of its queue. */
  reduceAnonymous(level: PriceLevel, by: number): void {
    const { orders } = this;
    let left = by;
    let order = level.last;
    while (order !== NO_ORDER && left > 0) {
      const previous = orders.previous(order);
      if (orders.owner(order) === ANONYMOUS) {
        const remaining = orders.remaining(order);
        this.reduce(order, Math.min(left, remaining));
        left -= remaining;
      }
      order = previous;
    }
  }

  /** Adds to a resting order; used for anonymous liquidity at the back of its queue only. */
  enlarge(order: number, by: number): void {
    this.reduce(order, -by);
  }

  #ladderOf(order: number): Ladder {
    return this.orders.isBuy(order) ? this.bids : this.asks;
  }
}
