import { describe, expect, test } from 'vitest';
import type { PlaceBatchRequest } from '../../src/exchange/index.ts';
import { CODES } from '../../src/exchange/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import {
  answerOf,
  bookOf,
  exchangeFixture,
  failureOf,
  MARKET,
  place,
  START_MS,
  walletOf,
} from './fixture.ts';

const market = MARKET.id;

function batch(orders: readonly (readonly [number, number])[]): PlaceBatchRequest {
  const terms = orders.map(([price, amount]) => ({ price, amount }));
  return { market, side: 'buy', orders: terms as unknown as PlaceBatchRequest['orders'] };
}

describe('TradingDesk.placeBatch', () => {
  test('answers with the ids until the first refusal and does not try the rest', () => {
    const { exchange, alice } = exchangeFixture();
    const request = batch([
      [90, 1],
      [91, 1],
      [92.001, 1],
      [93, 1],
    ]);
    const { exchangeOrderIds, remark } = answerOf(alice.trading.placeBatch(request));
    expect(exchangeOrderIds).toHaveLength(2);
    expect(remark).toMatch(/^The batch ended at order 3 of 4: .*price/);
    expect(bookOf(exchange).bids).toEqual([
      [91, 1],
      [90, 1],
    ]);
  });

  test('fails when nothing is accepted', () => {
    const { alice } = exchangeFixture();
    const request = batch([
      [90.001, 1],
      [91, 1],
    ]);
    expect(failureOf(alice.trading.placeBatch(request)).code).toBe(CODES.invalidPrice);
  });

  test.each([0, 21])('refuses %d orders', (count) => {
    const { alice } = exchangeFixture();
    const request = batch(Array.from({ length: count }, () => [90, 1] as const));
    expect(failureOf(alice.trading.placeBatch(request)).code).toBe(CODES.invalidArguments);
  });
});

describe('TradingDesk.cancel', () => {
  test('gives the frozen money back and answers with the totals', () => {
    const { exchange, alice, bob } = exchangeFixture();
    const exchangeOrderId = place(alice, { price: 100, amount: 1 });
    place(bob, { side: 'sell', price: 100, amount: 0.25 });
    const answer = answerOf(alice.trading.cancel({ market, exchangeOrderId }))!;
    expect([answer.amount, answer.price, answer.filledAmount]).toEqual([1, 100, 0.25]);
    expect(answer.filledValue.toString()).toBe('25');
    expect(walletOf(exchange, 'alice')).toEqual({ usdt: ['999975', '0'], btc: ['100.25', '0'] });
  });

  test('refuses what is closed, foreign or unknown with 3001', () => {
    const { alice, bob } = exchangeFixture();
    const exchangeOrderId = place(alice, {});
    const reference = { market, exchangeOrderId };
    expect(failureOf(bob.trading.cancel(reference)).code).toBe(CODES.orderNotFound);
    answerOf(alice.trading.cancel(reference));
    for (const gone of [
      reference,
      { market, exchangeOrderId: '202201220000000000' },
      { market, exchangeOrderId: 'nonsense' },
      { market, exchangeOrderId: `19990101${exchangeOrderId.slice(8)}` },
      { market, clientOrderId: 'nobody' },
    ]) {
      expect(failureOf(alice.trading.cancel(gone)).code).toBe(CODES.orderNotFound);
    }
  });

  test('acts on the newest order of a customerOrderId alone', () => {
    const { exchange, alice } = exchangeFixture();
    const clientOrderId = 'twice1234';
    place(alice, { price: 90, clientOrderId });
    place(alice, { price: 91, clientOrderId });
    const reference = { market, clientOrderId };
    expect(answerOf(alice.trading.order(reference)).price).toBe(91);
    answerOf(alice.trading.cancel(reference));
    expect(failureOf(alice.trading.cancel(reference)).code).toBe(CODES.orderNotFound);
    expect(bookOf(exchange).bids).toEqual([[90, 1]]);
  });
});

