import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/kernel/index.ts';
import {
  readCrossAccount,
  readCrossCoins,
  WireError,
} from '../../../../src/venues/zb/wire/index.ts';

const ASSET = {
  fundType: 2,
  loanIn: 0.5,
  amount: '1.25',
  freeze: 0,
  overdraft: '0.00001',
  key: 'BTC',
  canTransferOut: 0,
};
const RESULT = { loanIn: 0, total: 71.167, riskRate: '-', net: '71.167', list: [ASSET] };
const read = (change: object) =>
  readCrossAccount({ code: '1000', message: 'ok', result: { ...RESULT, ...change } });

describe('readCrossAccount', () => {
  test('reads what is held and owed', () => {
    expect(read({})).toEqual({
      assets: [
        {
          currency: 'btc',
          available: Decimal.of('1.25'),
          frozen: Decimal.of(0),
          loan: Decimal.of('0.5'),
          overdraft: Decimal.of('0.00001'),
          transferable: Decimal.of(0),
        },
      ],
      total: Decimal.of('71.167'),
      net: Decimal.of('71.167'),
      loan: Decimal.of(0),
      riskRate: undefined,
    });
  });

  test.each([
    [1.5, 1.5],
    ['2.25', 2.25],
    ['-', undefined],
    [null, undefined],
  ])('reads the risk rate %j', (riskRate, expected) => {
    expect(read({ riskRate }).riskRate).toBe(expected);
  });

  test.each([{ list: null }, { total: '-' }, { riskRate: 'high' }, { list: [{ key: 'BTC' }] }])(
    'refuses %j',
    (change) => {
      expect(() => read(change)).toThrow(WireError);
    },
  );
});

describe('readCrossCoins', () => {
  test('reads coins as those of the spot account, or a list as that of getCrossAssets', () => {
    const balance = { currency: 'btc', available: Decimal.of('1.25'), frozen: Decimal.of(0) };
    const coins = [{ key: 'btc', available: '1.25', freez: '0' }];
    expect(readCrossCoins({ coins })).toEqual([balance]);
    expect(readCrossCoins({ list: [ASSET] })).toEqual([balance]);
    expect(() => readCrossCoins({})).toThrow(WireError);
  });
});
