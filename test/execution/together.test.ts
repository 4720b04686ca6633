import { describe, expect, it } from 'vitest';
import { Together, type TogetherOptions } from './together.ts';

/** More seeds in place of those here: TRADEWIND_TOGETHER_SEEDS=500, TRADEWIND_TOGETHER_FIRST=1000. */
const COUNT = Number(process.env.TRADEWIND_TOGETHER_SEEDS ?? 0);
const FIRST = Number(process.env.TRADEWIND_TOGETHER_FIRST ?? 1);
const MORE = Array.from({ length: COUNT }, (_, at) => FIRST + at);

/** What is wrong with a seed. */
function wrongWith(seed: number, options: TogetherOptions): string | undefined {
  try {
    new Together(seed, options).run();
  } catch (thrown) {
    return `seed ${seed}: ${thrown}`;
  }
  return undefined;
}

const CASES: readonly [string, TogetherOptions, readonly number[]][] = [
  ['whatever gets lost', {}, [1, 52]],
  ['over restarts', { restarts: true }, [1, 2]],
  ['where requests are held, and answered when they were given up', { holds: true }, [1, 2]],
  ['where cancels are acknowledged and not carried out', { lies: true }, [2, 7]],
  ['where somebody repeats requests', { repeats: true, restarts: true }, [1, 1_050]],
];

describe('Executor of several strategies that wish all there is to wish', () => {
  it.each(CASES)(
    'keeps what it promises: %s',
    (_, options, seeds) => {
      const wrong = (COUNT > 0 ? MORE : seeds).map((seed) => wrongWith(seed, options));
      expect(wrong.filter(Boolean)).toEqual([]);
    },
    300_000,
  );
});
