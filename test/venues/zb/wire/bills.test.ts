import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/kernel/index.ts';
import { parseJson, readBills, WireError } from '../../../../src/venues/zb/wire/index.ts';

const BILL = {
  id: 1,
  currencyName: 'USDT',
  balance: '12.5USDT',
  changeAmount: '-0.1 USDT',
  total: '12.5',
  date: 1_645_610_254_524,
  showDate: '2022-02-23 09:57:34',
  typeDesc: '限价买入',
  remark: null,
};
const read = (...bills: object[]) => readBills({ code: 1000, message: 'ok', result: bills });
const sums = (change: object) => {
  const [bill] = read({ ...BILL, ...change });
  return [bill!.change.toString(), bill!.balance.toString()];
};

describe('readBills', () => {
  test('reads exact sums, the time and what it was', () => {
    expect(read(BILL)).toEqual([
      {
        id: '1',
        currency: 'usdt',
        change: Decimal.of('-0.1'),
        balance: Decimal.of('12.5'),
        time: 1_645_610_254_524,
        type: '限价买入',
        remark: '',
      },
    ]);
  });

  test.each([
    [{ changeAmount: '+0.1BTC', balance: '-0.1 BTC', currencyName: 'BTC' }, ['0.1', '-0.1']],
    [{ changeAmount: '12.51INCH', balance: '0 1inch', currencyName: '1INCH' }, ['12.5', '0']],
    [
      { changeAmount: '1E-8ETH', balance: '1.5e3 eth', currencyName: 'ETH' },
      ['0.00000001', '1500'],
    ],
    [{ changeAmount: '7BCC', balance: '8.25 bch', currencyName: 'bch' }, ['7', '8.25']],
    [{ changeAmount: '3', balance: 4.25 }, ['3', '4.25']],
    [{ balance: undefined, total: '9.75' }, ['-0.1', '9.75']],
    [
      { changeAmount: '123456789012345678.123456789USDT' },
      ['123456789012345678.123456789', '12.5'],
    ],
  ])('parses the sums of %j', (change, expected) => {
    expect(sums(change)).toEqual(expected);
  });

  test('parses any sum with any name exactly', () => {
    const sum = fc
      .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }))
      .map(([units, scale]) => new Decimal(units, scale));
    const name = fc.stringMatching(/^[0-9]{0,2}[A-Z][A-Z0-9]{0,6}$/);
    fc.assert(
      fc.property(sum, name, fc.constantFrom('', ' '), (value, currencyName, gap) => {
        const text = `${value.toFixed()}${gap}${currencyName}`;
        const [bill] = read({ ...BILL, currencyName, changeAmount: text, balance: text });
        expect(bill!.change.equals(value)).toBe(true);
        expect(bill!.currency).toBe(currencyName.toLowerCase());
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  test('keeps ids above 2^53 and falls back on the written time', () => {
    const { date: _, ...rest } = BILL;
    const text = JSON.stringify({ code: '1000', message: 'ok', result: [rest] });
    const long = text.replace('"id":1', '"id":202202231234567890');
    const [bill] = readBills(parseJson(long));
    expect(bill).toMatchObject({ id: '202202231234567890', time: 1_645_610_254_000 });
  });

  test.each([
    { id: 'x' },
    { changeAmount: 'much USDT' },
    { changeAmount: '1,5USDT' },
    { changeAmount: '1e5XYZ' },
    { changeAmount: null },
    { currencyName: 5 },
    { currencyName: ' ' },
    { date: 'soon' },
    { date: null, showDate: undefined },
    { typeDesc: {} },
  ])('refuses %j', (change) => {
    expect(() => read({ ...BILL, ...change })).toThrow(WireError);
  });

  test('refuses an answer without list or code', () => {
    expect(() => readBills({ code: 1000, message: 'ok' })).toThrow(WireError);
    expect(() => readBills({ result: [] })).toThrow(WireError);
  });
});
