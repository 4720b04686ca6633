import { describe, expect, test } from 'vitest';
import { CODES } from '../../src/exchange/index.ts';
import { POST_ONLY_REJECTION } from '../../src/sim/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import {
  answerOf,
  bookOf,
  exchangeFixture,
  failureOf,
  MARKET,
  place,
  requestFixture,
  walletOf,
} from './fixture.ts';

const market = MARKET.id;

describe('TradingDesk.place: acceptance', () => {
  test('answers with digits that start with the date, grow and pass 2^53', () => {
    const { alice, clock } = exchangeFixture();
    const first = place(alice, { price: 90 });
    const second = place(alice, { price: 91 });
    clock.advanceBy(86_400_000);
    const third = place(alice, { price: 92 });
    expect(first).toMatch(/^20220122\d{10}$/);
    expect(third).toMatch(/^20220123\d{10}$/);
    expect(BigInt(second) - BigInt(first)).toBe(1n);
    expect(BigInt(first)).toBeGreaterThan(2n ** 53n);
  });

  test('freezes price x amount for a buy and the amount for a sell, to the last digit', () => {
    const { exchange, alice } = exchangeFixture();
    place(alice, { price: 123.45, amount: 0.0181 });
    place(alice, { side: 'sell', price: 9_999.99, amount: 0.0003 });
    expect(walletOf(exchange, 'alice')).toEqual({
      usdt: ['999997.765555', '2.234445'],
      btc: ['99.9997', '0.0003'],
    });
  });
});

describe('TradingDesk.place: refusals', () => {
  test.each([
    [{ market: 'doge_usdt' }, 1001, 'Error Market'],
    [{ price: 0 }, 3002, 'price'],
    [{ price: -1 }, 3002, 'price'],
    [{ price: Number.NaN }, 3002, 'price'],
    [{ price: 100.001 }, 3002, 'price'],
    [{ amount: 0 }, 3003, 'amount'],
    [{ amount: Number.POSITIVE_INFINITY }, 3003, 'amount'],
    [{ amount: 1.00001 }, 3003, 'amount'],
    [{ amount: 0.001 }, 3003, 'at least 0.01'],
    [{ price: 50, amount: 0.01 }, 3003, 'value'],
    [{ price: 1e9, amount: 1e6 }, 3003, 'a wallet holds no more'],
    [{ clientOrderId: 'abc' }, 3005, 'customerOrderId'],
    [{ clientOrderId: 'a'.repeat(37) }, 3005, 'customerOrderId'],
    [{ clientOrderId: 'with-dash' }, 3005, 'customerOrderId'],
    [{ price: 1_000_000, amount: 1.0001 }, 2009, 'balance'],
    [{ side: 'sell' as const, amount: 100.0001 }, 2009, 'balance'],
    [{ accountType: 2 as const }, 2009, 'balance'],
  ])('refuses %o with code %d', (overrides, code, text) => {
    const { exchange, alice } = exchangeFixture({ markets: [makeMarket({ minAmount: 0.01 })] });
    const failure = failureOf(alice.trading.place(requestFixture(overrides)));
    expect([failure.kind, failure.code]).toEqual(['rejected', code]);
    expect(failure.message).toContain(text);
    expect(walletOf(exchange, 'alice')).toEqual({ usdt: ['1000000', '0'], btc: ['100', '0'] });
  });
});

