import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../src/kernel/index.ts';

describe('BoundedMap', () => {
  it('forgets the oldest for a new one, and says which', () => {
    const map = new BoundedMap<string, number>(2);
    expect([map.set('a', 1), map.set('b', 2), map.set('a', 3)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(map.set('c', 4)).toBe(3);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 2, 4]);
  });

  it('does not forget what was deleted and set anew before its turn', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.delete('a');
    map.set('a', 2);
    expect(map.set('b', 3)).toBeUndefined();
    expect(map.get('a')).toBe(2);
  });

  it('holds what a list of all places does, of which the newest count', () => {
    const key = fc.integer({ min: 0, max: 9 });
    const step = fc.record({ key, remove: fc.boolean() });
    const property = fc.property(fc.array(step), fc.integer({ min: 1, max: 6 }), (steps, size) => {
      const map = new BoundedMap<number, number>(size);
      let places: { key: number; value: number | undefined }[] = [];
      for (const [value, { key, remove }] of steps.entries()) {
        const place = places.slice(-size).find((one) => one.key === key && one.value !== undefined);
        if (remove) {
          map.delete(key);
          if (place !== undefined) place.value = undefined;
        } else {
          map.set(key, value);
          if (place !== undefined) place.value = value;
          else places = [...places, { key, value }];
        }
        for (let one = 0; one < 10; one++) {
          const held = places.slice(-size).find((p) => p.key === one && p.value !== undefined);
          expect(map.get(one)).toBe(held?.value);
          expect(map.has(one)).toBe(held !== undefined);
        }
      }
    });
    fc.assert(property, { seed: 6 });
  });
});
