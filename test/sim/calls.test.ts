import { describe, expect, test } from 'vitest';
import { CODES } from '../../src/exchange/index.ts';
import { answerOf, exchangeFixture, MARKET, requestFixture, START_MS } from './fixture.ts';

const market = MARKET.id;

describe('latency', () => {
  test('lets a request take effect on arrival and its answer come later', () => {
    const { exchange, alice, clock } = exchangeFixture({
      latency: { requestMs: 30, answerMs: 20, pushMs: 5 },
    });
    const seen: [string, number][] = [];
    const note = (what: string) => seen.push([what, clock.now() - START_MS]);
    alice.accountFeed.orders(market).subscribe(({ exchangeTime, receivedTime }) => {
      note('push');
      expect([exchangeTime, receivedTime]).toEqual([START_MS + 30, START_MS + 35]);
    });
    alice.trading.place(requestFixture()).subscribe(() => note('answer'));
    clock.advanceBy(29);
    expect(exchange.inspect('alice').openOrders.size).toBe(0);
    clock.advanceBy(1);
    expect(exchange.inspect('alice').openOrders.size).toBe(1);
    clock.advanceBy(100);
    expect(seen).toEqual([
      ['push', 35],
      ['answer', 50],
    ]);
  });

  test.each([
    [{ requestMs: 30, answerMs: 20 }, 50],
    [{ requestMs: 30 }, 30],
    [{ answerMs: 20 }, 20],
  ])('lets a refusal come as late as any answer: %j', (latency, afterMs) => {
    const { alice, clock } = exchangeFixture({ latency });
    const seen: [string, number][] = [];
    alice.trading.place(requestFixture({ amount: 100_000 })).subscribe({
      next: () => seen.push(['answer', clock.now() - START_MS]),
      error: ({ kind, code }) => seen.push([`${kind} ${code}`, clock.now() - START_MS]),
    });
    clock.advanceBy(100);
    expect(seen).toEqual([[`rejected ${CODES.balance}`, afterMs]]);
  });

  test('stamps an answer with when the request was there and when it comes itself', () => {
    const latency = { requestMs: 30, answerMs: 20 };
    const { exchange, clock } = exchangeFixture({ latency });
    const stamps: number[] = [];
    exchange.market.ticker(market).subscribe(({ exchangeTime, receivedTime }) => {
      stamps.push(exchangeTime, receivedTime, clock.now());
    });
    clock.advanceBy(100);
    expect(stamps.map((time) => time - START_MS)).toEqual([30, 50, 50]);
  });

  test('does not undo a request whose subscriber has left', () => {
    const { exchange, alice, clock } = exchangeFixture({ latency: { requestMs: 30 } });
    alice.trading.place(requestFixture()).subscribe().unsubscribe();
    clock.advanceBy(30);
    expect(exchange.inspect('alice').openOrders.get(market)).toHaveLength(1);
  });

  test('without it the answer comes before the pushes, inside subscribe', () => {
    const { alice } = exchangeFixture();
    const seen: string[] = [];
    alice.accountFeed.orders(market).subscribe(() => seen.push('push'));
    alice.trading.place(requestFixture()).subscribe(() => seen.push('answer'));
    expect(seen).toEqual(['answer', 'push']);
  });

  test('an operation runs once for each subscription', () => {
    const { exchange, alice } = exchangeFixture();
    const call = alice.trading.place(requestFixture());
    expect(exchange.inspect('alice').openOrders.size).toBe(0);
    answerOf(call);
    answerOf(call);
    expect(exchange.inspect('alice').openOrders.get(market)).toHaveLength(2);
  });
});
