import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/kernel/index.ts';
import { readAccount, readCoins, WireError } from '../../../../src/venues/zb/wire/index.ts';

const rights = { assetPerm: true, entrustPerm: true, moneyPerm: false, leverPerm: false };
const coins = [
  { key: 'BTC', enName: 'BTC', available: '1.50000000', freez: '0.1', unitDecimal: 8 },
];

describe('readAccount', () => {
  test('reads exact balances by small currency names, and the rights', () => {
    expect(readAccount({ result: { coins, base: {} }, ...rights })).toMatchObject({
      balances: [
        { currency: 'btc', available: Decimal.of('1.50000000'), frozen: Decimal.of('0.1') },
      ],
      permissions: { assets: true, orders: true, withdrawals: false, margin: false },
    });
  });

  test('reads what is told of a currency, and skips what is not', () => {
    const told = { cnName: 'Bitcoin', unitDecimal: 8, isCanRecharge: true, isCanWithdraw: false };
    const [coin] = coins;
    const { currencies } = readAccount({ result: { coins: [{ ...coin, ...told }] }, ...rights });
    expect(currencies).toEqual([
      {
        ...{ currency: 'btc', fullName: 'Bitcoin', decimals: 8 },
        ...{ canDeposit: true, canWithdraw: false, canLoan: false },
      },
    ]);
    const bare = { key: 'BTC', available: '1', freez: '0' };
    expect(readAccount({ result: { coins: [bare] }, ...rights }).currencies).toEqual([]);
  });

  test('finds the rights within the result as well', () => {
    expect(readAccount({ result: { coins, ...rights } }).permissions.orders).toBe(true);
  });

  test('never guesses a right that is not told', () => {
    const { moneyPerm: _, ...rest } = rights;
    expect(() => readAccount({ result: { coins }, ...rest })).toThrow(/moneyPerm/);
  });
});

describe('readCoins', () => {
  test('refuses a balance that is no number', () => {
    expect(() => readCoins([{ key: 'btc', available: 'much', freez: '0' }])).toThrow(WireError);
  });
});
