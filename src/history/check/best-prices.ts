/** The levels of a book, with the best of each side at hand. */
export class BestPrices {
  readonly #bids = new Map<number, number>();
  readonly #asks = new Map<number, number>();
  #bid: number | undefined = Number.NEGATIVE_INFINITY;
  #ask: number | undefined = Number.POSITIVE_INFINITY;

  /** The highest bid; -Infinity without one. */
  get bid(): number {
    this.#bid ??= best(this.#bids, Number.NEGATIVE_INFINITY, Math.max);
    return this.#bid;
  }

  /** The lowest ask; Infinity without one. */
  get ask(): number {
    this.#ask ??= best(this.#asks, Number.POSITIVE_INFINITY, Math.min);
    return this.#ask;
  }

  get isCrossed(): boolean {
    return this.bid >= this.ask;
  }

  /** The amount that rests at a price. */
  amountAt(side: number, price: number): number {
    return (side > 0 ? this.#bids : this.#asks).get(price) ?? 0;
  }

  clear(): void {
    this.#bids.clear();
    this.#asks.clear();
    this.#bid = Number.NEGATIVE_INFINITY;
    this.#ask = Number.POSITIVE_INFINITY;
  }

  /** Sets the amount at a price; 0 takes the level away. `side`: 1 for bids, -1 for asks. */
  set(side: number, price: number, amount: number): void {
    const levels = side > 0 ? this.#bids : this.#asks;
    if (amount > 0) levels.set(price, amount);
    else levels.delete(price);
    // When a best price goes, the next one is searched for only when it is asked for.
    if (side > 0) this.#bid = amount > 0 ? maxOf(this.#bid, price) : without(this.#bid, price);
    else this.#ask = amount > 0 ? minOf(this.#ask, price) : without(this.#ask, price);
  }
}

function best(
  levels: ReadonlyMap<number, number>,
  none: number,
  better: (a: number, b: number) => number,
): number {
  let found = none;
  for (const price of levels.keys()) found = better(found, price);
  return found;
}

function maxOf(known: number | undefined, price: number): number | undefined {
  return known === undefined ? undefined : Math.max(known, price);
}

function minOf(known: number | undefined, price: number): number | undefined {
  return known === undefined ? undefined : Math.min(known, price);
}

function without(known: number | undefined, price: number): number | undefined {
  return known === price ? undefined : known;
}
