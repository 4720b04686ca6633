import { describe, expect, it } from 'vitest';
import { LongOnly } from './long-only.ts';

/** More of them: TRADEWIND_LONG_ONLY_SEEDS=2000, and others: TRADEWIND_LONG_ONLY_FIRST=1000. */
const COUNT = Number(process.env.TRADEWIND_LONG_ONLY_SEEDS ?? 80);
const FIRST = Number(process.env.TRADEWIND_LONG_ONLY_FIRST ?? 1);

/** What is wrong with a seed. */
function wrongWith(seed: number, { quotes = false } = {}): string | undefined {
  const play = new LongOnly(seed, { quotes });
  try {
    play.run();
  } catch (thrown) {
    return `seed ${seed}: ${thrown}\n${play.story}`;
  }
  if (play.isHalted) return undefined;
  if (!LongOnly.isDust(play.held)) return `seed ${seed}: ${play.held} are held\n${play.story}`;
  const { orders } = play;
  play.rest();
  return play.orders === orders ? undefined : `seed ${seed}: orders leave that nothing wishes`;
}

describe('Executor of a strategy that wishes no short position', () => {
  it('is never short, whatever gets lost or comes late, and gets out in the calm', () => {
    const seeds = Array.from({ length: COUNT }, (_, at) => FIRST + at);
    expect(seeds.flatMap((seed) => wrongWith(seed) ?? [])).toEqual([]);
  }, 300_000);

  it('is never short where it asks by quotes for what it holds', () => {
    const seeds = Array.from({ length: COUNT }, (_, at) => FIRST + at);
    expect(seeds.flatMap((seed) => wrongWith(seed, { quotes: true }) ?? [])).toEqual([]);
  }, 300_000);
});
