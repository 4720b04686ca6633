const NEVER = Number.POSITIVE_INFINITY;

/** Where the path of the candle that is open leads, and when it comes to which price: evenly. */
export class CandleWalk {
  #prices: readonly number[] = [];
  #at = 0;
  #openMs = 0;
  #stepMs = 0;

  /** A candle opens. The last of its prices is its close, to which it comes by closing. */
  begin(prices: readonly number[], { openMs, lastsMs }: { openMs: number; lastsMs: number }): void {
    this.#prices = prices;
    this.#at = 0;
    this.#openMs = openMs;
    this.#stepMs = lastsMs / prices.length;
  }

  /** When it comes to the next price, whole milliseconds; infinite when only its close is left. */
  get nextMs(): number {
    if (this.#at + 1 >= this.#prices.length) return NEVER;
    return this.#openMs + Math.floor((this.#at + 1) * this.#stepMs);
  }

  /** The next price, which it has come to. */
  next(): number {
    return this.#prices[this.#at++]!;
  }
}
