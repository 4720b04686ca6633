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
    hash: '92476a627c1eae19ce6ae65bc5fe96493a63dba19a025aefd87b985725f8866a',
  },
  grid: {
    params: { amount: 0.01, spacing: 0.003, lines: 3 },
    hash: 'df24e835f7b7b81047b90cee50265770325d7e2b0c15deef5d101e93eb64f5b5',
  },
  'market-maker': {
    params: { amount: 0.01, positionMax: 0.05, spread: 0.001 },
    hash: 'ff678cd3720da646c5a93434dd52f3faa045624fca31f8dac435e7de0b9483e9',
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
    expect(record.fills.length).toBeGreaterThan(5);
    // Quotes that the price ran past before they arrived are sent back by the exchange: no more.
    expect(record.refusals.filter(({ code }) => code !== 'exchange 1001')).toEqual([]);
    expect(record.journal?.hash).toBe(hash);
  });
});
