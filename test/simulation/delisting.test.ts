import { describe, expect, it } from 'vitest';
import { runCampaign } from './run-campaign.ts';
import { manyMarkets } from './world-options.ts';

describe('the whole bot on an exchange that gives up a market', () => {
  it.each([
    ['2', {}],
    ['8', { strategy: 'medley' }],
    ['12', { strategy: 'swing' }],
    ['18', { strategy: 'market-maker', executor: { foreignOrders: 'adopt' } }],
    ['21', { strategy: 'medley', dateJumps: true, diskTrouble: true }],
  ] as const)(
    'trades on in the others, and leaves nothing there (seed %s, %j)',
    (seed, options) => {
      const delisting = { delisting: true, markets: manyMarkets(3), cancelWaitMs: 10_000 };
      const { log, world } = runCampaign(seed, { ...delisting, ...options });
      expect(log.join('\n')).toContain('delisted: ');
      expect(world.view.markets.filter(({ id }) => !world.venue.isListed(id))).toHaveLength(1);
    },
    120_000,
  );
});
