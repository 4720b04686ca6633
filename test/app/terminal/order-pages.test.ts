import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { everyOrder, orderPage } from '../../../src/app/terminal/order-pages.ts';
import type { Amount } from '../../../src/domain/index.ts';
import { fakeVenue, lacking, manyOrders, orderRecord, START_MS } from './fixture.ts';

describe('everyOrder', () => {
  const selection = { market: 'btc_usdt', filter: 'unfinished' } as const;

  it('loses no order where so many arrive that a page repeats the one before', async () => {
    const venue = fakeVenue({ orders: manyOrders(30) });
    const { list } = venue.exchange.orderLists;
    venue.exchange.orderLists.list = (query) => {
      if (query.page === 2) {
        const arrived = Array.from({ length: 10 }, (_, at) =>
          orderRecord({ exchangeOrderId: `new${at}` }),
        );
        venue.orders.unshift(...arrived);
      }
      return list(query);
    };
    const { orders } = await everyOrder(venue, selection);
    const wanted = manyOrders(30).map((order) => order.exchangeOrderId);
    expect(orders.map((order) => order.exchangeOrderId)).toEqual(wanted);
  });

  it('fails where pages repeat without end', async () => {
    const venue = fakeVenue({ orders: manyOrders(3) });
    const { list } = venue.exchange.orderLists;
    venue.exchange.orderLists.list = (query) => list({ ...query, page: 1 });
    venue.fail('orders', 'unknown');
    await expect(everyOrder(venue, selection)).rejects.toMatchObject({
      reason: 'exchange',
      message: expect.stringContaining('venue.test: Cannot read orders to the end'),
    });
  });

  it('reads on until a page is empty, however short the exchange holds its pages', async () => {
    for (const pageSizeMax of [1, 10, 100]) {
      const venue = fakeVenue({ orders: manyOrders(23), pageSizeMax });
      const { orders } = await everyOrder(venue, selection);
      expect(orders.map((order) => order.exchangeOrderId)).toHaveLength(23);
    }
  });
});

/** A buy, a sell and a buy in turn, the newest first: open, partly filled, closed. */
const mixedOrders = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    orderRecord({
      ...{ exchangeOrderId: `${1_000 + at}`, exchangeTime: START_MS - at },
      ...{ side: at % 3 === 1 ? 'sell' : 'buy', closed: at % 3 === 2 },
      ...(at % 3 === 1 ? { filledAmount: 0.001 as Amount } : {}),
    }),
  );

const idsOf = ({ orders }: Awaited<ReturnType<typeof everyOrder>>) =>
  orders.map(({ exchangeOrderId }) => Number(exchangeOrderId) - 1_000);

describe('order lists of the contract', () => {
  const market = 'btc_usdt';
  const all = Array.from({ length: 50 }, (_, at) => at);

  it.each(['rejected', 'unknown'] as const)('take the place of lists that are %s', async (kind) => {
    const venue = lacking(fakeVenue({ orders: mixedOrders(50) }), kind);
    const every = async (selection: Omit<Parameters<typeof everyOrder>[1], 'market'>) =>
      idsOf(await everyOrder(venue, { market, ...selection }));
    expect(await every({ filter: 'all' })).toEqual(all);
    expect(await every({ filter: 'unfinished' })).toEqual(all.filter((at) => at % 3 !== 2));
    expect(await every({ filter: 'finished' })).toEqual(all.filter((at) => at % 3 !== 0));
    const sells = all.filter((at) => at % 3 === 1);
    expect(await every({ filter: 'unfinished', side: 'sell' })).toEqual(sells);
  });

  it('are read as far as a page needs', async () => {
    const venue = lacking(fakeVenue({ orders: mixedOrders(50) }));
    const query = { market, filter: 'unfinished', page: 2, pageSize: 4 } as const;
    const open = all.filter((at) => at % 3 !== 2);
    expect(idsOf(await orderPage(venue, query))).toEqual(open.slice(4, 8));
    const pages = venue.sent.filter(({ call }) => call === 'orders');
    expect(pages.length).toBeLessThan(5);
  });

  it('name the orders that cannot be read', async () => {
    const venue = lacking(fakeVenue());
    const { orders } = venue.exchange.trading;
    venue.exchange.trading.orders = (query) => {
      if (query.side === 'buy' && query.page === 1) {
        venue.calls.orders = [of(Object.assign([], { illegible: ['77'] }))];
      }
      return orders(query);
    };
    const { illegible } = await everyOrder(venue, { market, filter: 'unfinished' });
    expect(illegible).toEqual(['77']);
  });

  it('are not asked where the key is turned away or nothing was sent', async () => {
    for (const [kind, code] of [
      ['rejected', 1012],
      ['unsent', undefined],
    ] as const) {
      const venue = fakeVenue({ orders: mixedOrders(3) });
      venue.fail('list', kind, code === undefined ? {} : { code });
      await expect(everyOrder(venue, { market, filter: 'all' })).rejects.toThrow('Cannot list');
      expect(venue.sent.filter(({ call }) => call === 'orders')).toEqual([]);
    }
  });

  it('leave it at the first failure where they fail too', async () => {
    const venue = lacking(fakeVenue());
    venue.fail('orders', 'unknown');
    const page = orderPage(venue, { market, filter: 'all', page: 1, pageSize: 10 });
    await expect(page).rejects.toThrow('venue.test: Cannot list orders: 1001');
  });
});
