import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentMap } from '../../src/kernel/index.ts';

describe('RecentMap', () => {
  it('answers as a Map does, whatever was asked for, set or deleted before', () => {
    const key = fc.constantFrom('a', 'b', 'c');
    const kind = fc.constantFrom('get', 'set', 'delete');
    fc.assert(
      fc.property(fc.array(fc.record({ key, kind })), (steps) => {
        const map = new RecentMap<string, number>();
        const oracle = new Map<string, number>();
        for (const [value, { key, kind }] of steps.entries()) {
          if (kind === 'set') {
            map.set(key, value);
            oracle.set(key, value);
          } else if (kind === 'delete') {
            map.delete(key);
            oracle.delete(key);
          }
          expect(map.get(key)).toBe(oracle.get(key));
        }
        expect(['a', 'b', 'c'].map((each) => map.get(each))).toEqual(
          ['a', 'b', 'c'].map((each) => oracle.get(each)),
        );
      }),
      { seed: 1 },
    );
  });
});
