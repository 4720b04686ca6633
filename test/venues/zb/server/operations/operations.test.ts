import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Amount } from '../../../../../src/domain/index.ts';
import { Decimal } from '../../../../../src/kernel/index.ts';
import {
  FULL_KEY,
  KEY,
  ORDER,
  orderRecord,
  refusing,
  serverFixture,
  signedTarget,
} from '../fixture.ts';

const REFERENCE = { currency: 'btc_usdt', id: '202202224851151555' };

describe('order', () => {
  it('answers with the id as a string, in the words of the exchange', () => {
    const { askText } = serverFixture();
    expect(askText(signedTarget('order', ORDER))).toBe(
      '{"code":1000,"message":"操作成功","id":"202202224851151555"}',
    );
  });

  it('hands the order on, exactly', () => {
    const { call, called } = serverFixture({ keys: [FULL_KEY] });
    call('order', {
      ...ORDER,
      currency: 'BTC_USDT',
      tradeType: '0',
      acctType: '2',
      orderType: '1',
      enableExpress: 'true',
      enableRepay: '1',
      customerOrderId: 'Tw12',
    });
    expect(called('place')).toEqual([
      {
        market: 'btc_usdt',
        side: 'sell',
        type: 'postOnly',
        price: 30_000,
        amount: 0.0006,
        accountType: 2,
        borrow: true,
        repay: true,
        clientOrderId: 'Tw12',
      },
    ]);
  });

  it.each([
    ['', 'limit'],
    ['0', 'limit'],
    ['1', 'postOnly'],
    ['2', 'ioc'],
    ['3', 'limit'],
    ['x', 'limit'],
  ])('takes the orderType %j as %s', (orderType, type) => {
    const { call, called } = serverFixture();
    call('order', { ...ORDER, orderType });
    expect(called('place')).toMatchObject([{ type, accountType: 0, borrow: false, repay: false }]);
  });

  it.each([
    [{ currency: 'doge_usdt' }, 1001, 'Error Market'],
    [{ currency: '__proto__' }, 1001, 'Error Market'],
    [{ currency: 'bchabc_usdt' }, 1001, 'Error Market: bchabc is now bch'],
    [{ currency: 'HSR_usdt' }, 1001, 'Error Market: hsr is now hc'],
    [{ tradeType: '2' }, 3005, 'Invalid tradeType: 1 (buy) or 0 (sell) wanted'],
    [{ acctType: '3' }, 3005, 'Invalid acctType: 0, 1 or 2 wanted'],
    [{ enableExpress: 'yes' }, 3005, 'Invalid enableExpress: true or false wanted'],
    [{ customerOrderId: 'abc' }, 3005, 'Invalid customerOrderId: 4 to 36 letters or digits wanted'],
    [{ customerOrderId: 'a'.repeat(37) }, 3005, expect.any(String)],
    [{ customerOrderId: 'abc-d' }, 3005, expect.any(String)],
    [{ price: '30000.001' }, 3002, expect.stringContaining('2 decimal places')],
    [{ price: '-1' }, 3002, expect.any(String)],
    [{ amount: '0.00001' }, 3003, expect.stringContaining('4 decimal places')],
    [{ amount: '6e-4x' }, 3003, expect.any(String)],
  ])('refuses %j with code %i', (parameters, code, message) => {
    const { call, called } = serverFixture();
    expect(call('order', { ...ORDER, ...parameters })).toEqual({ code, message });
    expect(called('place')).toEqual([]);
  });
});

describe('order, on margin', () => {
  it('needs the right to margin to borrow or repay, not to use a margin account', () => {
    const { call } = serverFixture();
    const code = (parameters: object) => call('order', { ...ORDER, ...parameters }).code;
    expect([code({ acctType: '1' }), code({ acctType: '2' })]).toEqual([1000, 1000]);
    expect(code({ enableExpress: 'true' })).toBe(1012);
    expect(code({ enableRepay: '1' })).toBe(1012);
    expect(code({ enableExpress: 'false', enableRepay: '0' })).toBe(1000);
    expect(code({ enableExpress: 'False', enableRepay: 'False' })).toBe(1000);
    expect(code({ enableExpress: 'True' })).toBe(1012);
    expect(code({ enableExpress: 'true', currency: 'x_y' })).toBe(1012);
  });
});

describe('order, at the host', () => {
  it('refuses old names even where the host still lists them', () => {
    const market = { id: 'nxwc_usdt', base: 'nxwc', quote: 'usdt', priceScale: 2, amountScale: 2 };
    const { call } = serverFixture({ markets: [{ ...market, minAmount: 1, minSize: 1 }] });
    expect(call('order', { ...ORDER, currency: 'nxwc_usdt' }).message).toMatch(/nxwc is now xwc/);
  });

  it('passes the refusal of the host on, its code as text in the recorded dialect', () => {
    const place = refusing(2009, 'account balance is not enough');
    const answer = { message: 'account balance is not enough' };
    const documented = serverFixture({ trading: { place } });
    const recorded = serverFixture({ trading: { place }, dialect: 'recorded' });
    expect(documented.call('order', ORDER)).toEqual({ ...answer, code: 2009 });
    expect(recorded.call('order', ORDER)).toEqual({ ...answer, code: '2009' });
  });
});

