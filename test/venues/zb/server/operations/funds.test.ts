import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { DEPOSIT_STATUSES, WITHDRAWAL_STATUSES } from '../../../../../src/domain/index.ts';
import { parseJson } from '../../../../../src/venues/zb/wire/json.ts';
import { FULL_KEY, KEY, refusing, serverFixture, signedTarget } from '../fixture.ts';
import { BILL, DEPOSIT, WITHDRAWAL } from '../funds-fixture.ts';

type Options = Parameters<typeof serverFixture>[0];

function fixture(options: Options = {}) {
  return serverFixture({ keys: [FULL_KEY], ...options });
}

/** An answer read without loss of digits. */
function exact(name: string, parameters: Record<string, string>, options: Options = {}) {
  return parseJson(fixture(options).askText(signedTarget(name, parameters))) as never;
}

const PAGED = { currency: 'BTC' };
const START = '2022-02-21 00:00:00';
const END = '2022-02-22 23:59:59';

describe('getSpotBills', () => {
  it('shows the fields of the contract, sums to the last digit', () => {
    expect(exact('getSpotBills', {})).toEqual({
      code: 1000,
      message: '操作成功',
      result: [
        {
          id: '9007199254740993123',
          currencyName: 'USDT',
          balance: '987.123456789012345678USDT',
          changeAmount: '-12.5USDT',
          total: '987.123456789012345678',
          date: 1_645_611_010_000,
          showDate: '2022-02-23 10:10:10',
          typeDesc: 'Sell "x"',
          remark: '备注',
        },
      ],
    });
  });

  it('signs what came in', () => {
    const bills = () => of([{ ...BILL, change: BILL.change.negated() }]);
    expect(fixture({ funds: { bills } }).call('getSpotBills').result[0].changeAmount).toBe(
      '+12.5USDT',
    );
  });

  it('is an empty list where there are none', () => {
    const { call } = fixture({ funds: { bills: () => of([]) } });
    expect(call('getSpotBills').result).toEqual([]);
  });

  it('hands the query on, with the defaults of the contract', () => {
    const { call, called } = fixture();
    call('getSpotBills');
    const all = { currency: 'USDT', startDate: START, endDate: END, dataType: '1' };
    call('getSpotBills', { ...all, pageIndex: '2', pageSize: '50' });
    expect(called('bills')).toEqual([
      { older: false, page: 1, pageSize: 10 },
      {
        currency: 'usdt',
        startTime: Date.UTC(2022, 1, 21),
        endTime: Date.UTC(2022, 1, 23) - 1,
        older: true,
        page: 2,
        pageSize: 50,
      },
    ]);
  });

  it.each([{ pageSize: '10' }, { startDate: START, endDate: START }])('takes %j', (parameters) => {
    expect(fixture().call('getSpotBills', parameters).code).toBe(1000);
  });

  it.each([
    { pageSize: '9' },
    { pageSize: '51' },
    { pageSize: '10.5' },
    { pageIndex: '0' },
    { dataType: '2' },
    { startDate: '2022-02-30 00:00:00' },
    { startDate: '2022-02-21' },
    { endDate: '1645611010000' },
    { startDate: '0000-00-00 00:00:00' },
    { startDate: END, endDate: START },
    { currency: 'hsr' },
    { currency: 'btc_usdt' },
  ])('refuses %j', (parameters) => {
    const { call, called } = fixture();
    expect(call('getSpotBills', parameters).code).toBe(3005);
    expect(called('bills')).toEqual([]);
  });
});

describe('getUserAddress, getPayinAddress and getWithdrawAddress', () => {
  const nested = (datas: unknown) => ({
    code: 1000,
    message: { des: '操作成功', isSuc: true, datas },
  });

  it('nest a key, or the addresses of all chains, in the message', () => {
    const { call } = fixture();
    expect(call('getUserAddress', PAGED)).toEqual(nested({ key: '0x"1"' }));
    expect(call('getWithdrawAddress', PAGED)).toEqual(nested({ key: '0x2' }));
    expect(call('getPayinAddress', PAGED)).toEqual(
      nested([
        {
          blockChain: 'TRC20',
          canDeposit: true,
          canWithdraw: false,
          isUseMemo: false,
          address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7',
        },
        {
          blockChain: 'EOS',
          canDeposit: false,
          canWithdraw: true,
          isUseMemo: true,
          account: 'exchange',
          memo: '42',
        },
      ]),
    );
  });

  it('have the code as text in the recorded dialect', () => {
    expect(fixture({ dialect: 'recorded' }).call('getUserAddress', PAGED)).toEqual({
      ...nested({ key: '0x"1"' }),
      code: '1000',
    });
  });

  it('hand the currency on in lower case', () => {
    const { call, called } = fixture();
    for (const name of ['getUserAddress', 'getPayinAddress', 'getWithdrawAddress']) {
      call(name, PAGED);
    }
    expect(['depositAddress', 'depositAddresses', 'withdrawalAddress'].map(called)).toEqual([
      ['btc'],
      ['btc'],
      ['btc'],
    ]);
  });

  it('pass on that no address was made', () => {
    const { call } = fixture({ funds: { depositAddress: refusing(1001, 'none yet') } });
    expect(call('getUserAddress', PAGED)).toEqual({ code: 1001, message: 'none yet' });
  });
});

