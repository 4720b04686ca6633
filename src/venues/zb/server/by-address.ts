/** How many addresses are kept before the silent ones among them are first searched for. */
const KEPT_MIN = 1_024;

/**
 * State per network address, in memory that is bounded by the number of addresses that are not
 * silent.
 *
 * Whenever twice as many are kept as the last search left, the silent ones are dropped: a constant
 * effort for each new address.
 */
export class ByAddress<T> {
  readonly #make: () => T;
  readonly #isSilent: (kept: T, nowMs: number) => boolean;
  readonly #kept = new Map<string, T>();
  #sweepAt = KEPT_MIN;

  constructor(make: () => T, isSilent: (kept: T, nowMs: number) => boolean) {
    this.#make = make;
    this.#isSilent = isSilent;
  }

  /** How many are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** The state of an address, if there is one. */
  get(address: string): T | undefined {
    return this.#kept.get(address);
  }

  /** The state of an address, made if there is none yet. */
  of(address: string, nowMs: number): T {
    let kept = this.#kept.get(address);
    if (kept === undefined) {
      if (this.#kept.size >= this.#sweepAt) this.#forgetSilent(nowMs);
      kept = this.#make();
      this.#kept.set(address, kept);
    }
    return kept;
  }

  [Symbol.iterator](): MapIterator<[string, T]> {
    return this.#kept.entries();
  }

  #forgetSilent(nowMs: number): void {
    for (const [address, kept] of this.#kept) {
      if (this.#isSilent(kept, nowMs)) this.#kept.delete(address);
    }
    this.#sweepAt = Math.max(KEPT_MIN, 2 * this.#kept.size);
  }
}
