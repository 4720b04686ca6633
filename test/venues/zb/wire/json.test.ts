import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, plainNumber } from '../../../../src/venues/zb/wire/index.ts';

describe('parseJson', () => {
  test('keeps every digit of a bare number beyond 2^53 as text', () => {
    expect(
      parseJson('{"id":202202224851151555,"n":[202202224851151557, -90071992547409931]}'),
    ).toEqual({ id: '202202224851151555', n: ['202202224851151557', '-90071992547409931'] });
    expect(parseJson('[9007199254740993]')).toEqual(['9007199254740993']);
  });

  test('keeps the digits of a sum of money that a double would lose', () => {
    expect(parseJson('{"trade_money":12345678901.1234567891}')).toEqual({
      trade_money: '12345678901.1234567891',
    });
  });

  test('leaves common numbers and long digits within strings as they are', () => {
    const text = '{"id":"202202224851151555","date":1653781987181,"price":29029.5}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
    const mixed = '{"a":" 202202224851151555","b":1.5}';
    expect(parseJson(mixed)).toEqual(JSON.parse(mixed));
  });

  test('loses no digit of any integer', () => {
    const integers = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(
      fc.property(integers, fc.constantFrom('', ' ', '\n'), (integer, space) => {
        const { n } = parseJson(`{"n":${space}${integer}}`) as { n: number | string };
        expect(BigInt(n)).toBe(integer);
      }),
      { seed: 1 },
    );
  });

  test('fails on what is no JSON', () => {
    expect(() => parseJson('<html>')).toThrow(SyntaxError);
  });
});

describe('plainNumber', () => {
  test('never uses an exponent', () => {
    expect([1e-7, 1.5e-10, 1e21, 0, 30000.5, 0.1].map(plainNumber)).toEqual([
      '0.0000001',
      '0.00000000015',
      '1000000000000000000000',
      '0',
      '30000.5',
      '0.1',
    ]);
  });

  test('is read back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = plainNumber(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text)).toBe(value + 0);
      }),
      { seed: 2 },
    );
  });
});
