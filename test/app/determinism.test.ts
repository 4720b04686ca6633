import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/app/backtest/index.ts';
import { runDeployment } from '../../src/app/run-deployment.ts';
import { bundledStrategies } from '../../src/app/strategies/bundled-strategies.ts';
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
  ['market-maker', MAKER, 1, 'd4ba46a0dea721f251993d0d7697573f6dc65b230be5ab5d5b45c75333cf1cde'],
  [
    'grid',
    { amount: 0.002, spacing: 0.0002, lines: 3 },
    1,
    '79fd7285b8950d8978ed0118c3d9f9d727cdc97dcc5b87f7cc0cf0a4d3d55784',
  ],
  [
    'ema-cross',
    { amount: 0.005, interval: '1min', fast: 2, slow: 3 },
    15,
    'ca0785da59bf685492e983647970f93647b1f79692d3318140e0eb388b9d10df',
  ],
] as const;
const PINNED_BACKTEST = '711d5fa12f298cc297db02fca150e58aba22096a691a114ba00c54d365f136b6';

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