describe('orderMoreV2', () => {
  const BATCH = { market: 'btc_usdt', tradeType: '1' };

  it.each([
    '[[30000,0.1],[29999.5,0.2]]',
    '[["30000","0.1"],["29999.5","0.2"]]',
    ' [ [ 30000.0 , "0.10" ] , [29999.50,0.2] ] ',
    '[[3e4,1e-1],["29999.5","2E-01"]]',
  ])('takes %s', (tradeParams) => {
    const { call, called } = serverFixture();
    expect(call('orderMoreV2', { ...BATCH, tradeParams })).toEqual({
      code: 1000,
      message: '操作成功',
      data: ['202202224851151550', '202202224851151551'],
    });
    expect(called('placeBatch')).toEqual([
      {
        market: 'btc_usdt',
        side: 'buy',
        accountType: 0,
        orders: [
          { price: 30_000, amount: 0.1 },
          { price: 29_999.5, amount: 0.2 },
        ],
      },
    ]);
  });

  it('says of a batch that is taken in part which order ended it', () => {
    const placeBatch = () => of({ exchangeOrderIds: ['1'], remark: 'ended at order "2"' });
    const { call } = serverFixture({ trading: { placeBatch }, dialect: 'recorded' });
    const tradeParams = '[[30000,0.1],[29999.5,0.2]]';
    expect(call('orderMoreV2', { ...BATCH, tradeParams })).toEqual({
      ...{ code: '1000', message: 'ended at order "2"', data: ['1'] },
    });
  });

  it('takes 20 orders and refuses 21', () => {
    const { call } = serverFixture();
    const of = (count: number) => JSON.stringify(Array(count).fill([30_000, 0.1]));
    expect(call('orderMoreV2', { ...BATCH, tradeParams: of(20) }).code).toBe(1000);
    expect(call('orderMoreV2', { ...BATCH, tradeParams: of(21) }).code).toBe(3005);
  });

  it.each([
    ['[]', 3005],
    ['[[]]', 3005],
    ['[[30000]]', 3005],
    ['[[30000,0.1,1]]', 3005],
    ['[[30000,0.1],]', 3005],
    ['[[30000,0.1]', 3005],
    ['[[30000,0.1]]]', 3005],
    ['[[30000,0.1]] x', 3005],
    ['[[30000,1e]]', 3005],
    ['[[-1,0.1]]', 3005],
    ['{"0":[1,1]}', 3005],
    ['[[30000.00000000000000001,0.1]]', 3002],
    ['[[30000,0.00001]]', 3003],
    ['[[30000,0.1],[0,0.1]]', 3002],
  ])('refuses %s with code %i and places nothing', (tradeParams, code) => {
    const { call, called } = serverFixture();
    expect(call('orderMoreV2', { ...BATCH, tradeParams }).code).toBe(code);
    expect(called('placeBatch')).toEqual([]);
  });
});

describe('cancelOrder', () => {
  it('nests the totals of the order in its message', () => {
    expect(serverFixture().call('cancelOrder', REFERENCE)).toEqual({
      code: 1000,
      message: {
        des: '操作成功',
        isSuc: true,
        datas: { amount: 0.0006, price: 30_000, completeMonty: 6, completeAmount: 0.0002 },
      },
    });
  });

  it('is a plain success where the host tells no totals', () => {
    const { call } = serverFixture({ trading: { cancel: () => of(undefined) } });
    expect(call('cancelOrder', REFERENCE)).toEqual({ code: 1000, message: '操作成功' });
  });

  it('names the order by either id', () => {
    const { call, called } = serverFixture();
    call('cancelOrder', REFERENCE);
    call('cancelOrder', { currency: 'btc_usdt', customerOrderId: 'Tw12' });
    expect(called('cancel')).toEqual([
      { market: 'btc_usdt', exchangeOrderId: '202202224851151555' },
      { market: 'btc_usdt', clientOrderId: 'Tw12' },
    ]);
  });

  it.each(['cancelOrder', 'getOrder'])('and getOrder want exactly one id: %s', (name) => {
    const { call } = serverFixture();
    expect(call(name, { currency: 'btc_usdt' }).code).toBe(3005);
    expect(call(name, { ...REFERENCE, customerOrderId: 'Tw12' }).code).toBe(3005);
    expect(call(name, { ...REFERENCE, id: '12a' }).code).toBe(3005);
    expect(call(name, { ...REFERENCE, customerOrderId: '' }).code).not.toBe(3005);
  });
});

describe('cancelAllOrdersAfter', () => {
  it('hands the market on', () => {
    const { call, called } = serverFixture();
    expect(call('cancelAllOrdersAfter', { currency: 'btc_usdt' })).toEqual({
      code: 1000,
      message: '操作成功',
    });
    expect(called('cancelAllAfter')).toEqual(['btc_usdt']);
  });
});

