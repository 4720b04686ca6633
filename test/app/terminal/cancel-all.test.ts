import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { cancelAll } from '../../../src/app/terminal/cancel-all.ts';
import type { Amount } from '../../../src/domain/index.ts';
import { fakeVenue, lacking, manyOrders, orderRecord, START_MS } from './fixture.ts';

const callsOf = (venue: ReturnType<typeof fakeVenue>, name: string) =>
  venue.sent.filter(({ call }) => call === name).length;

/** Newest first: an open order of each side, so many closed ones of each, and an old open one. */
const longHistory = (count: number) => [
  ...[orderRecord({ exchangeOrderId: '1' }), orderRecord({ exchangeOrderId: '2', side: 'sell' })],
  ...Array.from({ length: 2 * count }, (_, at) =>
    orderRecord({
      ...{ exchangeOrderId: `${1_000 + at}`, closed: true },
      ...{ side: at % 2 === 0 ? 'buy' : 'sell' },
    }),
  ),
  orderRecord({ exchangeOrderId: '3' }),
];

describe('cancelAll', () => {
  it('finds nothing where nothing rests', async () => {
    const report = await cancelAll(fakeVenue(), 'btc_usdt');
    expect(report).toEqual({
      market: 'btc_usdt',
      ...{ found: 0, cancelled: 0, filled: 0, remaining: [], verified: true },
    });
  });

  it('cancels the orders of all pages and verifies that none is left', async () => {
    const venue = fakeVenue({ orders: manyOrders(37) });
    const report = await cancelAll(venue, 'btc_usdt');
    expect(report).toMatchObject({ found: 37, cancelled: 37, remaining: [], verified: true });
    expect(callsOf(venue, 'cancel')).toBe(37);
    expect(venue.orders.every(({ closed }) => closed)).toBe(true);
  });

  it('cancels orders that cannot be read by their ids, and is not done while one is there', async () => {
    const venue = fakeVenue({ orders: manyOrders(2) });
    const { list } = venue.exchange.orderLists;
    const odd = new Set(['77']);
    venue.exchange.orderLists.list = (query) =>
      list(query).pipe(
        map((page) => {
          const illegible = query.page === 1 ? [...odd] : [];
          return Object.assign([...page], { illegible });
        }),
      );
    const left = await cancelAll(venue, 'btc_usdt');
    expect(left).toMatchObject({ found: 3, cancelled: 2, remaining: ['77'], verified: false });
    const ids = venue.sent.filter(({ call }) => call === 'cancel').map(({ argument }) => argument);
    expect(ids).toContainEqual({ market: 'btc_usdt', exchangeOrderId: '77' });
    odd.clear();
    expect(await cancelAll(venue, 'btc_usdt')).toMatchObject({ found: 0, verified: true });
  });

  it('never sends more than 40 requests a second', async () => {
    const venue = fakeVenue({ orders: manyOrders(100) });
    await cancelAll(venue, 'btc_usdt');
    const seconds = (venue.clock.now() - START_MS) / 1_000;
    expect(venue.sent.length / seconds).toBeLessThanOrEqual(40);
  });

  it.each(['unknown', 'limited', 'unsent'] as const)(
    'cancels anew what was not answered: %s',
    async (kind) => {
      const venue = fakeVenue({ orders: manyOrders(3) });
      venue.fail('cancel', kind);
      const report = await cancelAll(venue, 'btc_usdt');
      expect(report).toMatchObject({ found: 3, cancelled: 3, verified: true });
      expect(callsOf(venue, 'cancel')).toBe(4);
    },
  );

  it('tells what filled before its cancel arrived', async () => {
    const venue = fakeVenue({ orders: manyOrders(3) });
    venue.fail('cancel', 'rejected', { code: 3001 });
    const filled = orderRecord({
      ...{ exchangeOrderId: '1000', closed: true, filledAmount: 0.01 as Amount },
    });
    const { list } = venue.exchange.orderLists;
    let reads = 0;
    venue.exchange.orderLists.list = (query) => {
      if (++reads === 3) venue.orders.splice(0, 1, filled);
      return list(query);
    };
    const report = await cancelAll(venue, 'btc_usdt');
    expect(report).toMatchObject({ found: 3, cancelled: 2, filled: 1, verified: true });
  });
});

