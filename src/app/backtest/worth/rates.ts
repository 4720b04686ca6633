import type { Market } from '../../../domain/index.ts';
import type { PriceCell, RecordedPrices } from '../feeds/prices.ts';
import { type Route, rateOf, routesTo } from './routes.ts';

export interface RatesOptions {
  readonly markets: readonly Market[];
  readonly prices: Pick<RecordedPrices, 'cell'>;
  /** The currency that the account is valued in. */
  readonly currency: string;
}

/** What markets' quote currencies are worth in the account's currency, at present prices. */
export class Rates {
  readonly #markets: readonly Market[];
  readonly #cells: readonly PriceCell[];
  /** The prices that the data begin with; NaN where they tell of none. */
  #firsts: readonly number[];
  readonly #routes: ReadonlyMap<string, Route>;

  constructor({ markets, prices, currency }: RatesOptions) {
    this.#markets = markets;
    this.#cells = markets.map(({ id }) => prices.cell(id));
    this.#firsts = markets.map(() => Number.NaN);
    const routes = routesTo(currency, markets);
    this.#routes = new Map(markets.map(({ id, quote }) => [id, routes.get(quote)!]));
  }

  /** Takes the prices that the data begin with. They count for markets without a price yet. */
  begin(firstPrices: ReadonlyMap<string, number>): void {
    this.#firsts = this.#markets.map(({ id }) => firstPrices.get(id) ?? Number.NaN);
  }

  /** The rate of a market's quote currency; undefined for the account's own, NaN if not known. */
  of(market: string): number | undefined {
    const route = this.#routes.get(market)!;
    return route.length === 0 ? undefined : rateOf(route, (at) => this.#priceOf(at));
  }

  #priceOf(at: number): number {
    const { last } = this.#cells[at]!;
    return Number.isNaN(last) ? this.#firsts[at]! : last;
  }
}
