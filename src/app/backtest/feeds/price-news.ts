const NEVER = Number.POSITIVE_INFINITY;

/** A price that a market came to, and when, milliseconds since the epoch. */
export interface PriceNews {
  readonly price: number;
  readonly timeMs: number;
  readonly heardMs: number;
}

/** Prices that are under way to the strategies, first come first heard. */
export class PriceLine {
  readonly #underWay: PriceNews[] = [];

  /** When the next one is heard; infinite while none is under way. */
  get heardMs(): number {
    return this.#underWay.length === 0 ? NEVER : this.#underWay[0]!.heardMs;
  }

  send(news: PriceNews): void {
    this.#underWay.push(news);
  }

  /** The newest of those that are heard now: a book is told as it stands, not as it was. */
  take(): PriceNews {
    const { heardMs } = this;
    let newest = this.#underWay.shift()!;
    while (this.heardMs === heardMs) newest = this.#underWay.shift()!;
    return newest;
  }
}