describe('cancelAll in trouble', () => {
  it('finds the orders on an exchange that has no lists but that of the contract', async () => {
    const venue = lacking(fakeVenue({ orders: manyOrders(23) }));
    const report = await cancelAll(venue, 'btc_usdt');
    expect(report).toMatchObject({ found: 23, cancelled: 23, remaining: [], verified: true });
    expect(venue.orders.every(({ closed }) => closed)).toBe(true);
  });

  it('cancels what is newest on both sides before it reads on where older orders are many', async () => {
    const venue = lacking(fakeVenue({ orders: longHistory(200) }));
    expect(await cancelAll(venue, 'btc_usdt')).toMatchObject({ found: 3, verified: true });
    const calls = venue.sent.map(({ call }) => call);
    expect(calls.slice(0, 4)).toEqual(['orders', 'cancel', 'orders', 'cancel']);
    expect(calls.lastIndexOf('cancel')).toBeGreaterThan(20);
    expect(callsOf(venue, 'cancel')).toBe(3);
  });

  it('says what it cancelled where the rest of the list cannot be read', async () => {
    const venue = lacking(fakeVenue({ orders: longHistory(200) }));
    const { orders } = venue.exchange.trading;
    venue.exchange.trading.orders = (query) => {
      if (query.page === 2) venue.fail('orders', 'unsent', { message: 'no page 2' });
      return orders(query);
    };
    const report = await cancelAll(venue, 'btc_usdt');
    expect(report).toMatchObject({ found: 2, cancelled: 2, remaining: [], verified: false });
    expect(report.reason).toContain('no page 2');
  });

  it('gives up on what does not go away, and names it', async () => {
    const venue = fakeVenue({ orders: manyOrders(2) });
    for (let times = 0; times < 100; times++) venue.fail('cancel', 'unknown');
    const report = await cancelAll(venue, 'btc_usdt');
    const left = { cancelled: 0, remaining: ['1000', '1001'], verified: false };
    expect(report).toMatchObject({ found: 2, ...left, reason: expect.any(String) });
    expect(callsOf(venue, 'cancel')).toBe(10);
  });

  it('counts orders that appear meanwhile as remaining', async () => {
    const venue = fakeVenue({ orders: manyOrders(1) });
    const { list } = venue.exchange.orderLists;
    let count = 0;
    venue.exchange.orderLists.list = (query) => {
      if (query.page === 1) venue.orders.push(orderRecord({ exchangeOrderId: `new${count++}` }));
      return list(query);
    };
    const report = await cancelAll(venue, 'btc_usdt');
    expect(report.verified).toBe(false);
    expect(report.remaining).toHaveLength(1);
    expect(report.cancelled).toBe(report.found - 1);
  });

  it('says what it knows when the list cannot be read again', async () => {
    const venue = fakeVenue({ orders: manyOrders(2) });
    const { list } = venue.exchange.orderLists;
    venue.exchange.orderLists.list = (query) => {
      if (venue.sent.some(({ call }) => call === 'cancel')) venue.fail('list', 'unsent');
      return list(query);
    };
    venue.fail('cancel', 'unknown');
    const report = await cancelAll(venue, 'btc_usdt');
    expect(report).toMatchObject({ found: 2, cancelled: 1, remaining: ['1000'], verified: false });
    expect(report.reason).toContain('Cannot list');
  });

  it('stops at once when the key may not cancel', async () => {
    const venue = fakeVenue({ orders: manyOrders(2) });
    venue.fail('cancel', 'rejected', { code: 1012 });
    await expect(cancelAll(venue, 'btc_usdt')).rejects.toThrow('Cannot cancel');
    expect(callsOf(venue, 'cancel')).toBe(1);
  });
});
