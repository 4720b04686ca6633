import { firstValueFrom, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { FakeHttp, failureOf, NOW_MS, zbFixture } from '../fixture.ts';

const EMPTY = '{"code":3001,"message":"none"}';
/** Orders with the even numbers as sells and the odd ones as buys, newest first. */
const records = (...ids: number[]) =>
  ids.map((id) => ({
    ...{ currency: 'btc_usdt', id: String(id), price: 30000, status: 3, total_amount: '0.5' },
    ...{ trade_amount: 0, trade_date: NOW_MS, trade_money: 0, type: id % 2, acctType: 1 },
  }));
const page = (...ids: number[]) => JSON.stringify(records(...ids));
const idsOf = (orders: readonly { readonly exchangeOrderId: string }[]) =>
  orders.map(({ exchangeOrderId }) => Number(exchangeOrderId));

/** An exchange that holds orders 1 to `count` and pages them. */
class PagedHttp extends FakeHttp {
  readonly #count: number;

  constructor(count: number) {
    super();
    this.#count = count;
  }

  override get(target: string) {
    const { searchParams } = new URL(target, 'http://fake');
    this.targets.push(new URL(target, 'http://fake'));
    const size = Math.min(100, Number(searchParams.get('pageSize')));
    const from = this.#count - (Number(searchParams.get('pageIndex')) - 1) * size;
    const ids = Array.from({ length: Math.max(0, Math.min(size, from)) }, (_, at) => from - at);
    return of({ status: 200, body: ids.length === 0 ? EMPTY : page(...ids) });
  }
}

const paths = {
  all: '/api/getOrdersIgnoreTradeType',
  unfinished: '/api/getUnfinishedOrdersIgnoreTradeType',
  finished: '/api/getFinishedAndPartialOrders',
};

describe('order lists', () => {
  test.each(['all', 'unfinished', 'finished'] as const)('reads %s orders', async (filter) => {
    const { exchange, http } = zbFixture();
    http.answers = { [paths[filter]]: page(2, 1) };
    const query = { market: 'btc_usdt', filter, page: 3, pageSize: 50 };
    const orders = await firstValueFrom(exchange.orderLists.list(query));
    expect(orders).toMatchObject([
      { exchangeOrderId: '2', side: 'sell', accountType: 1 },
      { exchangeOrderId: '1', side: 'buy' },
    ]);
    expect(Object.fromEntries(http.targets[0]!.searchParams)).toMatchObject({
      ...{ currency: 'btc_usdt', pageIndex: '3', pageSize: '50' },
    });
  });

  test('asks for all orders of a side in one request', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/getOrdersNew': page(3, 1) };
    const query = { market: 'btc_usdt', side: 'buy', filter: 'all' } as const;
    expect(idsOf(await firstValueFrom(exchange.orderLists.list(query)))).toEqual([3, 1]);
    expect(http.targets[0]!.searchParams.get('tradeType')).toBe('1');
  });

  test.each(['[]', EMPTY])('is empty for %s', async (body) => {
    const { exchange, http } = zbFixture();
    http.answers = { [paths.all]: body, [paths.finished]: body };
    const { list } = exchange.orderLists;
    const query = { market: 'btc_usdt', filter: 'all' } as const;
    expect(await firstValueFrom(list(query))).toEqual([]);
    const ofSide = list({ ...query, filter: 'finished', side: 'sell' });
    expect(await firstValueFrom(ofSide)).toEqual([]);
  });

  test('gathers pages of one side from a list of both', async () => {
    const http = new PagedHttp(250);
    const { exchange } = zbFixture({ http: () => http });
    const list = (number: number) =>
      firstValueFrom(
        exchange.orderLists.list({
          ...{ market: 'btc_usdt', side: 'buy', filter: 'unfinished' },
          ...{ page: number, pageSize: 50 },
        }),
      );
    expect(idsOf(await list(1))).toEqual(Array.from({ length: 50 }, (_, at) => 249 - 2 * at));
    expect(http.targets).toHaveLength(1);
    expect(idsOf(await list(3))).toEqual(Array.from({ length: 25 }, (_, at) => 49 - 2 * at));
    expect(await list(4)).toEqual([]);
  });

  test('ends where an exchange repeats its last page for ever', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { [paths.unfinished]: page(2, 1) };
    const query = { market: 'btc_usdt', side: 'buy', filter: 'unfinished' } as const;
    const failure = await failureOf(exchange.orderLists.list(query));
    expect(failure.message).toMatch(/10 pages in a row/);
    expect(http.targets).toHaveLength(11);
  });

  test('fails with what is no list', async () => {
    const { exchange, http } = zbFixture();
    const query = { market: 'btc_usdt', filter: 'all' } as const;
    for (const body of ['<html>', '{}', '[5]', page(1).replace('btc_usdt', 'eth_usdt')]) {
      http.answers = { [paths.all]: body };
      expect((await failureOf(exchange.orderLists.list(query))).kind).toBe('unknown');
    }
  });
});

describe('an order list with an order that cannot be read', () => {
  test.each([undefined, 'buy'] as const)(
    'names it, and tells the others: of side %s',
    async (side) => {
      const { exchange, http } = zbFixture();
      const odd = { ...records(2)[0], type: 11 };
      const told = JSON.stringify([...records(3), odd, ...records(1)]);
      http.answers = { [paths.unfinished]: [told, EMPTY] };
      const query = { market: 'btc_usdt', filter: 'unfinished', ...(side && { side }) } as const;
      const orders = await firstValueFrom(exchange.orderLists.list(query));
      expect(idsOf(orders)).toEqual([3, 1]);
      expect(orders.illegible).toEqual(['2']);
    },
  );
});
