import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MadeWish, matchWishes } from '../../../src/app/compare/match-wishes.ts';

/** Wishes as `second name`, such as `20a`. */
function wishes(text: string): MadeWish[] {
  return text.split(' ').flatMap((one) => {
    const [, second, name] = /^(\d+)(\w)$/.exec(one) ?? [];
    return name === undefined ? [] : [{ time: Number(second) * 1_000, text: name }];
  });
}

const pairs = (a: string, b: string) => [...matchWishes(wishes(a), wishes(b))];

/** What a pair is worth; undefined where there can be none. */
function worth(one: MadeWish, other: MadeWish): number | undefined {
  const apart = Math.abs(one.time - other.time) / 60_000;
  return apart > 1 ? undefined : (one.text === other.text ? 2 : 1) - apart;
}

/** The most that any pairing in order is worth, by trying all. */
function most(a: readonly MadeWish[], b: readonly MadeWish[]): number {
  const [one, ...others] = a;
  if (one === undefined) return 0;
  const paired = b.map((other, at) => {
    const own = worth(one, other);
    return own === undefined ? 0 : own + most(others, b.slice(at + 1));
  });
  return Math.max(most(others, b), ...paired);
}

describe('matchWishes', () => {
  it.each([
    ['the n-th with the n-th, though another is nearer', '0a 20b 40a', '15a 35b 55a', [0, 1, 2]],
    [
      'what is the same, where one run wished more',
      '0a 10b 30a 40b',
      '0a 10b 20a 30a 40b',
      [0, 1, 3, 4],
    ],
    ['what is near in time, where none is the same', '0a 100b 200c', '3x 99y 205z', [0, 1, 2]],
    ['nothing that is more than a minute apart', '0a 100b', '61a 161c', [-1, 0]],
    ['nothing with nothing', '0a', '', [-1]],
  ])('pairs %s', (_what, a, b, expected) => {
    expect(pairs(a, b)).toEqual(expected);
  });

  it('pairs the n-th with the n-th of runs that wished the same, though two on is always nearer', () => {
    const inAndOut = (late: number): MadeWish[] =>
      Array.from({ length: 100 }, (_, at) => {
        return { time: at * 10_000 + late, text: at % 2 === 0 ? 'in' : 'out' };
      });
    const found = [...matchWishes(inAndOut(0), inAndOut(15_000))];
    expect(found).toEqual(found.map((_, at) => at));
  });

  it('does not take two runs of other times for one, though they wished the same', () => {
    expect(pairs('0a 20b', '9000a 9020b')).toEqual([-1, -1]);
  });

  it('finds the pairing that is worth most', () => {
    const made = fc
      .array(fc.tuple(fc.nat(150), fc.constantFrom('a', 'b', 'c')), { maxLength: 6 })
      .map((all) => all.map(([second, text]) => ({ time: second * 1_000, text })))
      .map((all) => all.sort((x, y) => x.time - y.time));
    const check = fc.property(made, made, (a, b) => {
      fc.pre(a.length !== b.length || a.some(({ text }, at) => text !== b[at]!.text));
      const found = matchWishes(a, b);
      let sum = 0;
      let last = -1;
      for (const [at, other] of found.entries()) {
        if (other < 0) continue;
        expect(other).toBeGreaterThan(last);
        last = other;
        sum += worth(a[at]!, b[other]!)!;
      }
      expect(sum).toBeCloseTo(most(a, b), 9);
    });
    fc.assert(check, { seed: 5, numRuns: 500 });
  });

  it('pairs nearly all of 100 000 wishes, ten a second, that are not the same throughout', () => {
    const day = (offset: number): MadeWish[] =>
      Array.from({ length: 100_000 }, (_, at) => {
        return { time: at * 100 + offset, text: String((at * 7 + offset) % 13) };
      });
    const found = matchWishes(day(0), day(20));
    expect(found.filter((other) => other < 0).length).toBeLessThan(50);
  });
});
