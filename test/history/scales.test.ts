import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedTrade } from '../../src/domain/index.ts';
import { inferMarketId } from '../../src/history/market-name.ts';
import { inferScales } from '../../src/history/scales.ts';
import { fromUnits, isOnScale } from '../../src/kernel/index.ts';

function tradeOf(price: number, amount: number): RecordedTrade {
  return { kind: 'trade', time: 0, id: '1', price, amount, takerSide: 'buy' };
}

describe('inferScales', () => {
  it('puts every value on scale, with no digit to spare', () => {
    const units = fc.integer({ min: 1, max: 1e9 });
    fc.assert(
      fc.property(fc.array(units, { minLength: 1 }), fc.nat(8), (values, scale) => {
        const prices = values.map((value) => fromUnits(value, scale));
        const { priceScale } = inferScales(prices.map((price) => tradeOf(price, 1)));
        expect(prices.filter((price) => !isOnScale(price, priceScale))).toEqual([]);
        const coarser = Math.max(0, priceScale - 1);
        if (priceScale > 0) expect(prices.every((price) => isOnScale(price, coarser))).toBe(false);
      }),
      { seed: 1 },
    );
  });

  it('looks at books and changes too, and past the noise of floats', () => {
    const scales = inferScales([
      { kind: 'book', time: 0, bids: [[1.25, 0.5]], asks: [] },
      { kind: 'levels', time: 0, changes: [['sell', 1.5, 1e-8]] },
      { kind: 'gap', time: 0, reason: '' },
    ]);
    expect(scales).toEqual({ priceScale: 2, amountScale: 8 });
    expect(inferScales([tradeOf(0.1 + 0.2, 1)]).priceScale).toBe(12);
    expect(inferScales([tradeOf(61_837.630_000_000_01, 1)]).priceScale).toBeLessThan(9);
    expect(inferScales([])).toEqual({ priceScale: 0, amountScale: 0 });
  });
});

describe('inferMarketId', () => {
  it.each([
    ['BTCUSDT', 'btc_usdt'],
    ['BTC-USD', 'btc_usd'],
    ['XRP_ETH-trades.json.gz', 'xrp_eth'],
    ['/data/btcusdt_20240808.gz', 'btc_usdt'],
    ['kraken-trades-BCHEUR.csv', 'bch_eur'],
    ['XBTUSD', 'xbt_usd'],
    ['OPUSDT', 'op_usdt'],
    ['BTC_USDT_USDT-1h-futures.json', 'btc_usdt'],
    ['Coinbase-BTC-USD', 'btc_usd'],
    ['trades.csv', undefined],
    ['', undefined],
  ])('finds in %j the market %j', (name, market) => {
    expect(inferMarketId(name)).toBe(market);
  });
});
