import type { Market } from '../../../domain/index.ts';

/** One market on the way from a currency to another, whose price multiplies or divides. */
export interface Step {
  /** Its place among the markets. */
  readonly market: number;
  readonly divides: boolean;
}

/** The markets that lead from a currency to the account's, in order. */
export type Route = readonly Step[];

type Pair = Pick<Market, 'base' | 'quote'>;

/**
 * The routes from all currencies that markets connect to `currency`: each by the fewest markets,
 * through the first ones where several do. Its own route is empty.
 */
export function routesTo(currency: string, markets: readonly Pair[]): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>([[currency, []]]);
  // Routes added while this loop runs are visited too.
  for (const [reached, route] of routes) {
    for (const [market, { base, quote }] of markets.entries()) {
      if (quote === reached && !routes.has(base)) {
        routes.set(base, [{ market, divides: false }, ...route]);
      }
      if (base === reached && !routes.has(quote)) {
        routes.set(quote, [{ market, divides: true }, ...route]);
      }
    }
  }
  return routes;
}

/** All currencies of the markets except one, in the order in which the markets name them. */
export function othersThan(currency: string, markets: readonly Pair[]): string[] {
  const all = new Set(markets.flatMap(({ base, quote }) => [base, quote]));
  all.delete(currency);
  return [...all];
}

/** The default currency of the account: the first quote currency that is no market's base. */
export function usualCurrency(markets: readonly Pair[]): string {
  const bases = new Set(markets.map(({ base }) => base));
  return (markets.find(({ quote }) => !bases.has(quote)) ?? markets[0]!).quote;
}

/** What one unit is worth at given prices; NaN where a price on the route is not known. */
export function rateOf(route: Route, priceOf: (market: number) => number): number {
  let rate = 1;
  for (const { market, divides } of route) {
    rate = divides ? rate / priceOf(market) : rate * priceOf(market);
  }
  return rate;
}

/** `rateOf` row by row; the market's own column of prices where one market multiplies. */
export function ratesOf(route: Route, prices: readonly Float64Array[], rows: number): Float64Array {
  const [first, ...others] = route;
  if (first !== undefined && others.length === 0 && !first.divides) return prices[first.market]!;
  const rates = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    rates[row] = rateOf(route, (market) => prices[market]![row]!);
  return rates;
}
