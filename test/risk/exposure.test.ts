import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SideExposure } from '../../src/risk/exposure.ts';
import { wholeUnits } from './fixture.ts';

describe('SideExposure.value', () => {
  it('is the sum of products to the last digit, within a double and beyond', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(wholeUnits, wholeUnits), { maxLength: 8 }), (pairs) => {
        const side = new SideExposure(8);
        let naive = 0n;
        for (const [price, amount] of pairs) {
          side.add(price, amount);
          naive += BigInt(price) * BigInt(amount);
        }
        expect(side.value.units).toBe(naive);
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });
});
