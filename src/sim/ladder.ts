import type { Side } from '../domain/index.ts';
import { PriceLevel } from './price-level.ts';

/**
 * The price levels of one side in order of price.
 *
 * A sorted array with the best level at its end: most levels come and go near the best price, where
 * an insertion moves next to nothing. Finding a level is a binary search.
 */
export class Ladder {
  readonly side: Side;
  readonly #levels: PriceLevel[] = [];
  readonly #sign: 1 | -1;

  constructor(side: Side) {
    this.side = side;
    this.#sign = side === 'buy' ? 1 : -1;
  }

  /** Levels with something resting. */
  get size(): number {
    return this.#levels.length;
  }

  get best(): PriceLevel | undefined {
    return this.#levels[this.#levels.length - 1];
  }

  /** The level `depth` steps behind the best, which is 0. */
  fromBest(depth: number): PriceLevel | undefined {
    return this.#levels[this.#levels.length - 1 - depth];
  }

  find(price: number): PriceLevel | undefined {
    const level = this.#levels[this.#search(price * this.#sign)];
    return level?.price === price ? level : undefined;
  }

  findOrCreate(price: number): PriceLevel {
    const rank = price * this.#sign;
    const at = this.#search(rank);
    const known = this.#levels[at];
    if (known?.rank === rank) return known;
    const level = new PriceLevel(price, rank);
    if (at === this.#levels.length) this.#levels.push(level);
    else this.#levels.splice(at, 0, level);
    return level;
  }

  /** Forgets a level that has become empty. */
  drop(level: PriceLevel): void {
    const at = this.#search(level.rank);
    if (at === this.#levels.length - 1) this.#levels.pop();
    else this.#levels.splice(at, 1);
  }

  /** Whether an opposite order with that limit would trade with a level. */
  isReachedBy(limit: number, level: PriceLevel): boolean {
    return limit * this.#sign <= level.rank;
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
