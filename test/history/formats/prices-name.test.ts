import { describe, expect, it } from 'vitest';
import { pricesSource } from '../../../src/history/formats/prices-name.ts';

describe('pricesSource', () => {
  it.each([
    ['BTC_USDT_USDT-1h-futures.feather', 'futures'],
    ['BTC_USDT_USDT-8h-mark.json', 'mark'],
    ['BTC_USDT_USDT-1M-index.json.gz', 'index'],
    ['BTC_USDT_USDT-5m-premiumIndex.parquet', 'premium-index'],
    ['BTC_USDT-1h.feather', undefined],
    ['BTC_USDT-trades.feather', undefined],
    ['my-futures.csv', undefined],
    ['BTCUSD2024-01-31_index_price.csv', 'index'],
    ['BTCUSD2024-01-31_premium_index.csv.gz', 'premium-index'],
    ['BTCUSDT-markPrice-1h.json', 'mark'],
    ['BTCUSDT-market-price.json', undefined],
    ['reindex_prices.csv', undefined],
  ])('of %s is %s', (name, source) => {
    expect(pricesSource(name)).toBe(source);
  });

  it('refuses rates of funding', () => {
    expect(() => pricesSource('BTC_USDT_USDT-8h-funding_rate.json')).toThrow(/rates of funding/);
  });
});
