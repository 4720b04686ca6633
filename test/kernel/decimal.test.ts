import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, DecimalError, ROUNDINGS, type Rounding } from '../../src/kernel/index.ts';

/** A fraction of whole numbers, the naive model of a decimal. The denominator is positive. */
interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

const exact = ({ units, scale }: Decimal): Fraction => ({
  top: units,
  bottom: 10n ** BigInt(scale),
});
const same = (a: Fraction, b: Fraction): boolean => a.top * b.bottom === b.top * a.bottom;
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** The fraction as whole units of 10^-scale, found by trying the candidates around it. */
function naiveRound({ top, bottom }: Fraction, scale: number, rounding: Rounding): bigint {
  const scaled = magnitude(top) * 10n ** BigInt(scale);
  let whole = scaled / bottom;
  const rest = scaled - whole * bottom;
  if (rest > 0n && rounding === 'up') whole += 1n;
  if (rounding === 'nearest' && rest + rest >= bottom) whole += 1n;
  return top < 0n ? -whole : whole;
}

/** Zero, small units, units around the last safe integer, and large ones. */
const units = fc.oneof(
  fc.constant(0n),
  fc.bigInt({ min: -1_000n, max: 1_000n }),
  fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  fc.bigInt({ min: 2n ** 53n - 20n, max: 2n ** 53n + 20n }),
  fc.bigInt({ min: -(2n ** 53n) - 20n, max: 20n - 2n ** 53n }),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
);
/** Often one of two scales, so that both terms of a sum or a difference often share theirs. */
const ownScales = fc.oneof(fc.constantFrom(0, 8), fc.integer({ min: 0, max: 18 }));
const decimals = fc.tuple(units, ownScales).map(([units, scale]) => new Decimal(units, scale));
const roundings = fc.constantFrom(...ROUNDINGS);
const scales = fc.integer({ min: 0, max: 20 });

describe('Decimal arithmetic equals rational arithmetic', () => {
  it('in sums, differences and products', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [x, y] = [exact(a), exact(b)];
        const bottom = x.bottom * y.bottom;
        const [left, right] = [x.top * y.bottom, y.top * x.bottom];
        expect(same(exact(a.plus(b)), { top: left + right, bottom })).toBe(true);
        expect(same(exact(a.minus(b)), { top: left - right, bottom })).toBe(true);
        expect(same(exact(a.times(b)), { top: x.top * y.top, bottom })).toBe(true);
      }),
      { seed: 13, numRuns: 2_000 },
    );
  });

  it('in comparisons, signs and absolute values', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const difference = exact(a).top * exact(b).bottom - exact(b).top * exact(a).bottom;
        const wanted = difference < 0n ? -1 : difference > 0n ? 1 : 0;
        expect(a.compare(b)).toBe(wanted);
        expect(a.equals(b)).toBe(wanted === 0);
        expect(a.sign).toBe(a.compare(Decimal.ZERO));
        expect(a.abs().units).toBe(magnitude(a.units));
        expect(a.plus(a.negated()).sign).toBe(0);
      }),
      { seed: 14 },
    );
  });

  it('in quotients, rounded each way', () => {
    fc.assert(
      fc.property(decimals, decimals, scales, roundings, (a, b, scale, rounding) => {
        fc.pre(b.units !== 0n);
        const [x, y] = [exact(a), exact(b)];
        const sign = y.top < 0n ? -1n : 1n;
        const quotient = { top: x.top * y.bottom * sign, bottom: x.bottom * y.top * sign };
        const result = a.dividedBy(b, scale, rounding);
        expect(result.scale).toBeLessThanOrEqual(scale);
        const wanted = new Decimal(naiveRound(quotient, scale, rounding), scale);
        expect(same(exact(result), exact(wanted))).toBe(true);
      }),
      { seed: 15, numRuns: 1_000 },
    );
  });

  it('in quotients of no more places than they need where they are exact', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        fc.pre(b.units !== 0n);
        const result = a.times(b).dividedBy(b, 40, 'down');
        expect(same(exact(result), exact(a))).toBe(true);
        expect(result.scale).toBe(a.scale);
      }),
      { seed: 20 },
    );
  });

  it('in quotients, of which zero has none', () => {
    expect(() => Decimal.of(1).dividedBy(Decimal.ZERO, 2, 'down')).toThrow(DecimalError);
  });

  it('in rounding to fewer or more places', () => {
    fc.assert(
      fc.property(decimals, scales, roundings, (a, scale, rounding) => {
        const result = a.round(scale, rounding);
        expect([result.scale, result.units]).toEqual([
          scale,
          naiveRound(exact(a), scale, rounding),
        ]);
      }),
      { seed: 16, numRuns: 1_000 },
    );
  });
});

