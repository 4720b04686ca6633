import type { CandlePath } from '../../../sim/index.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Walks the open candle along its path: which price comes next and when, at even intervals. */
export class CandleWalk {
  /** The path, until the first step asks for its prices; undefined from then on. */
  #path: CandlePath | undefined;
  #prices: readonly number[] = [];
  #length = 0;
  /** The index of the next price. */
  #at = 0;
  #open = 0;
  #openMs = 0;
  #stepMs = 0;
  #lastMs = 0;

  /**
   * A candle opens. Its prices are decided only at its first step, when all that trades at its open
   * has traded: the path may depend on the position.
   */
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
   * When the candle reaches its next price, whole milliseconds; infinite when none is left. It
   * reaches its close before it is over, so that a stop reached only there still sells there.
   */
  get nextMs(): number {
    if (this.#at >= this.#length) return NEVER;
    return Math.min(this.#lastMs, this.#openMs + Math.floor((this.#at + 1) * this.#stepMs));
  }

  /** Takes the next price. Undefined where the first step leaves the price at the open. */
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

  /** Skips repetitions of a price: they are no moves, though the time they take passes. */
  #pass(price: number): void {
    do this.#at++;
    while (this.#prices[this.#at] === price);
  }
}
