import type { Market } from '../../../domain/index.ts';

/** One market on the way from a currency to another: its price multiplies, or divides. */
export interface Step {
  /** Its place among the markets. */
  readonly market: number;
  readonly divides: boolean;
}

/** The markets that lead from a currency to that of the account, one after the other. */
export type Route = readonly Step[];

type Pair = Pick<Market, 'base' | 'quote'>;

/**
 * How each currency that is reached by markets is valued in one of them, by the fewest markets, the
 * first ones where there are several ways. That one itself needs none.
 */
export function routesTo(currency: string, markets: readonly Pair[]): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>([[currency, []]]);
  // What is added while this goes on is gone through too.
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

/** All currencies of some markets but one, in the order in which markets name them. */
export function othersThan(currency: string, markets: readonly Pair[]): string[] {
  const all = new Set(markets.flatMap(({ base, quote }) => [base, quote]));
  all.delete(currency);
  return [...all];
}

/** The first quote currency that is no market's base: what all others are worth is told in it. */
export function usualCurrency(markets: readonly Pair[]): string {
  const bases = new Set(markets.map(({ base }) => base));
  return (markets.find(({ quote }) => !bases.has(quote)) ?? markets[0]!).quote;
}

/** What one unit is worth by a price of each market; NaN where one of those on the way is not known. */
export function rateOf(route: Route, priceOf: (market: number) => number): number {
  let rate = 1;
  for (const { market, divides } of route) {
    rate = divides ? rate / priceOf(market) : rate * priceOf(market);
  }
  return rate;
}

/** The same row by row; the prices themselves where one market leads there. */
export function ratesOf(route: Route, prices: readonly Float64Array[], rows: number): Float64Array {
  const [first, ...others] = route;
  if (first !== undefined && others.length === 0 && !first.divides) return prices[first.market]!;
  const rates = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    rates[row] = rateOf(route, (market) => prices[market]![row]!);
  return rates;
}
