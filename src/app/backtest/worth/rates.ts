import type { Market } from '../../../domain/index.ts';
import type { PriceCell, RecordedPrices } from '../feeds/prices.ts';
import { type Route, rateOf, routesTo } from './routes.ts';

export interface RatesOptions {
  readonly markets: readonly Market[];
  readonly prices: Pick<RecordedPrices, 'cell'>;
  /** The currency that the account is valued in. */
  readonly currency: string;
}

/** What the quote currencies of markets are worth in the currency of the account, as prices stand. */
export class Rates {
  readonly #cells: readonly PriceCell[];
  readonly #routes: ReadonlyMap<string, Route>;

  constructor({ markets, prices, currency }: RatesOptions) {
    this.#cells = markets.map(({ id }) => prices.cell(id));
    const routes = routesTo(currency, markets);
    this.#routes = new Map(markets.map(({ id, quote }) => [id, routes.get(quote)!]));
  }

  /** Of a market's quote currency: undefined where that is the account's, NaN where not known. */
  of(market: string): number | undefined {
    const route = this.#routes.get(market)!;
    return route.length === 0 ? undefined : rateOf(route, (at) => this.#cells[at]!.last);
  }
}
