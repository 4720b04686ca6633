import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../src/kernel/index.ts';

describe('BoundedMap', () => {
  it('holds what a list of all places does, of which the newest count', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 9 }));
    const property = fc.property(keys, fc.integer({ min: 1, max: 6 }), (keys, size) => {
      const map = new BoundedMap<number, number>(size);
      let places: { key: number; value: number }[] = [];
      for (const [value, key] of keys.entries()) {
        const place = places.slice(-size).find((one) => one.key === key);
        map.set(key, value);
        if (place !== undefined) place.value = value;
        else places = [...places, { key, value }];
        for (let one = 0; one < 10; one++) {
          const held = places.slice(-size).find((p) => p.key === one);
          expect(map.get(one)).toBe(held?.value);
          expect(map.has(one)).toBe(held !== undefined);
        }
      }
    });
    fc.assert(property, { seed: 6 });
  });
});
