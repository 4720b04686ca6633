import { describe, expect, it } from 'vitest';
import {
  othersThan,
  type Route,
  rateOf,
  ratesOf,
  routesTo,
  usualCurrency,
} from '../../../../src/app/backtest/worth/routes.ts';
import { currenciesOf } from '../../../../src/domain/index.ts';

const pairsOf = (ids: string) => ids.split(' ').map(currenciesOf);

/** The routes as texts: markets that divide have a stroke before their id. */
function routesOf(currency: string, ids: string): Record<string, string> {
  const names = ids.split(' ');
  const text = (route: Route) =>
    route.map(({ market, divides }) => `${divides ? '/' : ''}${names[market]}`).join(' ');
  return Object.fromEntries(
    Array.from(routesTo(currency, pairsOf(ids)), ([from, route]) => [from, text(route)]),
  );
}

describe('routesTo', () => {
  it('takes the market of a currency that is quoted in the wanted one, whatever others there are', () => {
    expect(routesOf('usdt', 'eth_btc btc_usdt eth_usdt')).toEqual({
      ...{ usdt: '', btc: 'btc_usdt', eth: 'eth_usdt' },
    });
  });

  it('goes through several markets, the fewest there are, where none leads there at once', () => {
    expect(routesOf('usdt', 'doge_eth eth_btc btc_usdt doge_btc')).toEqual({
      ...{ usdt: '', btc: 'btc_usdt', eth: 'eth_btc btc_usdt', doge: 'doge_btc btc_usdt' },
    });
  });

  it('divides by the prices of a market whose base is the wanted one', () => {
    expect(routesOf('btc', 'btc_usdt eth_usdt')).toEqual({
      ...{ btc: '', usdt: '/btc_usdt', eth: 'eth_usdt /btc_usdt' },
    });
  });

  it('has none of a currency that no market leads from, and the first of two alike', () => {
    expect(routesOf('usdt', 'btc_usdt eth_eur')).toEqual({ usdt: '', btc: 'btc_usdt' });
    expect(routesOf('usdt', 'a_x x_usdt y_usdt a_y').a).toBe('a_x x_usdt');
  });
});

describe('othersThan', () => {
  it('names each other currency once, in the order of the markets', () => {
    expect(othersThan('usdt', pairsOf('eth_btc btc_usdt eth_usdt'))).toEqual(['eth', 'btc']);
  });
});

describe('usualCurrency', () => {
  it.each([
    ['btc_usdt eth_usdt', 'usdt'],
    ['eth_btc btc_usdt eth_usdt', 'usdt'],
    ['eth_btc', 'btc'],
    ['eth_usdt eth_eur', 'usdt'],
    // Each is a base somewhere.
    ['eth_btc btc_eth', 'btc'],
  ])('is of %s the first quote currency that is no base: %s', (ids, currency) => {
    expect(usualCurrency(pairsOf(ids))).toBe(currency);
  });
});

describe('ratesOf', () => {
  const prices = [Float64Array.of(20_000, 25_000, Number.NaN), Float64Array.of(0.05, 0.06, 0.07)];
  const direct: Route = [{ market: 0, divides: false }];
  const crossed: Route = [{ market: 1, divides: false }, ...direct];

  it('are those of each row, not known where one price on the way is not', () => {
    expect(ratesOf(crossed, prices, 3)).toEqual(Float64Array.of(1_000, 1_500, Number.NaN));
    expect(ratesOf([{ market: 0, divides: true }], prices, 3)).toEqual(
      Float64Array.of(1 / 20_000, 1 / 25_000, Number.NaN),
    );
    expect(ratesOf([], prices, 3)).toEqual(Float64Array.of(1, 1, 1));
    expect(rateOf(crossed, (market) => prices[market]![1]!)).toBe(1_500);
  });

  it('are the prices themselves where one market leads there', () => {
    expect(ratesOf(direct, prices, 3)).toBe(prices[0]);
  });
});
