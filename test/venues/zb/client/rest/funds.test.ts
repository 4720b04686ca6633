import { inspect } from 'node:util';
import { firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { WithdrawRequest } from '../../../../../src/exchange/index.ts';
import { Decimal } from '../../../../../src/kernel/index.ts';
import { signatureOf, signedText, signingKeyOf } from '../../../../../src/venues/zb/wire/index.ts';
import { failureOf, KEYS, rawServer, transportFixture, zbFixture } from '../fixture.ts';

/** An answer of success in either dialect. */
const DIALECTS = { documented: 1000, recorded: '1000' } as const;
const flat = (code: unknown, fields: object) => JSON.stringify({ code, message: 'ok', ...fields });
const nested = (code: unknown, datas: unknown) =>
  JSON.stringify({ code, message: { des: 'success', isSuc: true, datas } });
const BILL = {
  ...{ id: 7, currencyName: 'USDT', balance: '12.5USDT', changeAmount: '-0.1USDT', total: '12.5' },
  ...{ date: 1_645_610_254_524, showDate: 'x', typeDesc: 'buy', remark: '' },
};
const WITHDRAWAL = {
  ...{ id: 9, amount: 1, fees: 0.1, status: 5, submitTime: 1_645_610_254_524, manageTime: 0 },
  ...{ toAddress: 'a', merchantOrderNo: null, hash: null },
};
const DEPOSIT = {
  ...{ id: 8, address: 'a', amount: '1', confirmTimes: 0, currency: 'BTC', description: 'd' },
  ...{ hash: 'h', itransfer: 1, status: 0, submit_time: '2022-02-23 09:57:34' },
};
const REQUEST: WithdrawRequest = {
  currency: 'btc',
  amount: Decimal.of('0.5'),
  fee: Decimal.of('0.001'),
  address: 'bc1qverified',
  password: 'hunter2&more',
};

describe.each(Object.entries(DIALECTS))('funds, %s', (_dialect, code) => {
  test('bills are signed, in the span that is asked for', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/getSpotBills': flat(code, { result: [BILL] }) };
    const query = { currency: 'usdt', startTime: Date.UTC(2022, 1, 23), older: true, page: 2 };
    expect(await firstValueFrom(exchange.funds.bills(query))).toMatchObject([
      { id: '7', change: Decimal.of('-0.1'), balance: Decimal.of('12.5') },
    ]);
    const parameters = Object.fromEntries(http.targets[0]!.searchParams);
    expect(parameters).toMatchObject({
      ...{ method: 'getSpotBills', currency: 'usdt', dataType: '1', pageIndex: '2' },
      ...{ accesskey: KEYS.accessKey, startDate: '2022-02-23 00:00:00' },
      sign: signatureOf(signingKeyOf(KEYS.secretKey), signedText(parameters)),
    });
  });

  test('addresses are read, of one chain and of many', async () => {
    const { exchange, http } = zbFixture();
    const item = { blockChain: 'btc', canDeposit: true, canWithdraw: true, isUseMemo: false };
    http.answers = {
      '/api/getUserAddress': nested(code, { key: 'in' }),
      '/api/getPayinAddress': nested(code, [{ ...item, address: 'multi' }]),
      '/api/getWithdrawAddress': nested(code, { key: 'out' }),
    };
    const { funds } = exchange;
    expect(await firstValueFrom(funds.depositAddress('btc'))).toBe('in');
    expect(await firstValueFrom(funds.depositAddresses('btc'))).toMatchObject([
      { address: 'multi', memo: undefined },
    ]);
    expect(await firstValueFrom(funds.withdrawalAddress('btc'))).toBe('out');
    expect(http.targets.map(({ searchParams }) => searchParams.get('currency'))).toEqual([
      ...['btc', 'btc', 'btc'],
    ]);
  });

  test('records are read, a page at a time', async () => {
    const { exchange, http } = zbFixture();
    const page = { pageIndex: 1, pageSize: 10 };
    http.answers = {
      '/api/getWithdrawRecord': nested(code, {
        ...{ ...page, list: [WITHDRAWAL], totalCount: 1, totalPage: 1 },
      }),
      '/api/getChargeRecord': nested(code, { ...page, list: [DEPOSIT], total: 1 }),
    };
    const { funds } = exchange;
    expect(await firstValueFrom(funds.withdrawals({ currency: 'btc' }))).toMatchObject({
      items: [{ id: '9', status: 'confirmed', hash: '' }],
      totalCount: 1,
    });
    expect(await firstValueFrom(funds.deposits({ currency: 'btc' }))).toMatchObject({
      items: [{ id: '8', internal: true, submitTime: 1_645_610_254_000 }],
      totalCount: 1,
    });
  });

  test('fees are asked for without a key', async () => {
    const { exchange, http } = zbFixture();
    const fee = { chainName: 'BTC', mainChainName: 'BTC', canDeposit: true, canWithdraw: true };
    http.answers = { '/api/getFeeInfo': flat(code, { result: { BTC: [{ ...fee, fee: 0.001 }] } }) };
    const fees = await firstValueFrom(exchange.funds.withdrawalFees('btc'));
    expect(fees.get('btc')).toMatchObject([{ chain: 'BTC', fee: Decimal.of('0.001') }]);
    await firstValueFrom(exchange.funds.withdrawalFees());
    expect(http.targets.map(({ search }) => search)).toEqual(['?currency=btc', '']);
  });

  test('a withdrawal answers with the id of its record', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/withdraw': flat(code, { id: '202202224851151555' }) };
    expect(await firstValueFrom(exchange.funds.withdraw(REQUEST))).toEqual({
      withdrawalId: '202202224851151555',
    });
    const parameters = Object.fromEntries(http.targets[0]!.searchParams);
    expect(parameters).toMatchObject({
      ...{ amount: '0.5', fees: '0.001', itransfer: '0', receiveAddr: 'bc1qverified' },
      ...{ currency: 'btc', safePwd: REQUEST.password },
      sign: signatureOf(signingKeyOf(KEYS.secretKey), signedText(parameters)),
    });
  });
});

