import type { Depth } from '../../domain/index.ts';
import type { MarketView } from '../../market/index.ts';
import type { PriceView } from '../../risk/index.ts';

/** The newest price of a market; NaN before the first. */
export interface PriceCell {
  last: number;
  /** Rows are missing here: what it is now nobody knows. */
  isStale: boolean;
}

export interface RecordedPricesOptions {
  readonly markets: Iterable<string>;
  /** What knows of books, and how old they are. */
  readonly view: MarketView;
  /** Markets whose books are recorded. */
  readonly withBook: ReadonlySet<string>;
}

/**
 * The newest recorded prices. A market whose book is recorded is as fresh as that book, like live;
 * of all others any price is fresh but in a known gap: where nobody traded it is still the newest
 * there is.
 */
export class RecordedPrices implements PriceView {
  readonly #cells: ReadonlyMap<string, PriceCell>;
  readonly #view: MarketView;
  readonly #withBook: ReadonlySet<string>;

  constructor({ markets, view, withBook }: RecordedPricesOptions) {
    const cells = Array.from(markets, (market) => {
      return [market, { last: Number.NaN, isStale: false }] as const;
    });
    this.#cells = new Map(cells);
    this.#view = view;
    this.#withBook = withBook;
  }

  /** Where the newest price of a market is put. */
  cell(market: string): PriceCell {
    return this.#cells.get(market)!;
  }

  depth(market: string): Depth | undefined {
    return this.#withBook.has(market) ? this.#view.depth(market) : undefined;
  }

  last(market: string): number | undefined {
    const last = this.#cells.get(market)?.last;
    return last === undefined || Number.isNaN(last) ? undefined : last;
  }

  isFresh(market: string): boolean {
    if (this.#withBook.has(market)) return this.#view.isFresh(market);
    return this.last(market) !== undefined && !this.cell(market).isStale;
  }
}
