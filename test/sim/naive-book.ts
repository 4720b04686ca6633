import type { OrderType, Side } from '../../src/domain/index.ts';

/** An order in the naive book. `owner` undefined: anonymous. */
export interface NaiveOrder {
  readonly id: number;
  readonly owner: string | undefined;
  readonly side: Side;
  readonly price: number;
  remaining: number;
  /** Made by `setLevel`: grows while nothing stands behind it. */
  readonly pooled?: boolean;
}

export interface NaiveTrade {
  readonly price: number;
  readonly amount: number;
  readonly takerSide: Side;
}

/** The rules of the book by scanning one array: slow and plain. Whole units. */
export class NaiveBook {
  orders: NaiveOrder[] = [];
  readonly trades: NaiveTrade[] = [];
  #nextId = 1;

  /** The id of the order, undefined when a PostOnly was refused. */
  add(terms: {
    owner: string | undefined;
    side: Side;
    type: OrderType;
    price: number;
    amount: number;
  }): number | undefined {
    const { owner, side, type, price, amount } = terms;
    if (type === 'postOnly' && this.#bestAgainst(side, price, () => true)) return undefined;
    const order = { id: this.#nextId++, owner, side, price, remaining: amount };
    this.#take(order, { eligible: () => true, published: true });
    if (order.remaining > 0 && type !== 'ioc') this.orders.push(order);
    return order.id;
  }

  cancel(id: number): boolean {
    const before = this.orders.length;
    this.orders = this.orders.filter((order) => order.id !== id);
    return this.orders.length < before;
  }

  setLevel({ side, price, amount }: { side: Side; price: number; amount: number }): void {
    const resting = this.orders.filter(
      (order) => order.owner === undefined && order.side === side && order.price === price,
    );
    let surplus = resting.reduce((sum, order) => sum + order.remaining, 0) - amount;
    for (const order of resting.reverse()) {
      const taken = Math.min(Math.max(0, surplus), order.remaining);
      order.remaining -= taken;
      surplus -= taken;
    }
    this.#sweep();
    if (surplus >= 0) return;
    const added = { id: this.#nextId++, owner: undefined, side, price, remaining: -surplus };
    this.#take(added, { eligible: (maker) => maker.owner !== undefined, published: true });
    if (added.remaining === 0) return;
    const last = this.orders.findLast((order) => order.side === side && order.price === price);
    if (last?.pooled) last.remaining += added.remaining;
    else this.orders.push({ ...added, pooled: true });
  }

  print({ takerSide, price, amount }: { takerSide: Side; price: number; amount: number }): void {
    const taker = { id: 0, owner: undefined, side: takerSide, price, remaining: amount };
    const eligible = (maker: NaiveOrder) => maker.owner !== undefined || maker.price === price;
    this.#take(taker, { eligible, published: false });
    this.trades.push({ price, amount, takerSide });
  }

  /** Levels of a side, best first, as [price, amount, orders of accounts in their order]. */
  levels(side: Side): [number, number][] {
    const sums = new Map<number, number>();
    for (const order of this.orders) {
      if (order.side !== side) continue;
      sums.set(order.price, (sums.get(order.price) ?? 0) + order.remaining);
    }
    const sign = side === 'buy' ? -1 : 1;
    return [...sums].sort(([a], [b]) => sign * (a - b));
  }

  #take(
    taker: NaiveOrder,
    how: { eligible: (maker: NaiveOrder) => boolean; published: boolean },
  ): void {
    while (taker.remaining > 0) {
      const maker = this.#bestAgainst(taker.side, taker.price, how.eligible);
      if (maker === undefined) return;
      const amount = Math.min(taker.remaining, maker.remaining);
      taker.remaining -= amount;
      maker.remaining -= amount;
      if (how.published) this.trades.push({ price: maker.price, amount, takerSide: taker.side });
      this.#sweep();
    }
  }

  /** The best, then oldest, opposite order within a limit. The array is in order of arrival. */
  #bestAgainst(side: Side, limit: number, eligible: (maker: NaiveOrder) => boolean) {
    const sign = side === 'buy' ? 1 : -1;
    let best: NaiveOrder | undefined;
    for (const order of this.orders) {
      if (order.side === side || sign * order.price > sign * limit || !eligible(order)) continue;
      if (best === undefined || sign * order.price < sign * best.price) best = order;
    }
    return best;
  }

  #sweep(): void {
    this.orders = this.orders.filter((order) => order.remaining > 0);
  }
}
