import { describe, expect, it } from 'vitest';
import { CODES } from '../../src/exchange/index.ts';
import type { CampaignOptions } from './campaign.ts';
import { runCampaign } from './run-campaign.ts';

/** Orders that a change costs at most until the run ends: what is on its way, and a look that fails. */
const REFUSED_MAX = 60;

/** Runs a seed on an exchange that changes the rules of its markets now and then. */
function run(seed: string, options: CampaignOptions) {
  const changing = { ruleChanges: true, cancelWaitMs: 10_000, ...options };
  const { log, world } = runCampaign(seed, changing);
  const noted = (text: string) => log.filter((note) => note.includes(text)).length;
  const { refusals } = world.view.server.counts();
  return {
    ends: noted('is over: the exchange has changed the rules'),
    changes: noted(' rules: '),
    refused: (refusals[CODES.invalidPrice] ?? 0) + (refusals[CODES.invalidAmount] ?? 0),
  };
}

describe('the whole bot on an exchange that changes the rules of its markets', () => {
  it.each([
    ['16', {}],
    ['2', { strategy: 'medley' }],
    ['8', { strategy: 'swing', fees: { maker: 0.001, taker: 0.002 } }],
    ['4', { strategy: 'market-maker', postOnly: false, executor: { batch: true } }],
    ['18', { strategy: 'medley', diskTrouble: true, dateJumps: true }],
  ] as const)(
    'ends where they forbid its orders, and trades on by the new ones (seed %s, %j)',
    (seed, options) => {
      const { ends, changes, refused } = run(seed, options);
      expect(ends).toBeGreaterThan(0);
      expect(refused).toBeLessThan(REFUSED_MAX * changes);
    },
    120_000,
  );
});
