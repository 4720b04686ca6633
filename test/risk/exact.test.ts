import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import { addUnits, productOf, unitsDown, unitsText, unitsUp } from '../../src/risk/exact.ts';
import { wholeUnits } from './fixture.ts';

describe('productOf', () => {
  it('is exact to the last digit, within a double and beyond', () => {
    fc.assert(
      fc.property(wholeUnits, wholeUnits, (a, b) => {
        expect(productOf(a, b, 8).units).toBe(BigInt(a) * BigInt(b));
      }),
      { seed: 11, numRuns: 1_000 },
    );
    expect(`${productOf(2 ** 51, 2 ** 51, 8)}`).toBe('50706024009129176059868.12821504');
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
