import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/app/backtest/index.ts';
import { bundledStrategies } from '../../src/app/bundled-strategies.ts';
import { runDeployment } from '../../src/app/run-deployment.ts';
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
  ['market-maker', MAKER, 1, 'f8be665248e068d32660cbd6499812a6729972d4caa53db04e507f5ea503a567'],
  [
    'grid',
    { amount: 0.002, spacing: 0.0002, lines: 3 },
    1,
    'd9664ab516ba219992431d0dbc6b44307f7b915e812d4e347661c4880240b5ff',
  ],
  [
    'ema-cross',
    { amount: 0.005, interval: '1min', fast: 2, slow: 3 },
    15,
    'a6548c54e2902acd199377b8171553a87a01e37a882913a0de63994a2d3da8ce',
  ],
] as const;
const PINNED_BACKTEST = '1c0133a28d06fe1d5e0e4201528b57caebc97f68c4410445da15e4a5f0a1076d';

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
