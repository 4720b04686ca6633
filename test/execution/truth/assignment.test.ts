import { describe, expect, it } from 'vitest';
import { assign } from '../../../src/execution/truth/assignment.ts';
import { seededRandom } from '../../../src/kernel/index.ts';

type Choices = readonly (readonly number[])[];

/** Up to six ones, each with some of up to six candidates. */
function drawChoices(seed: number): Choices {
  const random = seededRandom(`assignment ${seed}`);
  const share = random.next();
  const candidates = Array.from({ length: random.integer(7) }, (_, index) => index);
  return Array.from({ length: random.integer(7) }, () =>
    candidates.filter(() => random.next() < share),
  );
}

/** The most ones that can have a candidate, by trying all ways. */
function mostOf([first, ...others]: Choices, taken: ReadonlySet<number> = new Set()): number {
  if (first === undefined) return 0;
  const free = first.filter((candidate) => !taken.has(candidate));
  const withOne = free.map((candidate) => 1 + mostOf(others, new Set([...taken, candidate])));
  return Math.max(mostOf(others, taken), ...withOne);
}

const assigned = (choices: Choices) => assign([...choices.keys()], (index) => choices[index]!);

describe('assign', () => {
  it('gives as many as can be one of theirs, none to two (2000 draws against all ways)', () => {
    for (let seed = 0; seed < 2_000; seed++) {
      const choices = drawChoices(seed);
      const found = assigned(choices);
      expect(found.size, `seed ${seed}`).toBe(mostOf(choices));
      expect(new Set(found.values()).size, `seed ${seed}`).toBe(found.size);
      for (const [index, candidate] of found) expect(choices[index]).toContain(candidate);
    }
  });

  it('prefers who comes first, and what comes first', () => {
    expect(assigned([[5, 4], [4, 5], [4]])).toEqual(
      new Map([
        [0, 5],
        [1, 4],
      ]),
    );
  });
});