describe('TradingDesk.place: settlement', () => {
  test('accepts an order of the whole balance and nothing on top', () => {
    const { exchange, alice } = exchangeFixture();
    place(alice, { price: 10_000, amount: 100 });
    expect(walletOf(exchange, 'alice').usdt).toEqual(['0', '1000000']);
    const one = requestFixture({ price: 1, amount: 1 });
    expect(failureOf(alice.trading.place(one)).code).toBe(CODES.balance);
  });

  test('gives back what a fill better than the limit saved, and takes fees rounded up', () => {
    const { exchange, alice, bob } = exchangeFixture({ fees: { maker: 0.002, taker: 0.001 } });
    place(alice, { side: 'sell', price: 99.99, amount: 0.3333 });
    place(bob, { price: 101, amount: 0.5 });
    // 0.3333 x 99.99 = 33.326667; maker fee 0.066653334; taker fee 0.0003333 btc
    expect(walletOf(exchange, 'alice')).toEqual({
      btc: ['99.6667', '0'],
      usdt: ['1000033.26001366', '0'],
    });
    expect(walletOf(exchange, 'bob')).toEqual({
      btc: ['100.3329667', '0'],
      usdt: ['999949.836633', '16.8367'],
    });
    expect(exchange.feesOf('usdt').toString()).toBe('0.06665334');
    expect(exchange.totalOf('usdt').toString()).toBe('2000000');
  });

  test('trades with itself when it crosses itself, and pays both fees', () => {
    const { exchange, alice } = exchangeFixture({ fees: { maker: 0.01, taker: 0.01 } });
    place(alice, { side: 'sell' });
    place(alice, { side: 'buy' });
    expect(walletOf(exchange, 'alice')).toEqual({
      usdt: ['999999', '0'],
      btc: ['99.99', '0'],
    });
  });
});

describe('TradingDesk.place: kinds of orders', () => {
  test('refuses a PostOnly that would take, freezing nothing, and lets another rest', () => {
    const { exchange, alice, bob } = exchangeFixture();
    place(alice, { side: 'sell', price: 101 });
    const failure = failureOf(bob.trading.place(requestFixture({ type: 'postOnly', price: 101 })));
    expect(failure.code).toBe(POST_ONLY_REJECTION.code);
    expect(failure.message).toContain('PostOnly');
    expect(walletOf(exchange, 'bob').usdt).toEqual(['1000000', '0']);
    place(bob, { type: 'postOnly', price: 100.99 });
    expect(bookOf(exchange).bids).toEqual([[100.99, 1]]);
  });

  test('lets an IOC take what it can and never rest', () => {
    const { exchange, alice, bob } = exchangeFixture();
    place(alice, { side: 'sell', price: 100, amount: 0.4 });
    const id = place(bob, { type: 'ioc', price: 100, amount: 1 });
    const order = answerOf(bob.trading.order({ market, exchangeOrderId: id }));
    expect([order.filledAmount, order.closed]).toEqual([0.4, true]);
    expect(bookOf(exchange).bids).toEqual([]);
    expect(walletOf(exchange, 'bob').usdt).toEqual(['999960', '0']);
  });

  test('trades out of the wallet of the account type', () => {
    const accounts = [{ name: 'alice', balances: {}, marginBalances: { cross: { usdt: '100' } } }];
    const { exchange, alice } = exchangeFixture({ accounts });
    place(alice, { accountType: 2 });
    expect(failureOf(alice.trading.place(requestFixture())).code).toBe(CODES.balance);
    expect(walletOf(exchange, 'alice').usdt).toEqual(['0', '0']);
    expect(exchange.totalOf('usdt').toString()).toBe('100');
  });

  test('refuses without the permission', () => {
    const balances = { usdt: '1000' };
    const { alice, bob } = exchangeFixture({
      accounts: [
        { name: 'alice', balances, permissions: { orders: false, assets: false } },
        { name: 'bob', balances, permissions: { margin: false } },
      ],
    });
    expect(failureOf(alice.trading.place(requestFixture())).code).toBe(CODES.noPermission);
    expect(failureOf(alice.account.account()).code).toBe(CODES.noPermission);
    expect(failureOf(alice.accountFeed.orders(market)).code).toBe(CODES.noPermission);
    const onMargin = requestFixture({ accountType: 1 });
    expect(failureOf(bob.trading.place(onMargin)).code).toBe(CODES.noPermission);
    expect(place(bob, {})).toMatch(/^\d{18}$/);
  });
});
