import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, UNITS_MAX } from '../../../../src/kernel/index.ts';
import {
  readAmount,
  readExact,
  readPrice,
  readSum,
} from '../../../../src/venues/zb/server/money.ts';
import { BTC_USDT } from './fixture.ts';

/** The same with exact decimals: slow and simple. */
function oracle(text: string, scale: number): number | undefined {
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
  const value = Decimal.of(text);
  const onScale = value.round(scale, 'down');
  if (!onScale.equals(value) || onScale.units >= BigInt(UNITS_MAX)) return undefined;
  return Number(onScale.toString());
}

describe('readExact', () => {
  it.each([
    ['30000.0', 2, 30_000],
    ['0.10', 1, 0.1],
    ['00012.5', 1, 12.5],
    ['0.29', 2, 0.29],
    ['7', 0, 7],
    ['7.000000000000000000000000', 0, 7],
  ])('reads %s at scale %i', (text, scale, value) => expect(readExact(text, scale)).toBe(value));

  it.each([
    '',
    '.',
    '1.',
    '.5',
    '-1',
    '+1',
    '1e2',
    '1e-05',
    '0x10',
    'NaN',
    'Infinity',
    '1.2.3',
    ' 1',
    '1,5',
    '१',
  ])('does not read %j', (text) => expect(readExact(text, 2)).toBeUndefined());

  it('does not round a digit beyond the scale away, however small', () => {
    expect(readExact('30000.00000000000000001', 2)).toBeUndefined();
    expect(readExact('0.12345', 4)).toBeUndefined();
  });

  it('ends at 2^51 units', () => {
    expect(readExact(String(UNITS_MAX - 1), 0)).toBe(UNITS_MAX - 1);
    expect(readExact(String(UNITS_MAX), 0)).toBeUndefined();
    expect(readExact('99999999999999999999999999', 0)).toBeUndefined();
    expect(readExact('2251799813685248', 4)).toBeUndefined();
  });

  it('agrees with exact decimals on any text', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 18 });
    const number = fc
      .tuple(digits, fc.constantFrom('', '.'), digits)
      .map((parts) => parts.join(''));
    const text = fc.oneof(
      number,
      fc.string({ unit: fc.constantFrom(...'0123456789.-+e '), maxLength: 8 }),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (value, scale) => {
        expect(readExact(value, scale)).toBe(oracle(value, scale));
      }),
      { seed: 2, numRuns: 3000 },
    );
  });
});

describe('readPrice and readAmount', () => {
  it('take what is above zero and on the scale of the market', () => {
    expect(readPrice(BTC_USDT, '30000.01')).toBe(30000.01);
    expect(readAmount(BTC_USDT, '0.0006')).toBe(0.0006);
  });

  it.each(['0', '0.00', '30000.001', '', 'x'])('refuse %j with 3002 and 3003', (text) => {
    expect(() => readPrice(BTC_USDT, text)).toThrow(expect.objectContaining({ code: 3002 }));
    const amount = text === '30000.001' ? '0.00001' : text;
    expect(() => readAmount(BTC_USDT, amount)).toThrow(expect.objectContaining({ code: 3003 }));
  });
});

describe('readAmount', () => {
  it.each([
    ['1e-03', 0.001],
    ['.5', 0.5],
    ['12.', 12],
    ['1.5E+2', 150],
    ['2e2', 200],
  ])('reads %s as scripts write it', (text, amount) => {
    expect(readAmount(BTC_USDT, text)).toBe(amount);
  });

  it('refuses a float finer than the scale', () => {
    expect(() => readAmount(BTC_USDT, '5e-05')).toThrow(/Invalid amount/);
  });

  it.each(['.', 'e5', '1e', '1e999', '0x10', '1_000', ' 1', '１'])('refuses %j', (text) => {
    expect(() => readAmount(BTC_USDT, text)).toThrow(/Invalid amount/);
  });

  it('reads every float as its digits say', () => {
    const property = fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (units) => {
      const plain = (units / 10_000).toFixed(4);
      const [digits, exponent] = (units / 10_000).toExponential().split('e');
      expect(readAmount(BTC_USDT, `${digits}e${exponent}`)).toBe(readAmount(BTC_USDT, plain));
    });
    fc.assert(property, { seed: 3 });
  });
});

describe('readSum', () => {
  it.each([
    ['5e-05', '0.00005'],
    ['.25', '0.25'],
    ['1E3', '1000'],
  ])('reads %s as %s', (text, sum) => expect(String(readSum(text))).toBe(sum));

  it.each(['', '.', '-1', '1e99', 'NaN'])('reads no sum in %j', (text) => {
    expect(readSum(text)).toBeUndefined();
  });
});
