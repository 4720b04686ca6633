const FIRST_CAPACITY = 256;

/**
 * Levels beyond the window of a `LevelSide`: few of them change, so sorted arrays suffice. Ranks
 * ascend; the best level is the last one.
 */
export class FarLevels {
  #ranks = new Float64Array(FIRST_CAPACITY);
  #amounts = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** The highest rank, -Infinity while there is none. */
  get best(): number {
    return this.#count === 0 ? Number.NEGATIVE_INFINITY : this.#ranks[this.#count - 1]!;
  }

  /** Sets the amount at a rank, 0 to remove it. */
  set(rank: number, amount: number): void {
    const at = this.#search(rank);
    const known = at < this.#count && this.#ranks[at] === rank;
    if (known && amount > 0) this.#amounts[at] = amount;
    else if (known) this.#remove(at, at + 1);
    else if (amount > 0) this.#insert(at, { rank, amount });
  }

  amountAt(rank: number): number {
    const at = this.#search(rank);
    return at < this.#count && this.#ranks[at] === rank ? this.#amounts[at]! : 0;
  }

  /** The highest rank below `rank`, -Infinity when there is none. */
  below(rank: number): number {
    const at = this.#search(rank) - 1;
    return at < 0 ? Number.NEGATIVE_INFINITY : this.#ranks[at]!;
  }

  /** Removes the levels whose rank is at least `from` and below `to`, handing over each. */
  take(from: number, to: number, handOver: (rank: number, amount: number) => void): void {
    const first = this.#search(from);
    const end = this.#search(to);
    for (let at = first; at < end; at++) handOver(this.#ranks[at]!, this.#amounts[at]!);
    this.#remove(first, end);
  }

  clear(): void {
    this.#count = 0;
  }

  #insert(at: number, { rank, amount }: { rank: number; amount: number }): void {
    if (this.#count === this.#ranks.length) this.#grow();
    this.#ranks.copyWithin(at + 1, at, this.#count);
    this.#amounts.copyWithin(at + 1, at, this.#count);
    this.#ranks[at] = rank;
    this.#amounts[at] = amount;
    this.#count++;
  }

  #remove(first: number, end: number): void {
    this.#ranks.copyWithin(first, end, this.#count);
    this.#amounts.copyWithin(first, end, this.#count);
    this.#count -= end - first;
  }

  #grow(): void {
    const { length } = this.#ranks;
    const ranks = new Float64Array(2 * length);
    const amounts = new Float64Array(2 * length);
    ranks.set(this.#ranks);
    amounts.set(this.#amounts);
    this.#ranks = ranks;
    this.#amounts = amounts;
  }

  /** The first place whose rank is not below `rank`. */
  #search(rank: number): number {
    const ranks = this.#ranks;
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ranks[middle]! < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
