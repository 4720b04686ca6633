import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Decimal,
  DecimalError,
  decimalSum,
  fromUnits,
  isOnScale,
  ROUNDINGS,
  roundToScale,
  toUnits,
  UNITS_MAX,
} from '../../src/kernel/index.ts';

const anyScale = fc.integer({ min: 0, max: 22 });
const anyUnits = fc.integer({ min: -(UNITS_MAX - 1), max: UNITS_MAX - 1 });

describe('toUnits and fromUnits', () => {
  it('go there and back without loss at every scale below 2^51 units', () => {
    fc.assert(
      fc.property(anyUnits, anyScale, (units, scale) => {
        const value = fromUnits(units, scale);
        expect(toUnits(value, scale) + 0).toBe(units + 0);
        expect(isOnScale(value, scale)).toBe(true);
      }),
      { seed: 10, numRuns: 5_000 },
    );
  });

  it('go there and back at the very edges', () => {
    for (let scale = 0; scale <= 22; scale++) {
      for (const units of [0, 1, UNITS_MAX - 1, UNITS_MAX - 2, 1 - UNITS_MAX]) {
        expect(toUnits(fromUnits(units, scale), scale)).toBe(units);
      }
    }
  });

  it('fromUnits is the double nearest to the decimal', () => {
    fc.assert(
      fc.property(anyUnits, anyScale, (units, scale) => {
        expect(fromUnits(units, scale) + 0).toBe(new Decimal(BigInt(units), scale).toNumber() + 0);
      }),
      { seed: 11 },
    );
  });

  it.each([0.015, Number.NaN, Number.POSITIVE_INFINITY, 1e15, -1e15])(
    'toUnits refuses %s at scale 2',
    (value) => {
      expect(() => toUnits(value, 2)).toThrow(DecimalError);
      expect(isOnScale(value, 2)).toBe(false);
    },
  );

  it.each([
    [0.5, 'Cannot hold 0.005: a multiple of 0.01 is wanted'],
    [Number.NaN, 'Cannot hold NaN: a multiple of 0.01 is wanted'],
    [
      UNITS_MAX,
      'Cannot hold 22517998136852.48: a multiple of 0.01 below 22517998136852.48 is wanted',
    ],
    [-UNITS_MAX, 'Cannot hold -22517998136852.48: a multiple of 0.01 below'],
  ])('fromUnits refuses %s', (units, told) => {
    expect(() => fromUnits(units, 2)).toThrow(told);
  });

  it.each([-1, 23, 1.5])('refuse the scale %s', (scale) => {
    expect(() => toUnits(1, scale)).toThrow('a whole number from 0 to 22 is wanted');
  });
});

describe('roundToScale', () => {
  it('rounds towards zero, away from it or to the nearest', () => {
    const around = (value: number) => ROUNDINGS.map((rounding) => roundToScale(value, 1, rounding));
    expect(around(1.26)).toEqual([1.2, 1.3, 1.3]);
    expect(around(-1.26)).toEqual([-1.2, -1.3, -1.3]);
    expect(around(1.3)).toEqual([1.3, 1.3, 1.3]);
  });

  it('takes what is halfway away from zero, as decimals do', () => {
    for (const [value, wanted] of [
      [1.25, 1.3],
      [-1.25, -1.3],
      [-0.05, -0.1],
    ] as const) {
      expect(roundToScale(value, 1, 'nearest')).toBe(wanted);
      expect(Decimal.of(value).round(1, 'nearest').toNumber()).toBe(wanted);
    }
  });

  it('takes a value within the doubt of a computed double as the multiple it means', () => {
    expect(ROUNDINGS.map((rounding) => roundToScale(0.1 + 0.2, 1, rounding))).toEqual([
      0.3, 0.3, 0.3,
    ]);
    expect(roundToScale(1.1 * 3, 1, 'up')).toBe(3.3);
    expect(roundToScale(4.35 * 100, 0, 'down')).toBe(435);
    for (const value of [100_000.1 * 3, -100_000.1 * 3]) {
      const told = ROUNDINGS.map((rounding) => roundToScale(value, 8, rounding));
      expect(new Set(told)).toEqual(new Set([Math.sign(value) * 300_000.3]));
    }
  });

  it('never gives minus zero', () => {
    for (const rounding of ROUNDINGS) {
      expect(Object.is(roundToScale(-1e-12, 2, rounding), 0)).toBe(true);
      if (rounding !== 'up') expect(Object.is(roundToScale(-0.004, 2, rounding), 0)).toBe(true);
    }
  });

  it('is on scale, within one unit and on the side asked for', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 8 }), (exact, scale) => {
        const unit = 10 ** -scale;
        const doubt = unit * Math.max(2e-9, (Math.abs(exact) / unit) * 2 ** -49);
        const [down, up, nearest] = ROUNDINGS.map((way) => roundToScale(exact, scale, way));
        for (const rounded of [down!, up!, nearest!]) {
          expect(isOnScale(rounded, scale)).toBe(true);
          expect(Math.abs(rounded - exact)).toBeLessThan(unit + doubt);
        }
        expect(Math.abs(down!)).toBeLessThanOrEqual(Math.abs(exact) + doubt);
        expect(Math.abs(up!)).toBeGreaterThanOrEqual(Math.abs(exact) - doubt);
        expect(Math.abs(nearest! - exact)).toBeLessThanOrEqual(unit / 2 + doubt);
      }),
      { seed: 12, numRuns: 1_000 },
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e20])('refuses %s', (value) => {
    expect(() => roundToScale(value, 2, 'down')).toThrow(DecimalError);
  });
});

describe('decimalSum', () => {
  it('is that of the decimals, whatever places they have', () => {
    const scale = fc.integer({ min: 0, max: 12 });
    const value = fc
      .tuple(fc.integer({ min: -(2 ** 45), max: 2 ** 45 }), scale)
      .map(([units, places]) => units / 10 ** places);
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(decimalSum(a, b)).toBe(Decimal.of(a).plus(Decimal.of(b)).toNumber());
      }),
      { seed: 13, numRuns: 2_000 },
    );
    expect(decimalSum(0.1, 0.2)).toBe(0.3);
    expect(decimalSum(-0, -0)).toBe(0);
    expect(decimalSum(2 ** 60, 1e-9)).toBe(2 ** 60);
  });

  it('refuses what is no number', () => {
    expect(() => decimalSum(Number.NaN, 1)).toThrow(DecimalError);
    expect(() => decimalSum(1, Number.POSITIVE_INFINITY)).toThrow(DecimalError);
  });
});
