import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, tradedValue } from '../../src/sim/market-units.ts';

const SAFE = Number.MAX_SAFE_INTEGER;
const magnitude = fc.integer({ min: 0, max: 51 }).chain((bits) => fc.nat(2 ** bits - 1 || 1));
const factors = fc
  .constantFrom([1, 1], [100, 1], [1, 100], [1, 1e8])
  .map(([quoteFactor, quoteDivisor]) => ({
    quoteFactor: quoteFactor!,
    quoteDivisor: quoteDivisor!,
  }));

describe('tradedValue and costOf', () => {
  it('are the exact quotient down and up, and NaN beyond what a wallet holds', () => {
    fc.assert(
      fc.property(factors, magnitude, magnitude, (units, price, amount) => {
        const divisor = BigInt(units.quoteDivisor);
        const product = BigInt(price) * BigInt(amount) * BigInt(units.quoteFactor);
        const down = product / divisor;
        const up = (product + divisor - 1n) / divisor;
        const toldOf = (value: bigint) => (value <= BigInt(SAFE) ? Number(value) : Number.NaN);
        expect(tradedValue(units, { price, amount })).toBe(toldOf(down));
        expect(costOf(units, { price, amount })).toBe(toldOf(up));
      }),
      { seed: 5, numRuns: 2_000 },
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300])('are NaN for %s', (price) => {
    const units = { quoteFactor: 1, quoteDivisor: 100 };
    expect(tradedValue(units, { price, amount: 3 })).toBeNaN();
    expect(costOf(units, { price, amount: 3 })).toBeNaN();
  });
});
