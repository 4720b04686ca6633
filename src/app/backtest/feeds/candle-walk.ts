const NEVER = Number.POSITIVE_INFINITY;

/** Where the path of the candle that is open leads, and when it comes to which price: evenly. */
export class CandleWalk {
  #prices: readonly number[] = [];
  /** The place of the next price. */
  #at = 0;
  #openMs = 0;
  #stepMs = 0;

  /**
   * A candle opens. The last of its prices is its close, to which it comes by closing. One that is as
   * the one before is no move, but takes its time.
   */
  begin(
    prices: readonly number[],
    { open, openMs, lastsMs }: { open: number; openMs: number; lastsMs: number },
  ): void {
    this.#prices = prices;
    this.#at = -1;
    this.#openMs = openMs;
    this.#stepMs = lastsMs / prices.length;
    this.#pass(open);
  }

  /** When it comes to the next price, whole milliseconds; infinite when only its close is left. */
  get nextMs(): number {
    if (this.#at + 1 >= this.#prices.length) return NEVER;
    return this.#openMs + Math.floor((this.#at + 1) * this.#stepMs);
  }

  /** The next price, which it has come to. */
  next(): number {
    const price = this.#prices[this.#at]!;
    this.#pass(price);
    return price;
  }

  #pass(price: number): void {
    do this.#at++;
    while (this.#prices[this.#at] === price);
  }
}
