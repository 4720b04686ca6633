import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SideExposure } from '../../src/risk/exposure.ts';

/** Small, large, and such whose products have about as many digits as a double holds. */
const whole = fc.oneof(
  fc.nat(1_000),
  fc.integer({ min: 2 ** 25, max: 2 ** 27 }),
  fc.integer({ min: 0, max: 2 ** 51 }),
);

describe('SideExposure.value', () => {
  it('is the sum of products to the last digit, within a double and beyond', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(whole, whole), { maxLength: 8 }), (pairs) => {
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
