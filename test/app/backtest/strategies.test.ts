import { describe, expect, it } from 'vitest';
import { loadBacktest, runBacktest } from '../../../src/app/backtest/index.ts';
import { bundledStrategies } from '../../../src/app/index.ts';
import { backtestFile } from './fixture.ts';

/**
 * The hash over all decisions and effects of each bundled strategy on fixed made-up minutes. A hash
 * that moves says that a strategy, or what stands behind it, decides or settles otherwise: look why
 * before it is written anew.
 */
const PINNED: Readonly<Record<string, { readonly params: object; readonly hash: string }>> = {
  'ema-cross': {
    params: { amount: 0.01, interval: '5min' },
    hash: 'e712e2dbe645349fbf80c042b87736d1b70f2dad6aa19325a8b1441453d98b05',
  },
  grid: {
    params: { amount: 0.01, spacing: 0.003, lines: 3 },
    hash: '0b45944f4eff91f439c031b6862e4a00ab9744e9c29cef64737cb4987adf5317',
  },
  'market-maker': {
    params: { amount: 0.01, positionMax: 0.05, spread: 0.001 },
    hash: '89138db65730d7d075b46dc1f75f0c21abfae8915dc896ab0966ef78a7f404c7',
  },
};

async function replay(strategy: string) {
  const file = backtestFile({
    ...{ name: 'pinned', seed: 'pinned', venue: { kind: 'simulated' }, markets: ['btc_usdt'] },
    strategies: [{ use: strategy, params: PINNED[strategy]?.params }],
    fees: { maker: 0.0005, taker: 0.001 },
    risk: {
      orderValueMax: 1e5,
      openValueMax: 1e5,
      positionValueMax: 1e5,
      dailyLossMax: 1e4,
      drawdownMax: 1e4,
    },
    backtest: {
      ...{ from: '2024-01-01', to: '2024-01-04', balances: { usdt: '10000', btc: '1' } },
      generate: { btc_usdt: { startPrice: 30_000, tradesPerMinute: 600, seed: 'pinned' } },
      markets: { btc_usdt: { minAmount: 0.001 } },
    },
  });
  const { record } = await runBacktest({ deployment: loadBacktest(file) });
  return record;
}

describe('the bundled strategies on fixed data', () => {
  it('are all pinned', () => {
    expect(Object.keys(PINNED)).toEqual(bundledStrategies());
  });

  it.each(Object.entries(PINNED))('%s decides and does the same', async (strategy, { hash }) => {
    const record = await replay(strategy);
    expect(record.counts.fills).toBeGreaterThan(5);
    // Quotes that the price ran past before they arrived are sent back by the exchange: no more.
    expect(record.refusals.filter(({ code }) => code !== 'exchange 1001')).toEqual([]);
    expect(record.journalHash).toBe(hash);
  });
});
