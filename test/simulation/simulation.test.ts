import { describe, expect, it } from 'vitest';
import type { CampaignOptions } from './campaign.ts';
import { runCampaign } from './run-campaign.ts';
import { manyMarkets } from './world-options.ts';

/** How many seeds are tried, and where they begin: more for a long campaign, or one to repeat. */
const COUNT = Number(process.env.TRADEWIND_SIMULATION_SEEDS ?? 4);
const FIRST = Number(process.env.TRADEWIND_SIMULATION_FIRST ?? 8);
const SEEDS = Array.from({ length: COUNT }, (_, at) => FIRST + at);

/** How far reads lag behind: less than the bot reckons with by default (`readLagMs`). */
const STALE = { strategy: 'medley', staleMs: 1_900 } as const;

/** Runs a seed: its world, and the operations that its exchange was asked for. */
function run(seed: string | number, options: CampaignOptions = {}) {
  const operations = new Set<string>();
  const { world } = runCampaign(seed, options, ({ world: { requestListeners } }) =>
    requestListeners.add((target) => operations.add(target.split('?', 1)[0]!)),
  );
  return { world, operations };
}

describe.each<[string, readonly number[], CampaignOptions]>([
  ['as it is', SEEDS, {}],
  ['on a machine whose date is set now and then', SEEDS, { dateJumps: true }],
  ['where one strategy wishes all there is, and reads lag behind', SEEDS, STALE],
  ['where reads lag behind and the date is set', [25, 35], { ...STALE, dateJumps: true }],
  ['where young orders are found late', [90_001, 90_014, 90_054], { readLagMs: 12_000 }],
])('the whole bot over a network and a disk that lie, %s,', (_, seeds, options) => {
  it.each(seeds)(
    'keeps every invariant and comes to rights in the calm (seed %i)',
    (seed) => {
      expect(run(seed, options).operations).toContain('/api/cancelAllOrdersAfter');
    },
    120_000,
  );
});

const MAKER = { strategy: 'market-maker', levels: 3 } as const;
const BATCHES = { ...MAKER, postOnly: false, executor: { batch: true } };
const PATIENT = { ...MAKER, executor: { orderLifetimeMinMs: 4_000 } };
/** Takers pay, and hold in the end what the account does, to the digit. */
const PAYING: CampaignOptions = {
  ...{ strategy: 'market-maker', markets: manyMarkets(2), cancelWaitMs: 10_000 },
  ...{ fees: { maker: 0, taker: 0.0007 }, postOnly: false },
};

describe('the whole bot with other ways of trading', () => {
  it.each<[string, string, CampaignOptions, string]>([
    ['batches of many', 'twelve markets', { ...BATCHES, markets: manyMarkets(12) }, 'orderMoreV2'],
    ['batches, its date a minute ahead', 'skew 13', { ...BATCHES, skewMs: 60_000 }, 'orderMoreV2'],
    ['batches, four minutes ahead', 'skew 39', { ...BATCHES, skewMs: 240_000 }, 'orderMoreV2'],
    ['batches, a minute behind', 'skew 4', { ...BATCHES, skewMs: -60_000 }, 'orderMoreV2'],
    ['batches, four minutes behind', 'skew 2', { ...BATCHES, skewMs: -240_000 }, 'orderMoreV2'],
    ['quotes that rest for a least time', 'patient 3', PATIENT, 'cancelOrder'],
    ['quotes that rest for a least time', 'patient 17', PATIENT, 'cancelOrder'],
    ['fees that takers pay', 'fees 1', PAYING, 'getOrder'],
    ['fees that takers pay', 'fees 27', PAYING, 'getOrder'],
    ['fees that takers pay', 'fees 50', PAYING, 'getOrder'],
  ])(
    'keeps every invariant: %s (seed %s)',
    (_, seed, options, operation) => {
      expect(run(seed, options).operations).toContain(`/api/${operation}`);
    },
    120_000,
  );
});

describe('the whole bot on a way on which somebody repeats orders time and again', () => {
  it.each([
    ['ignore', 23],
    ['ignore', 12],
    ['adopt', 3],
    ['adopt', 8],
    ['cancel', 10],
    ['cancel', 11],
  ])(
    'has them all in its books, and none left behind (foreignOrders: %s, seed %i)',
    (foreignOrders, seed) => {
      const options = { executor: { foreignOrders }, repeats: 0.04 };
      const { world } = run(`repeats ${foreignOrders} ${seed}`, options);
      expect(world.books.twinCount).toBeGreaterThan(0);
    },
    120_000,
  );
});

describe('determinism', () => {
  it('the same seed gives the same journal, another seed another one', () => {
    const hashOf = (seed: string) => {
      const options = { marketData: true, strategy: 'market-maker', levels: 1 } as const;
      return run(seed, options).world.journalHash;
    };
    const first = hashOf('one');
    expect(hashOf('one')).toBe(first);
    expect(hashOf('two')).not.toBe(first);
  }, 120_000);
});
