import { describe, expect, it } from 'vitest';
import type { CampaignOptions } from './campaign.ts';
import { runCampaign } from './run-campaign.ts';

/** More of them: TRADEWIND_ENSEMBLE_SEEDS=500, and others: TRADEWIND_ENSEMBLE_FIRST=1000. */
const COUNT = Number(process.env.TRADEWIND_ENSEMBLE_SEEDS ?? 2);
const FIRST = Number(process.env.TRADEWIND_ENSEMBLE_FIRST ?? 1);
const SEEDS = Array.from({ length: COUNT }, (_, at) => FIRST + at);

const TROUBLE: Readonly<Record<string, CampaignOptions>> = {
  'and starts time and again': {},
  'with reads that lag behind': { staleMs: 1_900 },
  'on a disk that fails, by a date that jumps': { diskTrouble: true, dateJumps: true },
  'where somebody repeats orders': { repeats: 0.02 },
};

describe.each(Object.entries(TROUBLE))('a bot of several strategies %s', (name, options) => {
  it.each(SEEDS)(
    'keeps each of its own, and gets out of all in the calm, seed %i',
    (seed) => {
      const { world } = runCampaign(`${name} ${seed}`, { ensemble: true, ...options });
      expect(world.books.own.length).toBeGreaterThan(0);
    },
    120_000,
  );
});