describe('funds, when there is nothing', () => {
  test.each([3001, '3008'])('code %s is an empty list', async (code) => {
    const { exchange, http } = zbFixture();
    const nothing = JSON.stringify({ code, message: 'no records' });
    http.answers = {
      '/api/getSpotBills': nothing,
      '/api/getWithdrawRecord': nothing,
      '/api/getChargeRecord': nothing,
    };
    const { funds } = exchange;
    const empty = { items: [], page: 2, pageSize: 20, totalCount: 0 };
    const query = { currency: 'btc', page: 2, pageSize: 20 };
    expect(await firstValueFrom(funds.bills({}))).toEqual([]);
    expect(await firstValueFrom(funds.withdrawals(query))).toEqual(empty);
    expect(await firstValueFrom(funds.deposits(query))).toEqual(empty);
  });

  test('an address that was never created is rejected', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/getUserAddress': nested(1000, { key: '' }) };
    expect((await failureOf(exchange.funds.depositAddress('btc'))).kind).toBe('rejected');
    http.answers = {
      '/api/getUserAddress':
        '{"code":1001,"message":"Cannot show the deposit address of btc: it has to be created first"}',
    };
    expect((await failureOf(exchange.funds.depositAddress('btc'))).kind).toBe('rejected');
  });
});

