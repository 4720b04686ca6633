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

  /** The one that is heard now. */
  take(): PriceNews {
    return this.#underWay.shift()!;
  }
}
