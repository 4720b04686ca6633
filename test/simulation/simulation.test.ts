import { describe, expect, it } from 'vitest';
import type { CampaignOptions } from './campaign.ts';
import { runCampaign } from './run-campaign.ts';
import { manyMarkets } from './world-options.ts';

/** How many seeds are tried; more for a long campaign. */
const SEEDS = Number(process.env.TRADEWIND_SIMULATION_SEEDS ?? 4);
/** Where they begin, to repeat one or to go on after a campaign. */
const FIRST = Number(process.env.TRADEWIND_SIMULATION_FIRST ?? 8);

/** How far reads lag behind: less than the bot reckons with by default (`readLagMs`). */
const STALE_MS = 1_900;

/** Runs a seed: its world, and the operations that its exchange was asked for. */
function run(seed: string | number, options: CampaignOptions = {}) {
  const operations = new Set<string>();
  const { world } = runCampaign(seed, options, ({ world: { requestListeners } }) =>
    requestListeners.add((target) => operations.add(target.split('?', 1)[0]!)),
  );
  return { world, operations };
}

describe('the whole bot over a network and a disk that lie', () => {
  it.each(Array.from({ length: SEEDS }, (_, index) => FIRST + index))(
    'keeps every invariant and comes to rights in the calm (seed %i)',
    (seed) => {
      const { world } = run(seed);
      expect(world.view.server.counts().requests).toBeGreaterThan(0);
    },
    120_000,
  );

  it.each(Array.from({ length: SEEDS }, (_, index) => FIRST + index))(
    'does so on a machine whose date is set now and then (seed %i)',
    (seed) => {
      const { world } = run(seed, { dateJumps: true });
      expect(world.view.server.counts().requests).toBeGreaterThan(0);
    },
    120_000,
  );

  it.each(Array.from({ length: SEEDS }, (_, index) => FIRST + index))(
    'does so where one strategy wishes all there is, and reads lag behind (seed %i)',
    (seed) => {
      const { world } = run(seed, { strategy: 'medley', staleMs: STALE_MS });
      expect(world.view.server.counts().requests).toBeGreaterThan(0);
    },
    120_000,
  );

  it.each([25, 35])(
    'does so where reads lag behind on a machine whose date is set now and then (seed %i)',
    (seed) => {
      const { world } = run(seed, { strategy: 'medley', staleMs: STALE_MS, dateJumps: true });
      expect(world.view.server.counts().requests).toBeGreaterThan(0);
    },
    120_000,
  );

  it.each([90_001, 90_014, 90_054])(
    'does so where reads lag six times as long as they are said to (seed %i)',
    (seed) => {
      const { world } = run(seed, { readLagMs: 12_000 });
      expect(world.view.server.counts().requests).toBeGreaterThan(0);
    },
    120_000,
  );
});

describe('the whole bot with other ways of trading', () => {
  it('does so in twelve markets, with quotes that leave in batches', () => {
    const markets = manyMarkets(12);
    const options = { strategy: 'market-maker', markets, levels: 3, postOnly: false } as const;
    const { operations } = run('twelve markets', { ...options, executor: { batch: true } });
    expect(operations).toContain('/api/orderMoreV2');
  }, 120_000);

  it.each([
    ['skew 13', 60_000],
    ['skew 39', 240_000],
    ['skew 4', -60_000],
    ['skew 2', -240_000],
  ])(
    'sends no batch twice on a machine whose date is wrong (seed %s: by %i ms)',
    (seed, skewMs) => {
      const shared = { strategy: 'market-maker', levels: 3, postOnly: false, skewMs } as const;
      const { operations } = run(seed, { ...shared, executor: { batch: true } });
      expect(operations).toContain('/api/orderMoreV2');
    },
    120_000,
  );

  it.each([3, 17])(
    'keeps every limit where quotes rest for a least time (seed %i)',
    (seed) => {
      const executor = { orderLifetimeMinMs: 4_000 };
      const shared = { strategy: 'market-maker', levels: 3, executor } as const;
      const { operations } = run(`patient ${seed}`, shared);
      expect(operations).toContain('/api/cancelOrder');
    },
    120_000,
  );

  it.each([1, 27, 50])(
    'holds in the end what the account does, to the digit, where takers pay a fee (seed %i)',
    (seed) => {
      const fees = { maker: 0, taker: 0.0007 };
      const markets = manyMarkets(2);
      const shared = { strategy: 'market-maker', markets, cancelWaitMs: 10_000 } as const;
      const { operations } = run(`fees ${seed}`, { ...shared, fees, postOnly: false });
      expect(operations).toContain('/api/getOrder');
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
