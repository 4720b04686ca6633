import { describe, expect, it } from 'vitest';
import { freqtradeSource } from '../../../src/history/formats/freqtrade-name.ts';

describe('freqtradeSource', () => {
  it.each([
    ['BTC_USDT_USDT-1h-futures.feather', 'futures'],
    ['BTC_USDT_USDT-8h-mark.json', 'mark'],
    ['BTC_USDT_USDT-1M-index.json.gz', 'index'],
    ['BTC_USDT_USDT-5m-premiumIndex.parquet', 'premium-index'],
    ['BTC_USDT-1h.feather', undefined],
    ['BTC_USDT-trades.feather', undefined],
    ['my-futures.csv', undefined],
  ])('of %s is %s', (name, source) => {
    expect(freqtradeSource(name)).toBe(source);
  });

  it('refuses rates of funding', () => {
    expect(() => freqtradeSource('BTC_USDT_USDT-8h-funding_rate.json')).toThrow(/rates of funding/);
  });
});
