import { describe, expect, test } from 'vitest';
import { DEPOSIT_STATUSES, WITHDRAWAL_STATUSES } from '../../../../src/domain/index.ts';
import { Decimal } from '../../../../src/kernel/index.ts';
import {
  parseJson,
  readDeposits,
  readWithdrawals,
  readWithdrawn,
  WireError,
} from '../../../../src/venues/zb/wire/index.ts';

const WITHDRAWAL = {
  amount: 0.01,
  fees: 0.001,
  id: 2016042556231,
  status: 2,
  submitTime: 1_461_579_288_000,
  manageTime: 1_461_579_300_000,
  toAddress: '14fxEPirL9fyfw1i9EF439Pq6gQ5xijUmp',
  merchantOrderNo: '',
  hash: 'ab12',
};
const DEPOSIT = {
  address: '1FKN1DZqCm8HaTujDioRL2Aezdh7Qj7xxx',
  amount: '1.00000000',
  confirmTimes: 1,
  currency: 'BTC',
  description: 'Successfully Confirm',
  hash: '7ce842de187c379abafadd64a5fe66c5',
  id: 22,
  itransfer: 0,
  status: 2,
  submit_time: '2016-04-25 12:14:48',
};
const nested = (datas: object, code: unknown = 1000) => ({
  code,
  message: { des: 'ok', isSuc: true, datas },
});
const withdrawals = (...list: unknown[]) =>
  readWithdrawals(nested({ list, pageIndex: 1, pageSize: 10, totalCount: 11, totalPage: 2 }));
const deposits = (...list: unknown[]) =>
  readDeposits(nested({ list, pageIndex: '2', pageSize: '10', total: '12' }, '1000'));

describe('readWithdrawals', () => {
  test('reads a page of exact records', () => {
    expect(withdrawals(WITHDRAWAL)).toEqual({
      items: [
        {
          id: '2016042556231',
          amount: Decimal.of('0.01'),
          fee: Decimal.of('0.001'),
          status: 'succeeded',
          submitTime: 1_461_579_288_000,
          manageTime: 1_461_579_300_000,
          address: '14fxEPirL9fyfw1i9EF439Pq6gQ5xijUmp',
          merchantOrderNumber: '',
          hash: 'ab12',
        },
      ],
      page: 1,
      pageSize: 10,
      totalCount: 11,
    });
  });

  test('knows every status, as a number or its text', () => {
    const codes = [0, 1, 2, 3, '5'];
    const { items } = withdrawals(...codes.map((status) => ({ ...WITHDRAWAL, status })));
    expect(items.map(({ status }) => status)).toEqual(WITHDRAWAL_STATUSES);
  });

  test.each([0, null, '', undefined])('has no manageTime for %j', (manageTime) => {
    expect(withdrawals({ ...WITHDRAWAL, manageTime }).items[0]!.manageTime).toBeUndefined();
  });

  test('loses no digit of an id or a sum', () => {
    const page = { list: [WITHDRAWAL], pageIndex: 1, pageSize: 10, totalCount: 1 };
    const text = JSON.stringify(nested(page))
      .replace('"id":2016042556231', '"id":20220223123456789012')
      .replace('"amount":0.01', '"amount":1234567.123456789012345678');
    const [item] = readWithdrawals(parseJson(text)).items;
    expect(item!.id).toBe('20220223123456789012');
    expect(item!.amount.toString()).toBe('1234567.123456789012345678');
  });

  test.each([{ status: 4 }, { amount: 'x' }, { fees: undefined }, { id: null }, { hash: [] }])(
    'refuses %j',
    (change) => {
      expect(() => withdrawals({ ...WITHDRAWAL, ...change })).toThrow(WireError);
    },
  );

  test.each([{ list: {} }, { pageIndex: 'x' }, { totalCount: -1 }, { pageSize: 1.5 }])(
    'refuses a page with %j',
    (change) => {
      const page = { list: [], pageIndex: 1, pageSize: 10, totalCount: 0, ...change };
      expect(() => readWithdrawals(nested(page))).toThrow(WireError);
    },
  );
});

describe('readDeposits', () => {
  test('reads a page of records, their times as written', () => {
    expect(deposits(DEPOSIT)).toEqual({
      items: [
        {
          id: '22',
          currency: 'btc',
          amount: Decimal.of('1.00000000'),
          address: '1FKN1DZqCm8HaTujDioRL2Aezdh7Qj7xxx',
          confirmations: 1,
          description: 'Successfully Confirm',
          hash: '7ce842de187c379abafadd64a5fe66c5',
          internal: false,
          status: 'succeeded',
          submitTime: Date.UTC(2016, 3, 25, 12, 14, 48),
        },
      ],
      page: 2,
      pageSize: 10,
      totalCount: 12,
    });
  });

  test('knows every status and transfers within the exchange', () => {
    const { items } = deposits(
      ...[0, '1', 2].map((status) => ({ ...DEPOSIT, status, itransfer: '1' })),
    );
    expect(items.map(({ status }) => status)).toEqual(DEPOSIT_STATUSES);
    expect(items.every(({ internal }) => internal)).toBe(true);
  });

  test.each([
    { status: 3 },
    { status: -1 },
    { itransfer: 2 },
    { submit_time: '25.4.2016' },
    { submit_time: undefined },
    { confirmTimes: 0.5 },
    { currency: null },
  ])('refuses %j', (change) => {
    expect(() => deposits({ ...DEPOSIT, ...change })).toThrow(WireError);
  });
});

describe('readWithdrawn', () => {
  test('reads the id of the record, number or text', () => {
    expect(readWithdrawn({ code: 1000, message: 'ok', id: 45 })).toEqual({ withdrawalId: '45' });
    expect(readWithdrawn({ code: '1000', id: '20220223' })).toEqual({ withdrawalId: '20220223' });
  });

  test.each([{ id: 45 }, { code: 1000 }, { code: 1000, id: '' }, { code: 1000, id: 'x' }, []])(
    'takes %j for no withdrawal',
    (json) => {
      expect(() => readWithdrawn(json)).toThrow(WireError);
    },
  );
});
