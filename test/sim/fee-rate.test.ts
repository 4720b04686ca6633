import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FeeRate } from '../../src/sim/fee-rate.ts';

describe('FeeRate', () => {
  test('rounds up to the last unit, exactly, for every rate and safe amount', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999 }),
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        (millionths, units) => {
          const product = BigInt(units) * BigInt(millionths);
          const exact = (product + 999_999n) / 1_000_000n;
          expect(BigInt(new FeeRate(millionths / 1_000_000).of(units))).toBe(exact);
        },
      ),
      { seed: 1, numRuns: 2_000 },
    );
  });

  test.each([-0.001, 1, 0.000_000_1, Number.NaN])('refuses the rate %d', (rate) => {
    expect(() => new FeeRate(rate)).toThrow(/^Cannot charge the fee rate/);
  });
});
