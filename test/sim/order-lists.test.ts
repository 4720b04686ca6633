import { describe, expect, test } from 'vitest';
import { SIDES } from '../../src/domain/index.ts';
import { CODES, type OrderFilter, type OrderListQuery } from '../../src/exchange/index.ts';
import { seededRandom } from '../../src/kernel/index.ts';
import { answerOf, failureOf, MARKET, place } from './fixture.ts';
import { fundsFixture } from './funds/fixture.ts';

const market = MARKET.id;
const FILTERS: readonly OrderFilter[] = ['all', 'unfinished', 'finished'];

type Account = ReturnType<typeof fundsFixture>['alice'];

const listOf = (account: Account, query: Partial<OrderListQuery> = {}) =>
  answerOf(account.orderLists.list({ market, filter: 'all', pageSize: 100, ...query }));

const idsOf = (account: Account, query: Partial<OrderListQuery> = {}) =>
  listOf(account, query).map(({ exchangeOrderId }) => exchangeOrderId);

/** An open order, one filled in part, one filled, one cancelled; both sides. Oldest first. */
function ordersFixture() {
  const fixture = fundsFixture();
  const { alice, bob } = fixture;
  const open = place(alice, { price: 90 });
  const partial = place(alice, { side: 'sell', price: 110 });
  place(bob, { price: 110, amount: 0.25 });
  const filled = place(alice, { price: 100 });
  place(bob, { side: 'sell', price: 100 });
  const cancelled = place(alice, { side: 'sell', price: 120 });
  answerOf(alice.trading.cancel({ market, exchangeOrderId: cancelled }));
  return { ...fixture, open, partial, filled, cancelled };
}

describe('OrderLists.list', () => {
  test('holds what its filter names, newest first, of both sides or one', () => {
    const { alice, open, partial, filled, cancelled } = ordersFixture();
    expect(idsOf(alice)).toEqual([cancelled, filled, partial, open]);
    expect(idsOf(alice, { filter: 'unfinished' })).toEqual([partial, open]);
    expect(idsOf(alice, { filter: 'finished' })).toEqual([cancelled, filled, partial]);
    expect(idsOf(alice, { filter: 'finished', side: 'sell' })).toEqual([cancelled, partial]);
    expect(idsOf(alice, { side: 'buy' })).toEqual([filled, open]);
    expect(idsOf(alice, { market: 'xrp_usdt' })).toEqual([]);
  });

  test('follows every change', () => {
    const { alice, bob, open, partial } = ordersFixture();
    expect(idsOf(alice, { filter: 'unfinished' })).toEqual([partial, open]);
    place(bob, { price: 110, amount: 0.75 });
    expect(idsOf(alice, { filter: 'unfinished' })).toEqual([open]);
    const younger = place(alice, { price: 91 });
    expect(idsOf(alice, { filter: 'unfinished' })).toEqual([younger, open]);
    answerOf(alice.trading.cancel({ market, exchangeOrderId: open }));
    expect(idsOf(alice, { filter: 'unfinished' })).toEqual([younger]);
  });

  test('is paged by any size up to 100, ten by default', () => {
    const { alice } = fundsFixture();
    const ids = Array.from({ length: 105 }, (_, i) =>
      place(alice, { side: i % 2 === 0 ? 'buy' : 'sell', price: i % 2 === 0 ? 50 : 200 }),
    ).reverse();
    const page = (number: number, pageSize?: number) =>
      answerOf(
        alice.orderLists.list({
          market,
          filter: 'all',
          page: number,
          ...(pageSize && { pageSize }),
        }),
      ).map(({ exchangeOrderId }) => exchangeOrderId);
    expect(page(1)).toEqual(ids.slice(0, 10));
    expect(page(2, 100)).toEqual(ids.slice(100));
    expect(page(3, 50)).toEqual(ids.slice(100));
    expect(page(35, 3)).toEqual(ids.slice(102));
    expect([page(36, 3), page(Number.MAX_SAFE_INTEGER, 100)]).toEqual([[], []]);
  });

  test('finds no order younger than the read lag', () => {
    const { alice, clock } = fundsFixture({ readLagMs: 500 });
    const old = place(alice, { price: 90 });
    clock.advanceBy(1);
    place(alice, { price: 91 });
    clock.advanceBy(499);
    expect(idsOf(alice)).toEqual([old]);
    clock.advanceBy(1);
    expect(idsOf(alice)).toHaveLength(2);
  });
});

describe('OrderLists.list: what it refuses', () => {
  test.each([
    [{ page: 0 }, CODES.invalidArguments],
    [{ pageSize: 0 }, CODES.invalidArguments],
    [{ pageSize: 101 }, CODES.invalidArguments],
    [{ market: 'doge_usdt' }, CODES.general],
  ])('%j', (query, code) => {
    const { alice } = fundsFixture();
    const call = alice.orderLists.list({ market, filter: 'all', ...query });
    expect(failureOf(call).code).toBe(code);
  });

  test('needs the permission for orders', () => {
    const { alice } = fundsFixture({ alice: { permissions: { orders: false } } });
    const call = alice.orderLists.list({ market, filter: 'all' });
    expect(failureOf(call).code).toBe(CODES.noPermission);
  });
});

describe('OrderLists.list: many orders', () => {
  test('agrees with single lookups over thousands of orders that come and go', () => {
    const { alice, bob } = fundsFixture();
    const random = seededRandom('order lists');
    let ids: string[] = [];
    for (let i = 0; i < 6_000; i++) {
      const side = SIDES[random.integer(2)]!;
      const price = 95 + random.integer(11);
      ids.push(place(alice, { side, price, amount: 0.1 }));
      if (random.next() < 0.3) place(bob, { side, price, amount: 0.05, type: 'ioc' });
      const exchangeOrderId = ids[ids.length - 1 - random.integer(Math.min(50, ids.length))]!;
      if (random.next() < 0.9) cancelIfOpen(alice, exchangeOrderId);
      if (i % 2_000 !== 1_999) continue;
      const records = ids.flatMap((id) => recordOf(alice, id) ?? []);
      ids = records.map((record) => record.exchangeOrderId);
      const kept = records.reverse();
      for (const filter of FILTERS) {
        const wanted = kept.filter(({ closed, filledAmount }) =>
          filter === 'all' ? true : filter === 'unfinished' ? !closed : closed || filledAmount > 0,
        );
        const pages = Array.from({ length: Math.ceil(wanted.length / 100) + 1 }, (_, at) =>
          listOf(alice, { filter, page: at + 1 }),
        );
        expect(pages.flat()).toEqual(wanted);
      }
    }
  });
});

function cancelIfOpen(account: Account, exchangeOrderId: string): void {
  account.trading.cancel({ market, exchangeOrderId }).subscribe({ error: () => {} });
}

function recordOf({ trading }: Account, exchangeOrderId: string) {
  const records: ReturnType<typeof listOf>[number][] = [];
  trading
    .order({ market, exchangeOrderId })
    .subscribe({ next: (record) => records.push(record), error: () => {} });
  return records[0];
}
