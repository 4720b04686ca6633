import { describe, expect, test } from 'vitest';
import { CONTRACT_LIMITS } from '../../src/exchange/index.ts';
import { SimulationError } from '../../src/sim/index.ts';
import type { AccountOptions } from '../../src/sim/simulated-account.ts';
import { makeMarket } from '../domain/fixture.ts';
import { answerOf, exchangeFixture, MARKET, place, walletOf } from './fixture.ts';

describe('SimulatedExchange', () => {
  test('knows its accounts by name and gives them the limits of the contract', () => {
    const { exchange, alice } = exchangeFixture();
    expect(exchange.account('nobody')).toBeUndefined();
    expect(exchange.account('alice')).toBe(alice);
    expect(alice.limits).toBe(CONTRACT_LIMITS);
    expect(() => exchange.inspect('nobody')).toThrow(SimulationError);
    expect(() => exchange.anonymous('doge_usdt')).toThrow(SimulationError);
  });

  test('reports every balance and, unless told otherwise, all permissions but withdrawals', () => {
    const balances = { usdt: '0.00000001', doge: '7' };
    const { alice } = exchangeFixture({ accounts: [{ name: 'alice', balances }] });
    const info = answerOf(alice.account.account());
    expect(info.permissions).toEqual({
      assets: true,
      orders: true,
      withdrawals: false,
      margin: true,
    });
    const available = info.balances.map((balance) => [
      balance.currency,
      balance.available.toString(),
    ]);
    expect(Object.fromEntries(available)).toEqual({ usdt: '0.00000001', btc: '0', doge: '7' });
  });
});

describe('SimulatedExchange: delist', () => {
  test('cancels what rests there, gives the money back and pushes both', () => {
    const { exchange, alice } = exchangeFixture();
    const pushed: boolean[] = [];
    alice.accountFeed.orders(MARKET.id).subscribe(({ order }) => pushed.push(order.closed));
    place(alice, { side: 'buy', price: 100, amount: 1 });
    exchange.delist(MARKET.id);
    expect(pushed).toEqual([false, true]);
    expect(exchange.inspect('alice').openOrders.size).toBe(0);
    expect(walletOf(exchange, 'alice').usdt![1]).toBe('0');
  });

  test('takes no order from who hears of the cancels, and no subscriber of orders', () => {
    const { exchange, alice } = exchangeFixture();
    place(alice, { side: 'buy', price: 100, amount: 1 });
    const answers: unknown[] = [];
    alice.accountFeed.orders(MARKET.id).subscribe(({ order }) => {
      if (!order.closed) return;
      try {
        place(alice, { side: 'buy', price: 99, amount: 1 });
      } catch (refused) {
        answers.push(refused);
      }
    });
    exchange.delist(MARKET.id);
    expect(answers).toMatchObject([{ message: 'Error Market' }]);
    expect(() => answerOf(alice.accountFeed.orders(MARKET.id))).toThrow('Error Market');
  });

  test('answers whatever is asked of the market by Error Market, and leaves it out of lists', () => {
    const { exchange, alice } = exchangeFixture();
    const exchangeOrderId = place(alice, { side: 'buy', price: 100, amount: 1 });
    exchange.delist(MARKET.id);
    const { market, trading } = alice;
    const id = MARKET.id;
    const request = { market: id, side: 'buy', type: 'limit', price: 100, amount: 1 } as const;
    const asked = [
      ...[market.ticker(id), market.depth({ market: id }), market.trades({ market: id })],
      ...[trading.place(request as never), trading.cancelAllAfter(id)],
      ...[trading.order({ market: id, exchangeOrderId }), exchange.marketFeed.depth(id)],
      trading.orders({ market: id, side: 'buy', page: 1 }),
    ];
    for (const call of asked) expect(() => answerOf(call as never)).toThrow('Error Market');
    expect(answerOf(market.markets())).toEqual([]);
    expect(answerOf(market.tickers())).toEqual([]);
  });

  test('lets an armed timed cancel fire, and pushes no more data', () => {
    const { exchange, alice, clock, liquidity } = exchangeFixture();
    let pushes = 0;
    exchange.marketFeed.depth(MARKET.id).subscribe(() => pushes++);
    answerOf(alice.trading.cancelAllAfter(MARKET.id));
    exchange.delist(MARKET.id);
    const before = pushes;
    liquidity.addOrder({ side: 'sell', type: 'limit', price: 105, amount: 1 } as never);
    clock.advanceBy(60_000);
    expect(exchange.inspect('alice').timedCancelsFired).toBe(1);
    expect(pushes).toBe(before);
    expect(() => exchange.delist('doge_usdt')).toThrow(SimulationError);
  });
});

