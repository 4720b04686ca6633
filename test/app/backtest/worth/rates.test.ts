import { describe, expect, it } from 'vitest';
import { PriceCell } from '../../../../src/app/backtest/feeds/prices.ts';
import { Rates } from '../../../../src/app/backtest/worth/rates.ts';
import { makeMarket } from '../../../report/fixture.ts';

function makeRates() {
  const markets = [makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc' }), makeMarket()];
  const cells = new Map(markets.map(({ id }) => [id, new PriceCell()]));
  const prices = { cell: (market: string) => cells.get(market)! };
  return { rates: new Rates({ markets, prices, currency: 'usdt' }), cells };
}

describe('Rates', () => {
  it('tell what the quote currency of a market is worth now, once that is known', () => {
    const { rates, cells } = makeRates();
    expect(rates.of('eth_btc')).toBeNaN();
    for (const price of [20_000, 25_000]) {
      cells.get('btc_usdt')!.reach(price);
      expect(rates.of('eth_btc')).toBe(price);
    }
  });

  it('go by the price that the data begin with until there is one', () => {
    const { rates, cells } = makeRates();
    rates.begin(new Map([['btc_usdt', 19_000]]));
    expect(rates.of('eth_btc')).toBe(19_000);
    cells.get('btc_usdt')!.reach(20_000);
    expect(rates.of('eth_btc')).toBe(20_000);
  });

  it('have none of a market that is quoted in the currency of the account', () => {
    expect(makeRates().rates.of('btc_usdt')).toBeUndefined();
  });
});
