import { describe, expect, it } from 'vitest';
import { runCampaign } from './run-campaign.ts';
import { JOURNAL } from './world.ts';

/** Shorter than most downtimes: a start finds all there is too old. */
const A_SECOND = 1 / 86_400;

describe('the whole bot, of which market data is dropped as it goes on', () => {
  it.each([
    ['1', {}],
    ['3', {}],
    ['4', { strategy: 'medley' }],
    ['6', { strategy: 'swing' }],
  ] as const)(
    'keeps the journal of all lives, and its limits (seed %s, %j)',
    (seed, options) => {
      const pruning = { marketData: true, keepDays: A_SECOND, dateJumps: true };
      const { world } = runCampaign(seed, { ...pruning, ...options });
      expect(world.disk.prunedRuns(JOURNAL)).toBeGreaterThan(1);
    },
    120_000,
  );
});