describe('SimulatedExchange: orderTook', () => {
  test('hears what orders of accounts trade as they arrive, and nothing of what rests', () => {
    const heard: [string, number][] = [];
    const { alice, bob, liquidity } = exchangeFixture({
      orderTook: (id, filledAmount) => heard.push([id, filledAmount]),
    });
    place(alice, { side: 'sell', price: 100, amount: 1 });
    place(alice, { side: 'sell', price: 101, amount: 1 });
    const took = place(bob, { side: 'buy', price: 101, amount: 3 });
    liquidity.addOrder({ side: 'sell', type: 'ioc', price: 101, amount: 1 });
    expect(heard).toEqual([
      [took, 1],
      [took, 2],
    ]);
  });
});

/** A sum above the largest that is counted, and that largest sum. */
const MUCH = '10000000000000000';
const ALL = '9007199254740991';

describe('SimulatedExchange: what it refuses to hold', () => {
  test.each<[string, Parameters<typeof exchangeFixture>[0], RegExp]>([
    [
      'a market too fine to be exact',
      { markets: [makeMarket({ priceScale: 12, amountScale: 9 })] },
      /priceScale and amountScale add up to 21, at most 20/,
    ],
    [
      'a balance with too many digits',
      { accounts: [{ name: 'a', balances: { usdt: '1.000000001' } }] },
      /at most 8 decimal places/,
    ],
    ['a negative balance', { accounts: [{ name: 'a', balances: { usdt: '-1' } }] }, /from 0/],
    [
      'more money than can be counted',
      {
        accounts: ['a', 'b'].map((name) => ({ name, balances: { usdt: '9000000000000000' } })),
      },
      /more than 2\^53 units/,
    ],
    ['a market twice', { markets: [MARKET, MARKET] }, /an id occurs twice/],
    [
      'an account twice',
      { accounts: ['a', 'a'].map((name) => ({ name, balances: {} })) },
      /there is one already/,
    ],
    ['a fee of everything', { fees: { maker: 1, taker: 0 } }, /Cannot charge the fee rate/],
  ])('refuses %s', (_, overrides, message) => {
    const open = () => exchangeFixture(overrides);
    expect(open).toThrow(SimulationError);
    expect(open).toThrow(message);
  });

  test.each<[string, AccountOptions, readonly string[]]>([
    ['the spot wallet', { name: 'b', balances: { usdt: MUCH } }, ['balances']],
    [
      'a margin wallet',
      { name: 'b', balances: {}, marginBalances: { cross: { usdt: MUCH } } },
      ['marginBalances', 'cross'],
    ],
    [
      'all together',
      { name: 'b', balances: { usdt: '1' }, marginBalances: { isolated: { usdt: ALL } } },
      ['marginBalances', 'isolated'],
    ],
  ])('says where the money stands that %s cannot hold', (_what, account, path) => {
    const accounts = [{ name: 'a', balances: {} }, account];
    const open = () => exchangeFixture({ accounts });
    expect(open).toThrow(
      expect.objectContaining({ path: ['accounts', 1, ...path, 'usdt'] }) as Error,
    );
  });
});

describe('SimulatedExchange: books', () => {
  test('settles trades with the rest of the world exactly, which may go into debt', () => {
    const { exchange, alice, liquidity } = exchangeFixture({
      fees: { maker: 0.001, taker: 0.002 },
    });
    liquidity.setLevel({ side: 'sell', price: 123.45, amount: 0.3333 });
    place(alice, { price: 130, amount: 0.3333 });
    expect(walletOf(exchange, 'alice')).toEqual({
      usdt: ['999958.854115', '0'],
      btc: ['100.3326334', '0'],
    });
    expect(exchange.totalOf('btc').toString()).toBe('200');
    expect(exchange.totalOf('usdt').toString()).toBe('2000000');
    expect(exchange.feesOf('btc').toString()).toBe('0.0006666');
    expect(exchange.inspect('alice').feesPaid.get('btc')!.toString()).toBe('0.0006666');
  });
});