describe('getWithdrawRecord', () => {
  it('shows a page in the message, sums to the last digit', () => {
    expect(exact('getWithdrawRecord', { ...PAGED, pageIndex: '2', pageSize: '5' })).toEqual({
      code: 1000,
      message: {
        des: '操作成功',
        isSuc: true,
        datas: {
          list: [
            {
              amount: 0.01,
              fees: '0.00000000000000000001',
              id: 2_016_042_556_231,
              status: 5,
              submitTime: 1_645_611_010_000,
              manageTime: 1_645_611_011_000,
              toAddress: '14fxEPirL9fyfw1i9EF439Pq6gQ5xijUmp_"memo"',
              merchantOrderNo: '',
              hash: '7ce842',
            },
          ],
          pageIndex: 2,
          pageSize: 5,
          totalCount: 21,
          totalPage: 5,
        },
      },
    });
  });

  it('has a number for every status, and 0 while nobody dealt with it', () => {
    const items = WITHDRAWAL_STATUSES.map((status) => ({
      ...WITHDRAWAL,
      status,
      manageTime: undefined,
    }));
    const withdrawals = () => of({ items, page: 1, pageSize: 10, totalCount: 0 });
    const { datas } = fixture({ funds: { withdrawals } }).call('getWithdrawRecord', PAGED).message;
    expect(datas.list.map(({ status }: { status: number }) => status)).toEqual([0, 1, 2, 3, 5]);
    expect([datas.list[0].manageTime, datas.totalPage]).toEqual([0, 0]);
  });
});

describe('getChargeRecord', () => {
  it('shows a page in the message, with a total in place of counts', () => {
    expect(exact('getChargeRecord', PAGED)).toEqual({
      code: 1000,
      message: {
        des: '操作成功',
        isSuc: true,
        datas: {
          list: [
            {
              address: '1FKN1DZqCm8HaTujDioRL2Aezdh7Qj7xxx',
              amount: '123456789.123456789',
              confirmTimes: 3,
              currency: 'BTC',
              description: 'Successfully Confirm',
              hash: '7ce842de',
              id: 558,
              itransfer: 1,
              status: 2,
              submit_time: '2022-02-23 10:10:10',
            },
          ],
          pageIndex: 1,
          pageSize: 10,
          total: 21,
        },
      },
    });
  });

  it('has a number for every status, and 0 for what came over a chain', () => {
    const items = DEPOSIT_STATUSES.map((status) => ({ ...DEPOSIT, status, internal: false }));
    const deposits = () => of({ items, page: 1, pageSize: 10, totalCount: 3 });
    const { list } = fixture({ funds: { deposits } }).call('getChargeRecord', PAGED).message.datas;
    expect(list).toMatchObject([0, 1, 2].map((status) => ({ status, itransfer: 0 })));
  });
});

describe('getWithdrawRecord and getChargeRecord', () => {
  it.each([
    ['getWithdrawRecord', 'withdrawals'],
    ['getChargeRecord', 'deposits'],
  ])('take pages of 1 to 100, ten where nothing is said: %s', (name, port) => {
    const { call, called } = fixture();
    const code = (parameters: object) => call(name, { ...PAGED, ...parameters }).code;
    expect([code({}), code({ pageIndex: '3', pageSize: '100' })]).toEqual([1000, 1000]);
    expect(code({ pageSize: '1' })).toBe(1000);
    expect([code({ pageSize: '0' }), code({ pageSize: '101' })]).toEqual([3005, 3005]);
    expect([code({ pageIndex: '0' }), code({ currency: 'bchsv' })]).toEqual([3005, 3005]);
    expect(called(port)).toEqual([
      { currency: 'btc', page: 1, pageSize: 10 },
      { currency: 'btc', page: 3, pageSize: 100 },
      { currency: 'btc', page: 1, pageSize: 1 },
    ]);
  });
});

