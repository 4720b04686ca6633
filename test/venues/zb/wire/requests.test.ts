import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount, Price } from '../../../../src/domain/index.ts';
import type { PlaceRequest } from '../../../../src/exchange/index.ts';
import {
  cancelAllAfterParameters,
  orderListParameters,
  ordersParameters,
  placeBatchParameters,
  placeParameters,
  referenceParameters,
  signedQuery,
  signedText,
  stateParameters,
  targetOf,
} from '../../../../src/venues/zb/wire/index.ts';

const order: PlaceRequest = {
  market: 'btc_usdt',
  side: 'buy',
  type: 'limit',
  price: 30000.5 as Price,
  amount: 0.0000001 as Amount,
};

describe('placeParameters', () => {
  test('renders a plain limit order, numbers without exponent', () => {
    expect(placeParameters(order)).toStrictEqual({
      method: 'order',
      currency: 'btc_usdt',
      tradeType: '1',
      price: '30000.5',
      amount: '0.0000001',
    });
  });

  test('renders type, id, account, borrowing and repaying', () => {
    const request: PlaceRequest = {
      ...order,
      side: 'sell',
      type: 'postOnly',
      clientOrderId: 'abc123',
      accountType: 2,
      borrow: true,
      repay: true,
    };
    expect(placeParameters(request)).toMatchObject({
      tradeType: '0',
      orderType: '1',
      customerOrderId: 'abc123',
      acctType: '2',
      enableExpress: 'true',
      enableRepay: 'true',
    });
    expect(placeParameters({ ...order, type: 'ioc' }).orderType).toBe('2');
  });

  test.each([
    ['a short id', { clientOrderId: 'abc' }],
    ['an id with a dash', { clientOrderId: 'abcd-1' }],
    ['a long id', { clientOrderId: 'a'.repeat(37) }],
    ['no amount', { amount: 0 as Amount }],
    ['a price that is none', { price: Number.NaN as Price }],
    ['an endless price', { price: Number.POSITIVE_INFINITY as Price }],
  ])('refuses %s', (_name, change) => {
    expect(() => placeParameters({ ...order, ...change })).toThrow(/^Cannot/);
  });
});

describe('placeBatchParameters', () => {
  const pair = { price: 30000 as Price, amount: 1e-7 as Amount };
  const batch = { market: 'btc_usdt', side: 'sell' as const };

  test('renders pairs without exponent, under the name market', () => {
    expect(placeBatchParameters({ ...batch, orders: [pair, pair] })).toEqual({
      method: 'orderMoreV2',
      market: 'btc_usdt',
      tradeType: '0',
      tradeParams: '[[30000,0.0000001],[30000,0.0000001]]',
    });
  });

  test('names the account that pays where it is not the spot account', () => {
    const orders = [pair];
    expect(placeBatchParameters({ ...batch, orders, accountType: 1 }).acctType).toBe('1');
    expect(placeBatchParameters({ ...batch, orders })).not.toHaveProperty('acctType');
  });

  test('refuses none and more than 20', () => {
    expect(() => placeBatchParameters({ ...batch, orders: [] })).toThrow(/1 to 20/);
    const orders = Array.from({ length: 21 }, () => pair);
    expect(() => placeBatchParameters({ ...batch, orders })).toThrow(/holds 21/);
  });
});

describe('the other operations', () => {
  test('name an order by exactly one id', () => {
    const byId = { market: 'btc_usdt', exchangeOrderId: '1' };
    const byName = { market: 'btc_usdt', clientOrderId: 'abcd' };
    expect(referenceParameters('cancelOrder', byId)).toEqual({
      method: 'cancelOrder',
      currency: 'btc_usdt',
      id: '1',
    });
    expect(referenceParameters('getOrder', byName)).toEqual({
      method: 'getOrder',
      currency: 'btc_usdt',
      customerOrderId: 'abcd',
    });
  });

  test('render lists and the timed cancel', () => {
    expect(ordersParameters({ market: 'btc_usdt', side: 'buy', page: 2 })).toEqual({
      method: 'getOrders',
      currency: 'btc_usdt',
      tradeType: '1',
      pageIndex: '2',
    });
    expect(signedText(cancelAllAfterParameters('btc_usdt'))).toBe(
      'currency=btc_usdt&method=cancelAllOrdersAfter',
    );
  });
});

describe('orderListParameters', () => {
  const query = { market: 'btc_usdt', page: 2, pageSize: 100 };
  const sent = { currency: 'btc_usdt', pageIndex: '2', pageSize: '100' };

  test.each([
    ['all', 'getOrdersIgnoreTradeType'],
    ['unfinished', 'getUnfinishedOrdersIgnoreTradeType'],
    ['finished', 'getFinishedAndPartialOrders'],
  ] as const)('asks for %s orders by %s', (filter, method) => {
    expect(orderListParameters({ ...query, filter })).toEqual({ ...sent, method });
  });

  test('asks for all orders of a side by getOrdersNew', () => {
    expect(orderListParameters({ ...query, side: 'sell', filter: 'all' })).toEqual({
      ...{ ...sent, method: 'getOrdersNew', tradeType: '0' },
    });
  });

  test('asks for the first ten where nothing is said', () => {
    expect(orderListParameters({ market: 'btc_usdt', filter: 'all' })).toMatchObject({
      ...{ pageIndex: '1', pageSize: '10' },
    });
  });
});

describe('stateParameters', () => {
  test('tells the state in words', () => {
    expect(stateParameters('setExpressState', true)).toEqual({
      ...{ method: 'setExpressState', state: 'true' },
    });
    expect(stateParameters('setRepayState', false).state).toBe('false');
  });
});

describe('signedQuery', () => {
  test('has the text of signedText, and a query of the same order with all values encoded', () => {
    const known = ['acctType', 'amount', 'customerOrderId', 'method', 'zone', 'sign', 'reqTime'];
    const name = fc.constantFrom(...known, 'Above', 'abc', 'accesskey');
    const odd = ['[[1,2]]', '备 &', '0.1', 'a=b', 'a&b', 'Az09-._~', '%', '+'];
    const value = fc.oneof(fc.constant(''), fc.string(), fc.constantFrom(...odd));
    fc.assert(
      fc.property(fc.constantFrom('key', 'k&=y'), fc.dictionary(name, value), (key, rest) => {
        const { text, query } = signedQuery(key, rest);
        const parameters = { accesskey: key, ...rest };
        expect(text).toBe(signedText(parameters));
        const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
        const encoded = sorted.map(([one, value]) => `${one}=${encodeURIComponent(value)}`);
        expect(query).toBe(encoded.join('&'));
      }),
      { seed: 9 },
    );
  });
});

describe('targetOf', () => {
  test('encodes values and leaves undefined ones out', () => {
    expect(targetOf('/api/order', { a: '[[1,2]]', b: undefined, c: 3, d: '备 &' })).toBe(
      '/api/order?a=%5B%5B1%2C2%5D%5D&c=3&d=%E5%A4%87%20%26',
    );
    expect(targetOf('/data/v1/markets', {})).toBe('/data/v1/markets');
  });
});
