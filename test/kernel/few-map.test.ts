import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FewMap, FewSet } from '../../src/kernel/index.ts';

/** More than it looks through one by one, so that it changes over and back. */
const KEYS = 6;

const step = fc.record({
  key: fc.nat(KEYS - 1),
  what: fc.constantFrom('set' as const, 'delete' as const, 'clear' as const),
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('FewMap', () => {
  it('holds what a Map does after the same steps, in the same order', () => {
    const property = fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const few = new FewMap<number, number>();
      const map = new Map<number, number>();
      for (const [value, { key, what }] of steps.entries()) {
        if (what === 'set') few.set(key, value);
        if (what === 'set') map.set(key, value);
        if (what === 'delete') expect(few.delete(key)).toBe(map.delete(key));
        // Rarely, so that many gather.
        if (what === 'clear' && key === 0) few.clear();
        if (what === 'clear' && key === 0) map.clear();
        expect(few.size).toBe(map.size);
        expect(few.keys()).toEqual([...map.keys()]);
        expect(few.values()).toEqual([...map.values()]);
        expect(few.first).toBe([...map.keys()][0]);
        for (let one = 0; one < KEYS; one++) {
          expect(few.get(one)).toBe(map.get(one));
          expect(few.has(one)).toBe(map.has(one));
        }
      }
    });
    fc.assert(property, { seed: 8 });
  });

  it('gives lists that later changes leave alone', () => {
    const few = new FewMap<string, number>();
    few.set('a', 1);
    few.set('b', 2);
    const [keys, values] = [few.keys(), few.values()];
    few.delete('a');
    few.set('c', 3);
    expect([keys, values]).toEqual([
      ['a', 'b'],
      [1, 2],
    ]);
  });

  it('lets go of what was deleted', async () => {
    const few = new FewMap<number, object>();
    few.set(1, { name: 'first' });
    few.set(2, { name: 'second' });
    const gone = new WeakRef(few.get(2)!);
    few.delete(2);
    // A weak reference holds on until the turn of the loop is over.
    await setImmediate();
    collectGarbage();
    expect([gone.deref(), few.get(1)]).toEqual([undefined, { name: 'first' }]);
  });
});

describe('FewSet', () => {
  it('holds each value once, the oldest first', () => {
    const set = new FewSet<string>();
    for (const value of ['a', 'b', 'a', 'c']) set.add(value);
    expect([set.size, set.first, set.values()]).toEqual([3, 'a', ['a', 'b', 'c']]);
    expect([set.delete('a'), set.delete('a'), set.first]).toEqual([true, false, 'b']);
    set.clear();
    expect([set.size, set.first, set.values()]).toEqual([0, undefined, []]);
  });
});
