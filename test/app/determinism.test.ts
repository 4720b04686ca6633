import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/app/backtest/index.ts';
import { bundledStrategies, runDeployment } from '../../src/app/index.ts';
import { checkedDeployment } from './backtest/checks-fixture.ts';
import { deploymentFile, virtualRun } from './fixture.ts';

/** The hash of some minutes of a strategy on the seeded market, in process, on virtual time. */
async function hashOnPaper(use: string, params: object, minutes = 1): Promise<string | undefined> {
  const file = deploymentFile({ strategies: [{ use, params }] });
  const { journal } = await runDeployment(virtualRun({ file, durationMs: minutes * 60_000 }));
  return journal.hash;
}

/** The hash of a backtest of two days of made-up minutes. */
async function hashOfBacktest(overrides: Record<string, unknown> = {}): Promise<string> {
  const { journal } = await runBacktest({ deployment: checkedDeployment(overrides) });
  return journal.hash();
}

const MAKER = { amount: 0.005, positionMax: 0.03, spread: 0.0005, volatilityLength: 10 };

/**
 * What each bundled strategy did when this was last looked at. A change that means to alter what a
 * bot decides or does changes these too, and says so; any other must not.
 */
const PINNED = [
  ['market-maker', MAKER, 1, '861c3608239461d9d7e34ece13ac8d23a80d272d6795236e5ce84e0a0a0905ca'],
  [
    'grid',
    { amount: 0.002, spacing: 0.0002, lines: 3 },
    1,
    '38cbe33bd890c3b1df64d4ca07d4d6a3e8a0ef5675cfc3d9bf228349abf34305',
  ],
  [
    'ema-cross',
    { amount: 0.005, interval: '1min', fast: 2, slow: 3 },
    15,
    '643c9a8b68fecf189a3dd47c7f5e9aff385a0c3c29622a5def8b31ec8ed60126',
  ],
] as const;
const PINNED_BACKTEST = 'b23510eda8f220c091d5e6db5cf5b9e951f638375df31207e91da42dc154a47b';

describe('the same inputs', () => {
  it.each(PINNED)('give the same hash on paper: %s', async (use, params, minutes, pinned) => {
    const hash = await hashOnPaper(use, params, minutes);
    expect(await hashOnPaper(use, params, minutes)).toBe(hash);
    expect(hash).toBe(pinned);
  });

  it('give the same hash in a backtest', async () => {
    const hash = await hashOfBacktest();
    expect(await hashOfBacktest()).toBe(hash);
    expect(hash).toBe(PINNED_BACKTEST);
  });

  it('pin every bundled strategy', () => {
    expect(PINNED.map(([use]) => use).sort()).toEqual(bundledStrategies());
  });
});

describe('other inputs', () => {
  it('give another hash', async () => {
    const generate = { btc_usdt: { startPrice: 30_000, tradesPerMinute: 20, seed: 'other' } };
    expect(await hashOfBacktest({ backtest: { generate } })).not.toBe(PINNED_BACKTEST);
    expect(await hashOnPaper('market-maker', { ...MAKER, levels: 2 })).not.toBe(PINNED[0][3]);
  });
});
