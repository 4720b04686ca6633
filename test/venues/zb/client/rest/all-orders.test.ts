import fc from 'fast-check';
import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { ExchangeFailure } from '../../../../../src/exchange/index.ts';
import { FakeHttp, NOW_MS, zbFixture } from '../fixture.ts';

const QUERY = { market: 'btc_usdt', side: 'buy' } as const;
const PAGE_SIZE = 10;
const record = (id: number) => ({
  ...{ currency: 'btc_usdt', id: String(id), price: 30000, status: 2, total_amount: 1 },
  ...{ trade_amount: 1, trade_date: NOW_MS, trade_money: 30000, type: 1 },
});

/** getOrders, newest first, of an exchange where `arrivals[n]` orders arrive before request n. */
class BusyHttp extends FakeHttp {
  readonly arrivals: readonly number[];
  readonly end: string;
  newest: number;

  constructor(count: number, { arrivals = [] as readonly number[], end = '[]' } = {}) {
    super();
    this.newest = count;
    this.arrivals = arrivals;
    this.end = end;
  }

  override get(target: string) {
    const url = new URL(target, 'http://fake');
    this.newest += this.arrivals[this.targets.length] ?? 0;
    this.targets.push(url);
    const from = this.newest - (Number(url.searchParams.get('pageIndex')) - 1) * PAGE_SIZE;
    const ids = Array.from(
      { length: Math.max(0, Math.min(PAGE_SIZE, from)) },
      (_, at) => from - at,
    );
    const body = ids.length === 0 ? this.end : JSON.stringify(ids.map(record));
    return of({ status: 200, body });
  }
}

async function read(http: FakeHttp): Promise<number[]> {
  const { exchange } = zbFixture({ http: () => http });
  const ids: number[] = [];
  for await (const order of exchange.allOrders(QUERY)) ids.push(Number(order.exchangeOrderId));
  return ids;
}

const downFrom = (count: number) => Array.from({ length: count }, (_, at) => count - at);

describe('allOrders', () => {
  test.each(['[]', '{"code":3001,"message":"x"}', '{"code":"3001","message":"x"}'])(
    'pages to the end, told as %s',
    async (end) => {
      const http = new BusyHttp(25, { end });
      expect(await read(http)).toEqual(downFrom(25));
      expect(http.targets).toHaveLength(4);
      expect(Object.fromEntries(http.targets[2]!.searchParams)).toMatchObject({
        ...{ method: 'getOrders', currency: 'btc_usdt', tradeType: '1', pageIndex: '3' },
      });
      expect(await read(new BusyHttp(0, { end }))).toEqual([]);
    },
  );

  test('yields each order that was there once, whatever arrives meanwhile', async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), arrivals, async (count, arriving) => {
        const first = count + (arriving[0] ?? 0);
        const ids = await read(new BusyHttp(count, { arrivals: arriving }));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => id <= first)).toEqual(downFrom(first));
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  test('asks for a page when the loop needs it, and for no more when it ends early', async () => {
    const http = new BusyHttp(40);
    const { exchange } = zbFixture({ http: () => http });
    const orders = exchange.allOrders(QUERY);
    expect(http.targets).toHaveLength(0);
    let seen = 0;
    for await (const _ of orders) if (++seen === 11) break;
    expect(http.targets).toHaveLength(2);
  });

  test('fails where a page does, and where pages repeat for ever', async () => {
    const http = new FakeHttp();
    http.answers = {
      '/api/getOrders': [JSON.stringify([record(1)]), '{"code":4002,"message":"too fast"}'],
    };
    await expect(read(http)).rejects.toMatchObject({ kind: 'limited', code: 4002 });
    expect(http.targets).toHaveLength(2);
    const stuck = new FakeHttp();
    stuck.answers = { '/api/getOrders': JSON.stringify([record(1)]) };
    await expect(read(stuck)).rejects.toBeInstanceOf(ExchangeFailure);
    expect(stuck.targets).toHaveLength(11);
  });
});