describe('TradingDesk.cancelAllAfter', () => {
  test('cancels one minute after the last call, every order of the market and account', () => {
    const { exchange, alice, bob, clock } = exchangeFixture();
    place(alice, { price: 90 });
    place(bob, { price: 91 });
    answerOf(alice.trading.cancelAllAfter(market));
    clock.advanceBy(59_999);
    answerOf(alice.trading.cancelAllAfter(market));
    expect(exchange.inspect('alice').timedCancelsDue).toEqual(
      new Map([[market, START_MS + 119_999]]),
    );
    clock.advanceBy(30_000);
    place(alice, { side: 'sell', price: 110 });
    clock.advanceBy(29_999);
    expect(exchange.inspect('alice').openOrders.get(market)).toHaveLength(2);
    clock.advanceBy(1);
    const { openOrders, timedCancelsFired, timedCancelsDue } = exchange.inspect('alice');
    expect([openOrders.size, timedCancelsFired, timedCancelsDue.size]).toEqual([0, 1, 0]);
    expect(walletOf(exchange, 'alice')).toEqual({ usdt: ['1000000', '0'], btc: ['100', '0'] });
    expect(bookOf(exchange).bids).toEqual([[91, 1]]);
  });

  test('leaves other markets alone, does not fire again, and is told of', () => {
    const markets = [MARKET, makeMarket({ id: 'eth_usdt', base: 'eth' })];
    const told: unknown[] = [];
    const timedCancelFired = (fired: unknown) => told.push(fired);
    const { exchange, alice, clock } = exchangeFixture({ markets, timedCancelFired });
    place(alice, {});
    place(alice, { market: 'eth_usdt' });
    answerOf(alice.trading.cancelAllAfter(market));
    clock.advanceBy(60_000);
    place(alice, {});
    clock.advanceBy(600_000);
    expect(told).toEqual([{ account: 'alice', market, orders: 1 }]);
    expect([...exchange.inspect('alice').openOrders.keys()]).toEqual([market, 'eth_usdt']);
    expect(exchange.inspect('alice').timedCancelsFired).toBe(1);
  });

  test('refuses an unknown market', () => {
    const { alice } = exchangeFixture();
    expect(failureOf(alice.trading.cancelAllAfter('doge_usdt')).message).toBe('Error Market');
  });
});

describe('TradingDesk.orders', () => {
  const pageOf = (fixture: ReturnType<typeof exchangeFixture>, page: number) =>
    answerOf(fixture.alice.trading.orders({ market, side: 'buy', page }));

  test('holds ten a page, newest first, of one side, open and closed; then nothing', () => {
    const fixture = exchangeFixture();
    const ids = Array.from({ length: 23 }, (_, i) => place(fixture.alice, { price: 10 + i }));
    place(fixture.alice, { side: 'sell', price: 200 });
    answerOf(fixture.alice.trading.cancel({ market, exchangeOrderId: ids[5]! }));
    const pages = [1, 2, 3, 4].map((page) => pageOf(fixture, page));
    expect(pages.map((page) => page.length)).toEqual([10, 10, 3, 0]);
    expect(pages.flat().map(({ exchangeOrderId }) => exchangeOrderId)).toEqual(ids.toReversed());
    expect(pages.flat().filter(({ closed }) => closed)).toHaveLength(1);
    expect(answerOf(fixture.bob.trading.orders({ market, side: 'buy', page: 1 }))).toEqual([]);
  });

  test.each([0, 1.5, -1])('refuses page %d', (page) => {
    const { alice } = exchangeFixture();
    const query = { market, side: 'buy', page } as const;
    expect(failureOf(alice.trading.orders(query)).code).toBe(CODES.invalidArguments);
  });

  test('reads find no order younger than the read lag; cancels do', () => {
    const fixture = exchangeFixture({ readLagMs: 500 });
    const { alice, clock } = fixture;
    const old = place(alice, { price: 90, clientOrderId: 'lagging1' });
    clock.advanceBy(500);
    const young = place(alice, { price: 91 });
    clock.advanceBy(499);
    expect(pageOf(fixture, 1).map(({ exchangeOrderId }) => exchangeOrderId)).toEqual([old]);
    const reference = { market, exchangeOrderId: young };
    expect(failureOf(alice.trading.order(reference)).code).toBe(CODES.orderNotFound);
    clock.advanceBy(1);
    expect(answerOf(alice.trading.order(reference)).price).toBe(91);
    expect(pageOf(fixture, 1)).toHaveLength(2);
    const younger = place(alice, { price: 92 });
    answerOf(alice.trading.cancel({ market, exchangeOrderId: younger }));
  });
});
