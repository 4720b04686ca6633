import type { Side } from '../../domain/index.ts';
import { FarLevels } from './level-book-far.ts';

/** Ticks of the window: 2,621 USDT at a tick of a cent, two megabytes. */
const WINDOW_TICKS = 262_144;
/** The window moves in steps of the ticks that one word of the summary covers. */
const STEP = 1_024;
/** The least number of levels set between two moves of the window: they share its cost. */
const MOVE_EVERY = 4_096;

/**
 * One side of a `LevelBook`.
 *
 * The levels near the best price lie in a window with one place for each tick and the best price
 * three quarters up. One bit for each place, and one for each word of those bits, lead from one
 * level to the next without looking at empty places. Levels beyond the window are kept in sorted
 * arrays. The window follows the best price when that leaves it.
 *
 * A place of the window is a rank: the price of a bid, the negated price of an ask, so that higher
 * is better on both sides.
 */
export class LevelSide {
  readonly side: Side;
  readonly #sign: 1 | -1;
  readonly #window: number;
  readonly #amounts: Float64Array;
  readonly #words: Int32Array;
  readonly #summary: Int32Array;
  readonly #far = new FarLevels();
  /** The rank of the first place. */
  #low = 0;
  /** The best place of the window, -1 while it is empty. */
  #best = -1;
  #setsToMove = 0;

  /** `windowTicks`: a power of two, at least 1024. Default: 262144. */
  constructor(side: Side, { windowTicks = WINDOW_TICKS }: { readonly windowTicks?: number } = {}) {
    this.side = side;
    this.#sign = side === 'buy' ? 1 : -1;
    this.#window = windowTicks;
    this.#amounts = new Float64Array(windowTicks);
    this.#words = new Int32Array(windowTicks >>> 5);
    this.#summary = new Int32Array(windowTicks >>> 10);
  }

  /** The best price in ticks, 0 while the side is empty. */
  get best(): number {
    const near = this.#best;
    if (this.#far.size === 0) return near < 0 ? 0 : (this.#low + near) * this.#sign;
    const far = this.#far.best;
    return (near < 0 || far > this.#low + near ? far : this.#low + near) * this.#sign;
  }

  /** The amount that rests at a price from now on; 0 when nothing does. */
  set(price: number, amount: number): void {
    const place = price * this.#sign - this.#low;
    this.#setsToMove--;
    // `| 0` tells the engine that the place is a 32-bit integer.
    if (place >= 0 && place < this.#window) this.#setNear(place | 0, amount);
    else this.#setBeyond(price * this.#sign, amount);
  }

  amountAt(price: number): number {
    const place = price * this.#sign - this.#low;
    if (place >= 0 && place < this.#window) return this.#amounts[place]!;
    return this.#far.amountAt(price * this.#sign);
  }

  /** The price of the next worse level after a price, in ticks; 0 when there is none. */
  next(price: number): number {
    const rank = price * this.#sign;
    const place = rank - this.#low;
    const near = place > 0 ? this.#below(Math.min(place, this.#window)) : -1;
    if (this.#far.size === 0) return near < 0 ? 0 : (this.#low + near) * this.#sign;
    const far = this.#far.below(rank);
    if (near >= 0 && !(far > this.#low + near)) return (this.#low + near) * this.#sign;
    return Number.isFinite(far) ? far * this.#sign : 0;
  }

  /** Writes the best levels, best first, into two arrays until those are full. Returns how many. */
  top(prices: Float64Array, amounts: Float64Array): number {
    let count = 0;
    const isSimple = this.#far.size === 0 || this.#far.best < this.#low;
    for (let at = isSimple ? this.#best : -1; at >= 0; at = this.#below(at)) {
      prices[count] = (this.#low + at) * this.#sign;
      amounts[count++] = this.#amounts[at]!;
      // Before the search for the next place, which may be far away.
      if (count === prices.length) return count;
    }
    let price = count === 0 ? this.best : this.next(prices[count - 1]!);
    for (; price !== 0 && count < prices.length; price = this.next(price)) {
      prices[count] = price;
      amounts[count++] = this.amountAt(price);
    }
    return count;
  }

  clear(): void {
    for (let block = 0; block < this.#summary.length; block++) {
      for (let rest = this.#summary[block]!; rest !== 0; rest &= rest - 1) {
        const word = (block << 5) + 31 - Math.clz32(rest & -rest);
        this.#words[word] = 0;
        this.#amounts.fill(0, word << 5, (word + 1) << 5);
      }
      this.#summary[block] = 0;
    }
    this.#best = -1;
    this.#far.clear();
  }

  /**
   * Sets an amount and its bits without a branch: whether a level comes or goes is hard to predict,
   * and a mispredicted branch costs more than everything else here.
   */
  #setNear(place: number, amount: number): void {
    this.#amounts[place] = amount;
    const filled = Number(amount !== 0);
    const word = place >>> 5;
    const shift = place & 31;
    const bits = (this.#words[word]! & ~(1 << shift)) | (filled << shift);
    this.#words[word] = bits;
    const block = word >>> 5;
    const words = this.#summary[block]! & ~(1 << (word & 31));
    this.#summary[block] = words | (Number(bits !== 0) << (word & 31));
    if (place >= this.#best) this.#setBest(place, filled);
  }

  /** The best place, or one above it, was set or cleared. */
  #setBest(place: number, filled: number): void {
    if (filled === 1) this.#best = place;
    else if (place === this.#best) this.#leaveBest(place);
  }

  #leaveBest(place: number): void {
    this.#best = this.#below(place);
    if (this.#best < this.#window >>> 3 && this.#far.size > 0) this.#follow();
  }

  /** The highest place with a level below `place`, -1 when there is none. */
  #below(place: number): number {
    let word = place >>> 5;
    const bits = place & 31 ? this.#words[word]! & ((1 << (place & 31)) - 1) : 0;
    if (bits !== 0) return (word << 5) + 31 - Math.clz32(bits);
    let block = word >>> 5;
    let words = word & 31 ? this.#summary[block]! & ((1 << (word & 31)) - 1) : 0;
    while (words === 0) {
      if (--block < 0) return -1;
      words = this.#summary[block]!;
    }
    word = (block << 5) + 31 - Math.clz32(words);
    return (word << 5) + 31 - Math.clz32(this.#words[word]!);
  }

  /** Sets a level outside the window; a new best level takes the window along. */
  #setBeyond(rank: number, amount: number): void {
    this.#far.set(rank, amount);
    if (amount > 0 && (rank > this.#low || this.#best < 0)) this.#follow();
  }

  /** Moves the window so that the best price lies three quarters up. */
  #follow(): void {
    if (this.#setsToMove > 0) return;
    this.#setsToMove = MOVE_EVERY;
    this.#empty();
    const start = this.#far.best - this.#window * 0.75;
    this.#low = Math.floor(start / STEP) * STEP;
    this.#far.take(this.#low, this.#low + this.#window, (rank, amount) => {
      this.#setNear(rank - this.#low, amount);
    });
  }

  /** Moves all levels of the window to the far ones. */
  #empty(): void {
    for (let place = this.#best; place >= 0; place = this.#below(place)) {
      this.#far.set(this.#low + place, this.#amounts[place]!);
      this.#amounts[place] = 0;
    }
    this.#words.fill(0);
    this.#summary.fill(0);
    this.#best = -1;
  }
}
