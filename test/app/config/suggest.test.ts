import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../../src/app/config/suggest.ts';

describe('nearest', () => {
  it.each([
    ['strategys', 'strategies'],
    ['spred', 'spread'],
    ['orderValeuMax', 'orderValueMax'],
    ['qqqq', undefined],
  ])('%s means %s', (typed, meant) => {
    const known = ['strategies', 'spread', 'orderValueMax', 'openValueMax'];
    expect(nearest(typed, known)).toBe(meant);
  });

  it.each([
    ['vol', 'volume'],
    ['bid', undefined],
    ['lo', 'low'],
  ])('%s is the beginning of %s, where one alone begins so', (typed, meant) => {
    expect(nearest(typed, ['low', 'volume', 'bidAmounts', 'bidPrices'])).toBe(meant);
  });

  it.each([
    ['btc_usd', 'btc_usdt'],
    ['bct_usdt', 'btc_usdt'],
    ['btcusdt', 'btc_usdt'],
    ['eth_usdt', undefined],
    ['btc_eth', undefined],
    ['usd', 'usdt'],
    ['eth', undefined],
  ])('%s means %s, and no market or currency of other coins', (typed, meant) => {
    expect(nearest(typed, ['btc_usdt', 'btc', 'usdt'])).toBe(meant);
  });

  it('means nothing where nothing is known', () => {
    expect(nearest('a', [])).toBeUndefined();
  });
});

describe('didYouMean', () => {
  it('asks, or is silent', () => {
    expect(didYouMean('btc_usd', ['btc_usdt'])).toBe(', did you mean "btc_usdt"?');
    expect(didYouMean('xyz', ['btc_usdt'])).toBe('');
  });
});
