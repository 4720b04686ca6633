import { describe, expect, test } from 'vitest';
import type { WithdrawRequest } from '../../../../src/exchange/index.ts';
import { Decimal, HOUR_MS } from '../../../../src/kernel/index.ts';
import {
  addressParameters,
  billsParameters,
  feesParameters,
  recordsParameters,
  signedText,
  withdrawParameters,
} from '../../../../src/venues/zb/wire/index.ts';

const REQUEST: WithdrawRequest = {
  currency: 'eos',
  amount: Decimal.of('10.50'),
  fee: Decimal.of('1e-7'),
  address: 'exchange_备注',
  password: 'hunter2',
};

describe('billsParameters', () => {
  test('sends what is asked for alone', () => {
    expect(billsParameters({})).toEqual({ method: 'getSpotBills' });
  });

  test('sends every parameter of the contract, times as the exchange writes them', () => {
    const startTime = Date.UTC(2022, 3, 1, 16, 0, 0, 999);
    const query = { currency: 'usdt', startTime, endTime: startTime + HOUR_MS, older: true };
    expect(billsParameters({ ...query, page: 2, pageSize: 50 })).toEqual({
      method: 'getSpotBills',
      currency: 'usdt',
      startDate: '2022-04-01 16:00:00',
      endDate: '2022-04-01 17:00:00',
      dataType: '1',
      pageIndex: '2',
      pageSize: '50',
    });
    expect(billsParameters({ older: false }).dataType).toBe('0');
  });

  test('refuses a time that cannot be written', () => {
    expect(() => billsParameters({ startTime: Number.NaN })).toThrow(/^Cannot/);
  });
});

describe('withdrawParameters', () => {
  test('sends exact digits and the unencoded address', () => {
    expect(signedText(withdrawParameters(REQUEST))).toBe(
      'amount=10.5&currency=eos&fees=0.0000001&itransfer=0&method=withdraw' +
        '&receiveAddr=exchange_备注&safePwd=hunter2',
    );
    expect(withdrawParameters({ ...REQUEST, internal: true }).itransfer).toBe('1');
  });

  test.each([
    { amount: Decimal.ZERO },
    { amount: Decimal.of(-1) },
    { fee: Decimal.of('-0.1') },
    { address: '' },
    { password: '' },
  ])('refuses %j without telling the password', (change) => {
    const read = () => withdrawParameters({ ...REQUEST, ...change });
    expect(read).toThrow(/^Cannot withdraw/);
    expect(read).not.toThrow(/hunter2/);
  });
});

describe('the other funds operations', () => {
  test('carry their currency and page', () => {
    expect(addressParameters('getPayinAddress', 'btc')).toEqual({
      ...{ method: 'getPayinAddress', currency: 'btc' },
    });
    expect(recordsParameters('getWithdrawRecord', { currency: 'btc' })).toEqual({
      ...{ method: 'getWithdrawRecord', currency: 'btc', pageIndex: '1', pageSize: '10' },
    });
    const page = { currency: 'btc', page: 3, pageSize: 20 };
    expect(recordsParameters('getChargeRecord', page)).toMatchObject({
      ...{ pageIndex: '3', pageSize: '20' },
    });
    expect(feesParameters(undefined)).toEqual({ method: 'getFeeInfo' });
    expect(feesParameters('BTC')).toEqual({ method: 'getFeeInfo', currency: 'BTC' });
  });
});
