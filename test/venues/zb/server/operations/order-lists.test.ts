import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { serverFixture } from '../fixture.ts';

const QUERY = { currency: 'btc_usdt', tradeType: '1' };

describe.each([
  ['getOrdersIgnoreTradeType', { filter: 'all' }],
  ['getUnfinishedOrdersIgnoreTradeType', { filter: 'unfinished' }],
  ['getFinishedAndPartialOrders', { filter: 'finished' }],
  ['getOrdersNew', { filter: 'all', side: 'buy' }],
])('%s', (name, query) => {
  it('is a bare array', () => {
    expect(serverFixture().call(name, QUERY)).toMatchObject([{ id: '202202224851151555' }]);
  });

  it('is an object with code 3001 where there are none', () => {
    const { call } = serverFixture({ orderLists: { list: () => of([]) } });
    expect(call(name, QUERY)).toEqual({ code: 3001, message: 'Order not found' });
  });

  it('hands the query on, page 1 of ten where nothing is said', () => {
    const { call, called } = serverFixture();
    call(name, QUERY);
    call(name, { ...QUERY, pageIndex: '3', pageSize: '100' });
    const market = 'btc_usdt';
    expect(called('list')).toEqual([
      { ...query, market, page: 1, pageSize: 10 },
      { ...query, market, page: 3, pageSize: 100 },
    ]);
  });

  it.each(['', 'None', 'null', 'undefined'])('takes a page size of %j as none', (pageSize) => {
    const { call, called } = serverFixture();
    call(name, { ...QUERY, pageSize });
    expect(called('list')).toMatchObject([{ pageSize: 10 }]);
  });

  it.each([
    [{ pageSize: '0' }, 3005],
    [{ pageSize: '101' }, 3005],
    [{ pageSize: 'x' }, 3005],
    [{ pageIndex: '0' }, 3005],
    [{ pageIndex: '1e3' }, 3005],
    [{ currency: '' }, 3005],
    [{ currency: 'doge_usdt' }, 1001],
    [{ currency: 'btc_hsr' }, 1001],
  ])('refuses %j with code %i', (parameters, code) => {
    const { call, called } = serverFixture();
    expect(call(name, { ...QUERY, ...parameters }).code).toBe(code);
    expect(called('list')).toEqual([]);
  });
});

describe('getOrdersNew, of one side', () => {
  it('wants the side and takes either', () => {
    const { call, called } = serverFixture();
    const code = (tradeType: string) => call('getOrdersNew', { ...QUERY, tradeType }).code;
    expect([code(''), code('2')]).toEqual([3005, 3005]);
    code('0');
    expect(called('list')).toMatchObject([{ side: 'sell' }]);
  });
});
