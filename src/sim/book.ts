import type { Side } from '../domain/index.ts';
import { Ladder } from './ladder.ts';
import { ANONYMOUS, type Order } from './order.ts';
import type { PriceLevel } from './price-level.ts';

/** One match. The price is the maker's. Whole units. */
export interface Match {
  readonly maker: Order;
  readonly taker: Order;
  readonly amount: number;
}

/** Told of each match, after both orders were reduced. It must not touch the book. */
export type MatchSink = (match: Match) => void;

/**
 * The order book of one market: price-time priority, trades at the resting order's price.
 *
 * Everything is in whole units. Self trades are allowed, as the contract is silent on them: an
 * account that crosses itself trades with itself and pays both fees.
 */
export class Book {
  readonly bids = new Ladder('buy');
  readonly asks = new Ladder('sell');
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

  /** Trades the order against what rests opposite within its limit. It does not rest afterwards. */
  match(taker: Order, sink: MatchSink): void {
    const makers = taker.side === 'buy' ? this.asks : this.bids;
    while (taker.remaining > 0) {
      const level = makers.best;
      if (level === undefined || !makers.isReachedBy(taker.price, level)) return;
      this.#trade({ maker: level.first!, taker, level }, sink);
    }
  }

  /** As `match`, passing over anonymous orders. */
  matchAccountsOnly(taker: Order, sink: MatchSink): void {
    const makers = taker.side === 'buy' ? this.asks : this.bids;
    let depth = 0;
    for (;;) {
      const level = makers.fromBest(depth);
      if (level === undefined || !makers.isReachedBy(taker.price, level)) return;
      const size = makers.size;
      if (level.amount > level.anonymousAmount) this.#takeAccounts(level, { taker, sink });
      if (taker.remaining === 0) return;
      if (makers.size === size) depth++;
    }
  }

  #takeAccounts(level: PriceLevel, { taker, sink }: { taker: Order; sink: MatchSink }): void {
    let maker = level.first;
    while (maker !== undefined && taker.remaining > 0) {
      const next: Order | undefined = maker.next;
      if (maker.owner !== ANONYMOUS) this.#trade({ maker, taker, level }, sink);
      maker = next;
    }
  }

  #trade(at: { maker: Order; taker: Order; level: PriceLevel }, sink: MatchSink): void {
    const { maker, taker, level } = at;
    const amount = Math.min(maker.remaining, taker.remaining);
    this.version++;
    taker.remaining -= amount;
    level.resize(maker, maker.remaining - amount);
    if (maker.remaining === 0) this.#unlink(maker, level);
    sink({ maker, taker, amount });
  }

  /** Puts the order at the back of the queue of its price. */
  rest(order: Order): void {
    this.version++;
    this.side(order.side).findOrCreate(order.price).append(order);
  }

  /** Takes a resting order out; false when it does not rest. */
  remove(order: Order): boolean {
    if (order.level === undefined) return false;
    this.version++;
    this.#unlink(order, order.level);
    return true;
  }

  /** Reduces a resting order, which keeps its place; nothing left takes it out. */
  reduce(order: Order, by: number): void {
    if (order.level === undefined) return;
    this.version++;
    order.level.resize(order, Math.max(0, order.remaining - by));
    if (order.remaining === 0) this.#unlink(order, order.level);
  }

  /** Adds to a resting order; used for anonymous liquidity at the back of its queue only. */
  enlarge(order: Order, by: number): void {
    this.version++;
    order.level?.resize(order, order.remaining + by);
  }

  #unlink(order: Order, level: PriceLevel): void {
    level.remove(order);
    if (level.isEmpty) this.side(order.side).drop(level);
  }
}
