import { fillText, type Planned } from './planned-fills.ts';

/** A row of recorded depth in units; milliseconds after the start. */
export interface NaiveRow {
  readonly ms: number;
  readonly update: number;
  readonly event: 'snapshot' | 'change' | 'trade';
  /** Of a level its side, of a trade whether its taker buys. */
  readonly buys: boolean;
  readonly price: number;
  readonly amount: number;
}

interface Resting {
  readonly tag: string;
  readonly price: number;
  /** What waits before it. */
  ahead: number;
  left: number;
}

/**
 * Fills of resting orders of one side out of recorded depth, by what the documents say of the model
 * with a conservative queue. Wishes are made when the trade of their number is heard.
 */
export class NaiveDepth {
  readonly fills: string[] = [];
  readonly #buys: boolean;
  readonly #sign: 1 | -1;
  /** The recorded amounts of the own side by price. */
  readonly #levels = new Map<number, number>();
  #resting: Resting[] = [];

  constructor(buys: boolean) {
    this.#buys = buys;
    this.#sign = buys ? 1 : -1;
  }

  play(rows: readonly NaiveRow[], plan: readonly Planned[]): void {
    let trades = 0;
    for (const row of rows) {
      if (row.event === 'trade') this.#trade(row);
      else if (row.buys === this.#buys) this.#ownSide(row);
      else if (row.event === 'change') this.#otherSide(row);
      this.#resting = this.#resting.filter(({ left }) => left > 0);
      if (row.event !== 'trade') continue;
      for (const wish of plan) if (wish.at === trades) this.#arrive(wish);
      trades++;
    }
  }

  #arrive(wish: Planned): void {
    if ('cancel' in wish) {
      this.#resting = this.#resting.filter(({ tag }) => tag !== wish.cancel);
      return;
    }
    const { tag, price, amount } = wish;
    this.#resting.push({ tag, price, ahead: this.#levels.get(price) ?? 0, left: amount });
  }

  #trade({ ms, buys, price, amount }: NaiveRow): void {
    let offered = amount;
    for (const order of this.#bestFirst()) {
      const beyond = (order.price - price) * this.#sign;
      if (beyond < 0 || (beyond === 0 && buys === this.#buys)) break;
      if (beyond === 0) {
        const served = Math.min(order.ahead, offered);
        order.ahead -= served;
        offered -= served;
      } else order.ahead = 0;
      offered -= this.#fill(order, { ms, amount: offered });
    }
  }

  /** Who leaves without a trade leaves from behind. */
  #ownSide({ price, amount }: NaiveRow): void {
    this.#levels.set(price, amount);
    for (const order of this.#resting) {
      if (order.price === price) order.ahead = Math.min(order.ahead, amount);
    }
  }

  #otherSide({ ms, price, amount }: NaiveRow): void {
    let offered = amount;
    for (const order of this.#bestFirst()) {
      if ((order.price - price) * this.#sign < 0) break;
      offered -= this.#fill(order, { ms, amount: offered });
    }
  }

  #bestFirst(): Resting[] {
    return [...this.#resting].sort((a, b) => (b.price - a.price) * this.#sign);
  }

  #fill(order: Resting, { ms, amount: offered }: { ms: number; amount: number }): number {
    const amount = Math.min(order.left, offered);
    order.left -= amount;
    const { tag, price } = order;
    if (amount > 0) this.fills.push(fillText(tag, { price, amount, ms }));
    return amount;
  }
}
