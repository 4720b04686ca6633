import { describe, expect, it } from 'vitest';
import { type FeedKind, usesFeed } from '../../src/market/config.ts';
import { marketConfigSchema } from '../../src/market/index.ts';

describe('marketConfigSchema', () => {
  it('gives every setting a default', () => {
    expect(marketConfigSchema.parse({})).toMatchObject({
      tickerPollMs: 1_000,
      depthPollMs: 500,
      tradesPollMs: 500,
      candlesPollMs: 5_000,
      candles: 'trades',
      requestTimeoutMs: 5_000,
      staleAfterMs: { ticker: 10_000, depth: 5_000, trades: 10_000, candles: 60_000 },
    });
  });

  it('describes every setting', () => {
    for (const [key, setting] of Object.entries(marketConfigSchema.shape)) {
      expect(setting.description, key).toBeTruthy();
    }
  });

  it.each([
    { depthPollMS: 5 },
    { depthLevels: 51 },
    { tickerPollMs: 0 },
    { candleHistory: 1_000 },
    { staleAfterMs: { depths: 1 } },
    { feeds: { candle: true } },
  ])('refuses %j', (config) => {
    expect(marketConfigSchema.safeParse(config).success).toBe(false);
  });
});

describe('usesFeed', () => {
  const kinds: FeedKind[] = ['ticker', 'depth', 'trades', 'candles'];
  const used = (feeds: unknown) =>
    kinds.filter((kind) => usesFeed(marketConfigSchema.parse({ feeds }), kind));

  it('follows one switch for all or one for each', () => {
    expect(used(true)).toEqual(kinds);
    expect(used(false)).toEqual([]);
    expect(used({ depth: false, candles: false })).toEqual(['ticker', 'trades']);
  });
});