describe('Decimal text', () => {
  it('is read back as the same number', () => {
    fc.assert(
      fc.property(decimals, (a) => {
        expect(Decimal.of(a.toString()).equals(a)).toBe(true);
        expect(Decimal.of(a.toFixed()).equals(a)).toBe(true);
        expect(Decimal.of(JSON.parse(JSON.stringify(a))).equals(a)).toBe(true);
      }),
      { seed: 17 },
    );
  });

  it('has every digit and no zero at its end', () => {
    fc.assert(
      fc.property(decimals, (a) => {
        const digits = magnitude(a.units)
          .toString()
          .padStart(a.scale + 1, '0');
        const whole = digits.slice(0, digits.length - a.scale);
        const fraction = digits.slice(whole.length).replace(/0+$/, '');
        const sign = a.units < 0n ? '-' : '';
        expect(a.toString()).toBe(`${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`);
      }),
      { seed: 19, numRuns: 2_000 },
    );
  });

  it('toFixed has exactly the places asked for', () => {
    expect(Decimal.of('1.005').toFixed(2)).toBe('1.01');
    expect(Decimal.of('-0.004').toFixed(2)).toBe('0.00');
    expect(Decimal.of('2').toFixed(3)).toBe('2.000');
    expect(Decimal.of('2.5').toFixed(0)).toBe('3');
  });
});

describe('Decimal.of', () => {
  it('reads every finite number by its shortest text', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, (value) => {
        expect(Decimal.of(value).toNumber() + 0).toBe(value + 0);
      }),
      { seed: 18 },
    );
  });

  it('reads a number as its text', () => {
    const unit = fc.integer({ min: -(2 ** 53), max: 2 ** 53 });
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.tuple(unit, fc.integer({ min: 0, max: 14 })).map(([u, scale]) => Number(`${u}e-${scale}`)),
    );
    fc.assert(
      fc.property(number, (value) => {
        const { units, scale } = Decimal.of(String(value));
        expect(Decimal.of(value)).toEqual(new Decimal(units, scale));
      }),
      { seed: 21, numRuns: 2_000 },
    );
  });

  it.each([
    ['-12.50', '-12.5'],
    ['1e-8', '0.00000001'],
    ['+3.', '3'],
    ['1.5E3', '1500'],
    ['-0.00', '0'],
    ['100', '100'],
    [' 7 ', '7'],
  ])('reads %j as %s', (text, wanted) => {
    expect(Decimal.of(text).toString()).toBe(wanted);
  });

  it('takes whole numbers and decimals as they are', () => {
    expect(Decimal.of(5n).toString()).toBe('5');
    expect(Decimal.of(Decimal.ZERO)).toBe(Decimal.ZERO);
  });

  it.each(['', 'abc', '1,5', '0x10', '1e', '--1', Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %j',
    (value) => {
      expect(() => Decimal.of(value)).toThrow(DecimalError);
    },
  );

  it('says what it could not read', () => {
    expect(() => Decimal.of('abc')).toThrow('it is "abc", a finite number is wanted');
    expect(() => Decimal.of(Number.NaN)).toThrow('it is NaN, a finite number is wanted');
  });
});