describe('withdrawalFees', () => {
  test.each([1003, '3005'])('is signed where the exchange answers %s without', async (code) => {
    const { exchange, http } = zbFixture();
    const refusal = JSON.stringify({ code, message: 'x' });
    http.answers = { '/api/getFeeInfo': [refusal, flat(1000, { result: {} })] };
    expect((await firstValueFrom(exchange.funds.withdrawalFees('btc'))).size).toBe(0);
    const [unsigned, signed] = http.targets.map(({ searchParams }) => searchParams);
    expect(unsigned!.has('sign')).toBe(false);
    expect(signed!.get('method')).toBe('getFeeInfo');
    expect(signed!.get('sign')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('is asked for once where it fails otherwise', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/getFeeInfo': '{"code":1009,"message":"maintenance"}' };
    expect((await failureOf(exchange.funds.withdrawalFees())).code).toBe(1009);
    expect(http.targets).toHaveLength(1);
  });
});

describe('funds, hostile answers', () => {
  const hostile = [
    ...['<html>504</html>', '', '{', 'null', '[]', '{}', '{"code":1000}', '{"code":"1000"}'],
    ...['{"result":false,"message":"服务端忙碌"}', '{"code":1001,"message":"响应超时"}'],
    ...['{"code":1000,"message":{"des":"x","isSuc":false}}', '{"code":1000,"message":{}}'],
    ...['{"code":1000,"message":{"datas":{"list":[{}]}}}', '{"code":1000,"result":[{}]}'],
  ];

  test.each(hostile)('are failures whose outcome is unknown: %s', async (body) => {
    const { exchange, http } = zbFixture();
    for (const name of [
      ...['getSpotBills', 'getUserAddress', 'getPayinAddress', 'getWithdrawAddress', 'withdraw'],
      ...['getWithdrawRecord', 'getChargeRecord', 'getFeeInfo', 'getCrossAssets', 'setRepayState'],
    ]) {
      http.answers[`/api/${name}`] = body;
    }
    const { funds, margin } = exchange;
    const calls = [
      ...[funds.bills({}), funds.depositAddress('btc'), funds.depositAddresses('btc')],
      ...[funds.withdrawalAddress('btc'), funds.withdrawals({ currency: 'btc' })],
      ...[funds.deposits({ currency: 'btc' }), funds.withdraw(REQUEST), margin.crossAccount()],
    ];
    for (const call of calls) expect((await failureOf(call)).kind).toBe('unknown');
    expect(http.targets).toHaveLength(calls.length);
  });
});

describe('withdraw, in trouble', () => {
  test('is unknown where its answer is lost, and sent once', async () => {
    const server = await rawServer((socket) => socket.destroy());
    const { exchange } = zbFixture({ http: () => transportFixture({ baseUrl: server.baseUrl }) });
    const failure = await failureOf(exchange.funds.withdraw(REQUEST));
    expect(failure).toMatchObject({ kind: 'unknown' });
    expect(server.requests).toHaveLength(1);
    await exchange.close();
    await server.close();
  });

  test('is unsent where it cannot be written', async () => {
    const { exchange, http } = zbFixture();
    const call = exchange.funds.withdraw({ ...REQUEST, amount: Decimal.ZERO });
    expect((await failureOf(call)).kind).toBe('unsent');
    expect(http.targets).toHaveLength(0);
  });

  test.each([
    ['{"code":1005,"message":"password wrong"}', 'rejected'],
    ['{"code":"1004","message":"locked"}', 'rejected'],
    ['{"code":1012,"message":"no right"}', 'rejected'],
    ['{"code":1001,"message":"Cannot withdraw: the address is not verified"}', 'rejected'],
    ['{"code":4002,"message":"too fast"}', 'limited'],
    ['{"code":1002,"message":"internal"}', 'unknown'],
  ])('after %s is %s, sent once', async (body, kind) => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/withdraw': body };
    expect((await failureOf(exchange.funds.withdraw(REQUEST))).kind).toBe(kind);
    expect(http.targets).toHaveLength(1);
  });

  test('shows its password nowhere, whatever answers', async () => {
    const { exchange, http, logger } = zbFixture();
    const echoed = encodeURIComponent(REQUEST.password);
    const shown: string[] = [];
    for (const body of [
      `<html>/api/withdraw?safePwd=${echoed}</html>`,
      `{"code":1005,"message":"wrong: ${REQUEST.password}"}`,
      `{"code":1000,"message":"${'x'.repeat(70)}","id":"${REQUEST.password}"}`,
    ]) {
      http.answers = { '/api/withdraw': body };
      const failure = await failureOf(exchange.funds.withdraw(REQUEST));
      shown.push(inspect(failure, { depth: 10, showHidden: true }), JSON.stringify(failure));
    }
    shown.push(inspect(exchange, { depth: 20, showHidden: true }), ...logger.lines);
    expect(shown.join('\n')).not.toMatch(/hunter2/);
  });

  test('shows its password in no failure of the network', async () => {
    const server = await rawServer((socket, text) => {
      if (text.includes('safePwd')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n');
    });
    const { exchange } = zbFixture({ http: () => transportFixture({ baseUrl: server.baseUrl }) });
    const failure = await failureOf(exchange.funds.withdraw(REQUEST));
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toMatch(/hunter2/);
    expect(failure.message).toMatch(/^Cannot tell the outcome of GET \/api\/withdraw: /);
    expect(server.requests).toHaveLength(1);
    await exchange.close();
    await server.close();
  });
});