describe('getFeeInfo', () => {
  const ANSWER = {
    code: 1000,
    message: '操作成功',
    result: {
      USDT: [
        {
          chainName: 'TRC20',
          canWithdraw: false,
          fee: 0.8,
          mainChainName: 'TRX',
          canDeposit: true,
        },
      ],
    },
  };

  it('is answered signed and unsigned, with a currency and without', () => {
    const { call, ask, called } = fixture();
    expect(call('getFeeInfo', { currency: 'USDT' })).toEqual(ANSWER);
    expect(ask('/api/getFeeInfo?currency=usdt&method=getFeeInfo')).toEqual(ANSWER);
    expect(ask('/api/getFeeInfo')).toEqual(ANSWER);
    expect(called('withdrawalFees')).toEqual(['usdt', 'usdt', undefined]);
  });

  it('is answered to a key that may nothing', () => {
    const permissions = { assets: false, orders: false, withdrawals: false, margin: false };
    const { call } = serverFixture({ keys: [{ ...KEY, permissions }] });
    expect(call('getFeeInfo').code).toBe(1000);
  });

  it('checks a signature that is there, and the lock of the address where there is none', () => {
    const limits = { enforced: true, requestsPerSecond: 9, requestsPerMinute: 2 };
    const { call, ask } = fixture({ limits: { ...limits, candleIntervalMs: 0, lockMs: 9 } });
    expect(call('getFeeInfo', {}, { sign: 'x' }).code).toBe(1003);
    expect(ask('/api/getFeeInfo?currency=nxwc').code).toBe(3005);
    expect(ask('/api/getFeeInfo').code).toBe(4001);
  });

  it('needs an account to be read at', () => {
    expect(fixture({ keys: [] }).ask('/api/getFeeInfo').code).toBe(3004);
  });
});

describe('withdraw', () => {
  const WITHDRAW = {
    currency: 'BTC',
    amount: '0.010000000000000000001',
    fees: '0.0010',
    receiveAddr: 'account_备注 &=',
    safePwd: 'p "w"',
  };

  it('hands the sums on to the last digit, and answers with an id', () => {
    const { call, called } = fixture();
    expect(call('withdraw', { ...WITHDRAW, itransfer: '1' })).toEqual({
      code: 1000,
      message: '操作成功',
      id: '2016042556231',
    });
    const [request] = called('withdraw') as [{ amount: unknown; fee: unknown }];
    expect(String(request.amount)).toBe('0.010000000000000000001');
    expect(String(request.fee)).toBe('0.001');
    expect(request).toMatchObject({
      currency: 'btc',
      address: 'account_备注 &=',
      password: 'p "w"',
      internal: true,
    });
  });

  it('does not transfer within the exchange unless told', () => {
    const { call, called } = fixture();
    call('withdraw', WITHDRAW);
    call('withdraw', { ...WITHDRAW, itransfer: '0' });
    expect(called('withdraw')).toMatchObject([{ internal: false }, { internal: false }]);
  });

  it.each([
    [{ amount: '0' }, 3003],
    [{ amount: '-1' }, 3003],
    [{ amount: '1e-2x' }, 3003],
    [{ amount: '9'.repeat(31) }, 3003],
    [{ amount: '' }, 3005],
    [{ fees: '-0.1' }, 3005],
    [{ fees: '' }, 3005],
    [{ itransfer: '2' }, 3005],
    [{ receiveAddr: '' }, 3005],
    [{ safePwd: '' }, 3005],
    [{ currency: 'bchabc' }, 3005],
  ])('refuses %j with code %i', (parameters, code) => {
    const { call, called } = fixture();
    expect(call('withdraw', { ...WITHDRAW, ...parameters }).code).toBe(code);
    expect(called('withdraw')).toEqual([]);
  });

  it.each([1004, 1005, 2009])('passes code %i of the host on', (code) => {
    const { call } = fixture({ funds: { withdraw: refusing(code, 'why') } });
    expect(call('withdraw', WITHDRAW)).toEqual({ code, message: 'why' });
  });

  it('keeps the password out of answers and logs', () => {
    const failing = () => {
      throw new TypeError('broken');
    };
    const { call, lines } = fixture({ funds: { withdraw: failing } });
    const answers = [call('withdraw', WITHDRAW), call('withdraw', { ...WITHDRAW, amount: 'x' })];
    expect(lines).toHaveLength(1);
    expect(JSON.stringify([lines, answers])).not.toContain('p \\"w');
  });
});
