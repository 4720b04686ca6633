import type { Side } from '../../src/domain/index.ts';

/** An order in the oracle, in whole units. */
export interface SortedOrder {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  remaining: number;
}

/**
 * The rules of the book on two arrays in order of priority: plain, and fast for a small book.
 *
 * Trades of the last call are in `prices`, `amounts` and `makers`, the ids of whom they met.
 */
export class SortedBook {
  readonly bids: SortedOrder[] = [];
  readonly asks: SortedOrder[] = [];
  prices: number[] = [];
  amounts: number[] = [];
  makers: number[] = [];

  wouldTake(side: Side, limit: number): boolean {
    const best = this.#opposite(side)[0];
    return best !== undefined && reaches(side, limit, best.price);
  }

  add(order: SortedOrder, { rests }: { rests: boolean }): void {
    this.prices = [];
    this.amounts = [];
    this.makers = [];
    const makers = this.#opposite(order.side);
    while (order.remaining > 0 && this.wouldTake(order.side, order.price)) {
      const maker = makers[0]!;
      const amount = Math.min(maker.remaining, order.remaining);
      maker.remaining -= amount;
      order.remaining -= amount;
      this.prices.push(maker.price);
      this.amounts.push(amount);
      this.makers.push(maker.id);
      if (maker.remaining === 0) makers.shift();
    }
    if (rests && order.remaining > 0) this.#rest(order);
  }

  cancel(id: number): boolean {
    return take(this.bids, id) || take(this.asks, id);
  }

  #rest(order: SortedOrder): void {
    const orders = order.side === 'buy' ? this.bids : this.asks;
    let at = orders.length;
    while (at > 0 && reaches(order.side, order.price, orders[at - 1]!.price, true)) at--;
    orders.splice(at, 0, order);
  }

  #opposite(side: Side): SortedOrder[] {
    return side === 'buy' ? this.asks : this.bids;
  }
}

/** Whether a limit is at the price or beyond it, or `strictly` beyond. */
function reaches(side: Side, limit: number, price: number, strictly = false): boolean {
  if (limit === price) return !strictly;
  return side === 'buy' ? limit > price : limit < price;
}

function take(orders: SortedOrder[], id: number): boolean {
  const at = orders.findIndex((order) => order.id === id);
  if (at >= 0) orders.splice(at, 1);
  return at >= 0;
}
