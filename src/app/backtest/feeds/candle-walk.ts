import type { CandlePath } from '../../../sim/index.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Where the path of the candle that is open leads, and when it comes to which price: evenly. */
export class CandleWalk {
  /** The path while nobody has asked where it leads. */
  #path: CandlePath | undefined;
  #prices: readonly number[] = [];
  #length = 0;
  /** The place of the next price. */
  #at = 0;
  #open = 0;
  #openMs = 0;
  #stepMs = 0;
  #lastMs = 0;

  /** A candle opens. Where it goes turns out with its first step, behind what trades at its open. */
  begin(
    path: CandlePath,
    { open, openMs, lastsMs }: { open: number; openMs: number; lastsMs: number },
  ): void {
    this.#path = path;
    this.#length = path.length;
    this.#at = 0;
    this.#open = open;
    this.#openMs = openMs;
    this.#stepMs = lastsMs / path.length;
    this.#lastMs = openMs + lastsMs - 1;
  }

  /**
   * When it comes to the next price, whole milliseconds; infinite when none is left. To its close it
   * comes before it is over: a stop that this price alone reaches sells there still.
   */
  get nextMs(): number {
    if (this.#at >= this.#length) return NEVER;
    return Math.min(this.#lastMs, this.#openMs + Math.floor((this.#at + 1) * this.#stepMs));
  }

  /** The next price, which it has come to; undefined where its first step leaves it at its open. */
  next(): number | undefined {
    if (this.#path !== undefined) {
      this.#prices = this.#path.prices();
      this.#path = undefined;
      if (this.#prices[0] === this.#open) {
        this.#pass(this.#open);
        return undefined;
      }
    }
    const price = this.#prices[this.#at]!;
    this.#pass(price);
    return price;
  }

  /** A price that is as the one before is no move, but takes its time. */
  #pass(price: number): void {
    do this.#at++;
    while (this.#prices[this.#at] === price);
  }
}
