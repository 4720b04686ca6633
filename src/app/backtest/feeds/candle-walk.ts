const NEVER = Number.POSITIVE_INFINITY;

/** Where the path of the candle that is open leads, and when it comes to which price: evenly. */
export class CandleWalk {
  #prices: readonly number[] = [];
  /** The place of the next price. */
  #at = 0;
  #openMs = 0;
  #stepMs = 0;
  #lastMs = 0;

  /** A candle opens. A price that is as the one before is no move, but takes its time. */
  begin(
    prices: readonly number[],
    { open, openMs, lastsMs }: { open: number; openMs: number; lastsMs: number },
  ): void {
    this.#prices = prices;
    this.#at = -1;
    this.#openMs = openMs;
    this.#stepMs = lastsMs / prices.length;
    this.#lastMs = openMs + lastsMs - 1;
    this.#pass(open);
  }

  /**
   * When it comes to the next price, whole milliseconds; infinite when none is left. To its close it
   * comes before it is over: a stop that this price alone reaches sells there still.
   */
  get nextMs(): number {
    if (this.#at >= this.#prices.length) return NEVER;
    return Math.min(this.#lastMs, this.#openMs + Math.floor((this.#at + 1) * this.#stepMs));
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
