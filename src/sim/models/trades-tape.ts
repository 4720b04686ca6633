/** Weight of the newest observation in the running means, in which about the last 20 count. */
const WEIGHT = 0.1;
/** Spread as a part of the price before any bounce was seen: 5 basis points, a guess. */
const SPREAD_GUESS = 0.000_5;

/**
 * Infers from a tape of trades where best bid and ask are, and how much is traded.
 *
 * A buyer takes the best ask, a seller the best bid; the other side lies one spread away. The spread
 * is a running mean of the bounce, the step between the last buyer's and the last seller's price,
 * seen where the taker's side changes. Prices are units; a trade costs a few additions.
 */
export class TradesTape {
  #bought = 0;
  #sold = 0;
  #last = 0;
  #lastBuys = false;
  #spread = Number.NaN;
  #amount = Number.NaN;

  /** Learns from a trade: units of price and of amount. */
  observe(price: number, { amount, buys }: { amount: number; buys: boolean }): void {
    if (this.#last !== 0 && buys !== this.#lastBuys) {
      const bounce = buys ? price - this.#sold : this.#bought - price;
      if (bounce > 0) this.#spread = mean(this.#spread, bounce);
    }
    if (buys) this.#bought = price;
    else this.#sold = price;
    this.#last = price;
    this.#lastBuys = buys;
    this.#amount = mean(this.#amount, amount);
  }

  get isKnown(): boolean {
    return this.#last !== 0;
  }

  /** Whole units, at least one. */
  get spread(): number {
    const spread = Number.isNaN(this.#spread) ? this.#last * SPREAD_GUESS : this.#spread;
    return Math.max(1, Math.round(spread));
  }

  /** The best bid that the last trade implies, at least one unit. */
  get bid(): number {
    return Math.max(1, this.#lastBuys ? this.#last - this.spread : this.#last);
  }

  get ask(): number {
    return this.#lastBuys ? this.#last : this.#last + this.spread;
  }

  /** Mean amount of recent trades, units; not rounded. */
  get meanAmount(): number {
    return this.#amount;
  }
}

function mean(before: number, value: number): number {
  return Number.isNaN(before) ? value : before + WEIGHT * (value - before);
}