describe('getOrder', () => {
  const shown = (changes: Parameters<typeof orderRecord>[0], dialect?: 'recorded') =>
    serverFixture({
      ...(dialect && { dialect }),
      trading: { order: () => of(orderRecord(changes)) },
    }).call('getOrder', REFERENCE);
  const PART = { filledAmount: 0.0002 as Amount, filledValue: Decimal.of('6.00') };

  it('shows the fields of the contract', () => {
    expect(shown({ ...PART, fee: Decimal.of('0.0000004') })).toEqual({
      code: 1000,
      message: '操作成功',
      currency: 'btc_usdt',
      id: '202202224851151555',
      price: 30_000,
      status: 3,
      total_amount: 0.0006,
      trade_amount: 0.0002,
      trade_date: 1_645_610_254_524,
      trade_money: 6,
      type: 1,
      fees: '0.0000004',
      deductedFee: false,
      useZbFee: false,
      webId: 0,
    });
  });

  it('shows no fee of an untouched order, and none at all where the host tells none', () => {
    expect(shown({}).fees).toBe('0');
    expect(shown(PART)).not.toHaveProperty('fees');
  });

  it('shows the account where the host tells it', () => {
    expect(shown({ accountType: 2 }).acctType).toBe(2);
  });

  it('shows an untouched order with the status of the dialect', () => {
    expect([shown({}).status, shown({}, 'recorded').status]).toEqual([0, 3]);
  });

  it('shows 1 for cancelled untouched and 2 for what traded and ended', () => {
    expect(shown({ closed: true }).status).toBe(1);
    expect(shown({ closed: true, ...PART }).status).toBe(2);
  });

  it('writes small numbers out', () => {
    const trading = { order: () => of(orderRecord({ amount: 0.0000001 as Amount })) };
    const body = serverFixture({ trading }).askText(signedTarget('getOrder', REFERENCE));
    expect(body).toContain('"total_amount":0.0000001,');
  });

  it('says 3001 of an order that is not there', () => {
    const { call } = serverFixture({ trading: { order: refusing(3001, 'Order not found') } });
    expect(call('getOrder', REFERENCE).code).toBe(3001);
  });
});

describe('getOrders', () => {
  const QUERY = { currency: 'btc_usdt', tradeType: '1' };

  it('is a bare array', () => {
    expect(serverFixture().call('getOrders', QUERY)).toMatchObject([{ id: '202202224851151555' }]);
  });

  it('is an object with code 3001 where there are none', () => {
    const { call } = serverFixture({ trading: { orders: () => of([]) } });
    expect(call('getOrders', QUERY)).toEqual({ code: 3001, message: 'Order not found' });
  });

  it('begins at page 1 unless told otherwise', () => {
    const { call, called } = serverFixture();
    call('getOrders', QUERY);
    call('getOrders', { ...QUERY, tradeType: '0', pageIndex: '3' });
    expect(called('orders')).toEqual([
      { market: 'btc_usdt', side: 'buy', page: 1 },
      { market: 'btc_usdt', side: 'sell', page: 3 },
    ]);
  });

  it.each(['0', '-1', '1.5', 'x', '99999999999'])('refuses the page %s', (pageIndex) => {
    expect(serverFixture().call('getOrders', { ...QUERY, pageIndex }).code).toBe(3005);
  });
});

describe.each(['getAccountInfo', 'getOrder'])('%s', (name) => {
  const QUERY = { currency: 'btc_usdt', id: '202202224851151555' };

  it('bears code and message as the contract wants them, and none where it was recorded', () => {
    const success = { code: 1000, message: '操作成功' };
    expect(serverFixture().call(name, QUERY)).toMatchObject(success);
    const recorded = serverFixture({ dialect: 'recorded' }).call(name, QUERY);
    expect(recorded).not.toHaveProperty('code');
    expect(recorded).not.toHaveProperty('message');
  });
});

describe('getAccountInfo', () => {
  it('shows balances, and what the key and its account both may do', () => {
    const permissions = { ...KEY.permissions, margin: true };
    const answer = serverFixture({ keys: [{ ...KEY, permissions }] }).call('getAccountInfo');
    expect(answer).toMatchObject({
      assetPerm: true,
      entrustPerm: true,
      moneyPerm: false,
      leverPerm: false,
      result: { base: { username: 'main', trade_password_enabled: true } },
    });
    expect(answer.result.coins[0]).toEqual({
      key: 'btc',
      enName: 'BTC',
      cnName: 'BTC',
      showName: 'BTC',
      unitTag: 'BTC',
      unitDecimal: 8,
      fundstype: expect.any(Number),
      available: '1.50000001',
      freez: '0.5',
      isCanRecharge: true,
      isCanWithdraw: true,
      canLoan: false,
    });
  });

  it('wants the permission for assets', () => {
    const permissions = { ...KEY.permissions, assets: false };
    const { call } = serverFixture({ keys: [{ ...KEY, permissions }] });
    expect(call('getAccountInfo').code).toBe(1012);
    expect(call('order', ORDER).code).toBe(1000);
  });
});
