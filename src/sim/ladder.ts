import type { Side } from '../domain/index.ts';
import type { OrderStore } from './order-store.ts';
import { PriceLevel } from './price-level.ts';

/** Places of the cache that spares most levels a search. A power of two. */
const REMEMBERED = 1_024;

/**
 * The price levels of one side in order of price.
 *
 * A sorted array with the best level at its end: most levels come and go near the best price, where
 * an insertion moves next to nothing. A level is found in a cache by its price, else by a binary
 * search. A level that has become empty is reused for another price.
 */
export class Ladder {
  readonly side: Side;
  readonly #orders: OrderStore;
  readonly #levels: PriceLevel[] = [];
  readonly #byNumber: PriceLevel[] = [];
  readonly #free: PriceLevel[] = [];
  /** The cache, by the last bits of the price: a level may be empty or of another price by now. */
  readonly #remembered: (PriceLevel | undefined)[] = new Array(REMEMBERED).fill(undefined);
  readonly #sign: 1 | -1;

  constructor(side: Side, orders: OrderStore) {
    this.side = side;
    this.#orders = orders;
    this.#sign = side === 'buy' ? 1 : -1;
  }

  /** Levels with something resting. */
  get size(): number {
    return this.#levels.length;
  }

  get best(): PriceLevel | undefined {
    const { length } = this.#levels;
    return length === 0 ? undefined : this.#levels[length - 1];
  }

  /** The last level that a taker meets. */
  get worst(): PriceLevel | undefined {
    return this.#levels.length === 0 ? undefined : this.#levels[0];
  }

  /** The level `depth` steps behind the best, which is 0. */
  fromBest(depth: number): PriceLevel | undefined {
    return this.#levels[this.#levels.length - 1 - depth];
  }

  /** The level of that number, which its orders carry. */
  byNumber(number: number): PriceLevel {
    return this.#byNumber[number - 1]!;
  }

  find(price: number): PriceLevel | undefined {
    const at = this.#search(price * this.#sign);
    if (at === this.#levels.length) return undefined;
    const level = this.#levels[at]!;
    return level.price === price ? level : undefined;
  }

  findOrCreate(price: number): PriceLevel {
    const remembered = this.#remembered[price & (REMEMBERED - 1)];
    if (remembered !== undefined && remembered.price === price && !remembered.isEmpty) {
      return remembered;
    }
    const level = this.#searchOrCreate(price);
    this.#remembered[price & (REMEMBERED - 1)] = level;
    return level;
  }

  #searchOrCreate(price: number): PriceLevel {
    const rank = price * this.#sign;
    const at = this.#search(rank);
    if (at < this.#levels.length) {
      const known = this.#levels[at]!;
      if (known.rank === rank) return known;
    }
    const level = this.#free.pop() ?? this.#create();
    level.price = price;
    level.rank = rank;
    if (at === this.#levels.length) this.#levels.push(level);
    else this.#levels.splice(at, 0, level);
    return level;
  }

  /** Forgets a level that has become empty. */
  drop(level: PriceLevel): void {
    const at = this.#search(level.rank);
    if (at === this.#levels.length - 1) this.#levels.pop();
    else this.#levels.splice(at, 1);
    this.#free.push(level);
  }

  /** Whether an opposite order with that limit would trade with a level. */
  isReachedBy(limit: number, level: PriceLevel): boolean {
    return limit * this.#sign <= level.rank;
  }

  #create(): PriceLevel {
    const level = new PriceLevel(this.#orders, this.#byNumber.length + 1);
    this.#byNumber.push(level);
    return level;
  }

  /** The first place whose rank is not below `rank`. */
  #search(rank: number): number {
    const levels = this.#levels;
    let low = 0;
    let high = levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (levels[middle]!.rank < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
