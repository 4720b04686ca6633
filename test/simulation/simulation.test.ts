import { describe, expect, it } from 'vitest';
import { Campaign } from './campaign.ts';
import type { WorldOptions } from './world-options.ts';

/** How many seeds are tried; more for a long campaign. */
const SEEDS = Number(process.env.TRADEWIND_SIMULATION_SEEDS ?? 4);
/** Where they begin, to repeat one or to go on after a campaign. */
const FIRST = Number(process.env.TRADEWIND_SIMULATION_FIRST ?? 2);

/** Runs a seed; a failure shows its number, what happened to the bot and what it said last. */
function run(seed: string | number, options: WorldOptions = {}): Campaign {
  const campaign = new Campaign(seed, options);
  try {
    campaign.run();
    return campaign;
  } catch (thrown) {
    const story = [...campaign.log, '', campaign.world.lastEvents].join('\n');
    throw new Error(`Cannot keep the invariants with seed ${seed}: ${thrown}\n${story}`, {
      cause: thrown,
    });
  }
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
