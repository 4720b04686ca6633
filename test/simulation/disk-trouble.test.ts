import { describe, expect, it } from 'vitest';
import type { CampaignOptions } from './campaign.ts';
import { runCampaign } from './run-campaign.ts';
import { JOURNAL } from './world.ts';

/** Runs a seed on a disk that is full now and then, or has errors; how often its journal failed. */
function failuresOf(seed: string, options: CampaignOptions = {}): number {
  const { log } = runCampaign(seed, { diskTrouble: true, ...options });
  return log.filter((note) => note.includes('is over: Cannot write')).length;
}

describe('the whole bot on a disk that fails', () => {
  it.each([
    ['10', {}],
    ['4', { durability: 'full' }],
    ['10', { strategy: 'medley', staleMs: 1_900 }],
    // It is told to stop in the moment in which the disk halts it.
    ['disk 910009', {}],
    ['10', { strategy: 'swing', dateJumps: true }],
    ['10', { strategy: 'market-maker', postOnly: false, executor: { batch: true } }],
  ] as const)(
    'sends nothing that is not on it, ends, and is whole when there is room again (seed %s, %j)',
    (seed, options) => {
      expect(failuresOf(seed, options)).toBeGreaterThan(0);
    },
    120_000,
  );

  it('drops old market data meanwhile, where it is to', () => {
    const options = { diskTrouble: true, marketData: true, keepDays: 30 / 86_400 };
    const { world } = runCampaign('10', options);
    expect(world.disk.prunedRuns(JOURNAL)).toBeGreaterThan(0);
  }, 120_000);
});
