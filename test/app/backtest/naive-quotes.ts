import type { Planned, PlannedFill, PlannedOrder } from './planned-fills.ts';

/** A quote in units, milliseconds after the start; 0 where a side is empty. */
export interface NaiveQuote {
  readonly ms: number;
  readonly bid: number;
  readonly bidAmount: number;
  readonly ask: number;
  readonly askAmount: number;
}

interface Resting {
  readonly tag: string;
  readonly price: number;
  left: number;
}

/**
 * Fills of orders of one side out of quotes, by what the documents say of the model: at the price of
 * the other side on arrival, at their own once the other side reaches it. Wishes are made when the
 * quote of their number is heard, and none leaves on one that is one-sided or crossed.
 */
export class NaiveQuotes {
  readonly fills: PlannedFill[] = [];
  readonly #buys: boolean;
  /** What the newest quote offers, and what is left of it. */
  #price = 0;
  #amount = 0;
  #left = 0;
  #resting: Resting[] = [];

  constructor(buys: boolean) {
    this.#buys = buys;
  }

  play(quotes: readonly NaiveQuote[], plan: readonly Planned[]): void {
    for (const [at, quote] of quotes.entries()) {
      const { ms, bid, ask, bidAmount, askAmount } = quote;
      this.#offer(this.#buys ? ask : bid, this.#buys ? askAmount : bidAmount);
      for (const order of this.#bestFirst()) if (this.#isWithin(order.price)) this.#take(order, ms);
      const isTradable = bid > 0 && bid < ask;
      for (const wish of plan) {
        if (wish.at !== at) continue;
        if ('cancel' in wish)
          this.#resting = this.#resting.filter(({ tag }) => tag !== wish.cancel);
        else if (isTradable) this.#arrive(wish, ms);
      }
    }
  }

  /** The same price and amount again say nothing of what own orders took. */
  #offer(price: number, amount: number): void {
    if (price === this.#price && amount === this.#amount) return;
    this.#price = price;
    this.#amount = amount;
    this.#left = amount;
  }

  #isWithin(price: number): boolean {
    if (this.#price === 0) return false;
    return this.#buys ? price >= this.#price : price <= this.#price;
  }

  #arrive({ tag, type, price, amount }: PlannedOrder, ms: number): void {
    const order = { tag, price, left: amount };
    if (this.#isWithin(price)) {
      // The bot goes by the quote as it heard it, whatever own orders left of it.
      if (type === 'postOnly') return;
      this.#take(order, ms, this.#price);
    }
    if (order.left > 0 && type !== 'ioc') this.#resting.push(order);
  }

  #take(order: Resting, ms: number, price = order.price): void {
    const amount = Math.min(order.left, this.#left);
    if (amount === 0) return;
    order.left -= amount;
    this.#left -= amount;
    this.fills.push({ tag: order.tag, price, amount, ms });
    this.#resting = this.#resting.filter(({ left }) => left > 0);
  }

  #bestFirst(): Resting[] {
    const sign = this.#buys ? 1 : -1;
    return [...this.#resting].sort((a, b) => (b.price - a.price) * sign);
  }
}
