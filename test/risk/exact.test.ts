import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import {
  addUnits,
  ExactSum,
  exactLimit,
  unitsDown,
  unitsText,
  unitsUp,
} from '../../src/risk/exact.ts';

/** Small, large, and such whose products have about as many digits as a double holds. */
const whole = fc.oneof(
  fc.nat(1_000),
  fc.integer({ min: 2 ** 25, max: 2 ** 27 }),
  fc.integer({ min: 0, max: 2 ** 51 }),
);

describe('ExactSum', () => {
  it('is the sum of products to the last digit, within a double and beyond', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(whole, whole), { maxLength: 8 }), (pairs) => {
        const sum = new ExactSum();
        let naive = 0n;
        for (const [a, b] of pairs) {
          sum.add(a, b);
          naive += BigInt(a) * BigInt(b);
        }
        expect(sum.units).toBe(naive);
        expect(new ExactSum().add(3, 4).addSum(sum).units).toBe(naive + 12n);
        for (const units of [0n, naive - 1n, naive, naive + 1n, 10n ** 40n]) {
          const fits = units < 2n ** 53n && units > -(2n ** 53n);
          const limit = { units, safe: fits ? Number(units) : undefined };
          expect(Math.sign(sum.compare(limit))).toBe(Math.sign(Number(naive - units)));
        }
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });

  it('prints its digits', () => {
    expect(new ExactSum().add(2 ** 51, 2 ** 51).toText(8)).toBe('50706024009129176059868.12821504');
  });
});

describe('exactLimit', () => {
  it('rounds as told and holds what a double cannot', () => {
    expect(exactLimit(0.15, { scale: 1, rounding: 'down' })).toEqual({ units: 1n, safe: 1 });
    expect(exactLimit(0.15, { scale: 1, rounding: 'up' })).toEqual({ units: 2n, safe: 2 });
    expect(exactLimit(1e9, { scale: 16, rounding: 'up' })).toEqual({
      units: 10n ** 25n,
      safe: undefined,
    });
  });
});

describe('unitsUp and unitsDown', () => {
  it('enclose a decimal, by less than a unit, and meet where it is on scale', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.boolean(), (any, isOnScale) => {
        const units = isOnScale ? any * 100 : any;
        const value = new Decimal(BigInt(units), 6);
        const [down, up] = [unitsDown(value, 4), unitsUp(value, 4)];
        expect(down * 100).toBeLessThanOrEqual(units);
        expect(up * 100).toBeGreaterThanOrEqual(units);
        expect(up - down).toBe(units % 100 === 0 ? 0 : 1);
      }),
      { seed: 12 },
    );
  });

  it('are infinite beyond 2^53, as sums are', () => {
    expect(unitsUp(Decimal.of('1e30'), 0)).toBe(Number.POSITIVE_INFINITY);
    expect(unitsDown(Decimal.of('-1e30'), 0)).toBe(Number.NEGATIVE_INFINITY);
    expect(addUnits(Number.MAX_SAFE_INTEGER, 1)).toBe(Number.POSITIVE_INFINITY);
    expect(addUnits(Number.MIN_SAFE_INTEGER, -1)).toBe(Number.NEGATIVE_INFINITY);
    expect(addUnits(1, 2)).toBe(3);
    expect(unitsText(Number.POSITIVE_INFINITY, 2)).toBe('beyond 2^53 units');
    expect(unitsText(-150, 2)).toBe('-1.5');
  });
});
