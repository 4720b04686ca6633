import { describe, expect, test } from 'vitest';
import { CODES } from '../../../src/exchange/index.ts';
import { DAY_MS } from '../../../src/kernel/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import {
  answerOf,
  collect,
  exchangeFixture,
  failureOf,
  MARKET,
  place,
  requestFixture,
} from '../fixture.ts';
import { crossAssetOf, crossWorthOf, marginFixture } from './fixture.ts';

const market = MARKET.id;
const ioc = { type: 'ioc', accountType: 2 } as const;

describe('MarginBank: borrowing', () => {
  test('lends an order what its wallet misses, and no more', () => {
    const { alice, exchange } = marginFixture();
    const before = exchange.totalOf('usdt').toString();
    place(alice, { price: 90, amount: 20, accountType: 2, borrow: true });
    expect(crossAssetOf(alice, 'usdt')).toEqual({
      available: '0',
      frozen: '1800',
      loan: '800',
      overdraft: '0',
      transferable: '0',
    });
    expect(exchange.totalOf('usdt').toString()).toBe(before);
    place(alice, { price: 1, amount: 5, accountType: 1 });
  });

  test('lends up to the leverage of the wallet, to the last digit', () => {
    const { alice } = marginFixture();
    const most = requestFixture({ price: 100, amount: 30.0001, accountType: 2, borrow: true });
    expect(failureOf(alice.trading.place(most)).code).toBe(CODES.balance);
    expect(crossWorthOf(alice).loan).toBe('0');
    place(alice, { price: 100, amount: 30, accountType: 2, borrow: true, type: 'ioc' });
    expect(crossWorthOf(alice)).toEqual({
      total: '2970',
      net: '970',
      loan: '2000',
      riskRate: 1.485,
    });
    const more = requestFixture({ price: 100, amount: 0.01, accountType: 2, borrow: true });
    expect(failureOf(alice.trading.place(more)).code).toBe(CODES.balance);
  });

  test('knows another leverage, and lends nothing at 1', () => {
    const { alice } = marginFixture({ margin: { leverageMax: 1 } });
    const request = requestFixture({ price: 100, amount: 10.0001, accountType: 2, borrow: true });
    expect(failureOf(alice.trading.place(request)).code).toBe(CODES.balance);
  });

  test('lends neither to orders that do not borrow nor to the spot wallet', () => {
    const { alice } = marginFixture();
    for (const overrides of [
      { accountType: 2 as const },
      { accountType: 2 as const, borrow: false },
      { accountType: 0 as const, borrow: true },
    ]) {
      const request = requestFixture({ price: 90, amount: 20, ...overrides });
      expect(failureOf(alice.trading.place(request)).code).toBe(CODES.balance);
    }
  });

  test('lends a wallet no more than it has room for', () => {
    const cross = { usdt: '50000000' };
    const accounts = [
      { name: 'alice', balances: {}, marginBalances: { cross } },
      { name: 'bob', balances: {} },
    ];
    const currencies = { usdt: { decimals: 8 } };
    const { alice } = marginFixture({ accounts, currencies });
    place(alice, { price: 50, amount: 1_000_000, accountType: 2 });
    // 2^53 units are some 90 million.
    const more = { price: 50, accountType: 2, borrow: true } as const;
    const request = requestFixture({ ...more, amount: 802_000 });
    expect(failureOf(alice.trading.place(request)).code).toBe(CODES.balance);
    place(alice, { ...more, amount: 801_000 });
  });

  test('refuses a currency that has no price', () => {
    const markets = [MARKET, makeMarket({ id: 'eth_usdt', base: 'eth' })];
    const { alice } = marginFixture({ markets });
    const short = { market: 'eth_usdt', side: 'sell', price: 1, amount: 1 } as const;
    const request = requestFixture({ ...short, accountType: 2, borrow: true });
    expect(failureOf(alice.trading.place(request)).code).toBe(CODES.balance);
  });
});

describe('MarginBank: what has no price', () => {
  test('lends nothing more to a wallet that owes of a currency without a price', () => {
    const markets = [MARKET, makeMarket({ id: 'eth_usdt', base: 'eth' })];
    const { alice, exchange } = marginFixture({ markets });
    const eth = exchange.anonymous('eth_usdt');
    eth.setLevel({ side: 'sell', price: 90, amount: 1 });
    const short = { market: 'eth_usdt', side: 'sell', price: 95, amount: 10 } as const;
    const exchangeOrderId = place(alice, { ...short, accountType: 2, borrow: true });
    answerOf(alice.trading.cancel({ market: 'eth_usdt', exchangeOrderId }));
    eth.setLevel({ side: 'sell', price: 90, amount: 0 });
    const more = requestFixture({ price: 90, amount: 12, accountType: 2, borrow: true });
    expect(crossWorthOf(alice)).toMatchObject({ loan: '0', net: '1000' });
    expect(failureOf(alice.trading.place(more)).code).toBe(CODES.balance);
    place(alice, { price: 90, amount: 11, accountType: 2 });
  });
});

describe('MarginBank: what secures a loan', () => {
  const wallet = { btc: '1', usdt: '1' };
  const isolated = { accountType: 1, borrow: true } as const;
  const accounts = [
    { name: 'alice', balances: { usdt: '10', btc: '1' }, marginBalances: { isolated: wallet } },
    { name: 'bob', balances: { usdt: '1000000' } },
  ];

  test('is not worth what a trade of an account with itself says', () => {
    for (const quoted of [true, false]) {
      const { alice, liquidity } = exchangeFixture({ accounts, markets: [MARKET] });
      if (quoted) liquidity.print({ takerSide: 'buy', price: 100, amount: 1 });
      place(alice, { side: 'sell', price: 90_000, amount: 0.0001 });
      place(alice, { side: 'buy', price: 90_000, amount: 0.0001 });
      const request = requestFixture({ ...isolated, price: 90_000, amount: 1 });
      expect(failureOf(alice.trading.place(request)).code).toBe(CODES.balance);
    }
  });
});

describe('MarginBank: repaying', () => {
  test('repays out of proceeds: interest first, then the loan, what is over stays', () => {
    const { alice, clock } = marginFixture();
    place(alice, { ...ioc, price: 100, amount: 20, borrow: true });
    clock.advanceBy(DAY_MS);
    expect(crossAssetOf(alice, 'usdt')).toMatchObject({ loan: '1000', overdraft: '1' });
    place(alice, { ...ioc, side: 'sell', price: 99, amount: 10, repay: true });
    expect(crossAssetOf(alice, 'usdt')).toMatchObject({ loan: '11', overdraft: '0' });
    place(alice, { ...ioc, side: 'sell', price: 99, amount: 1, repay: true });
    expect(crossAssetOf(alice, 'usdt')).toMatchObject({ loan: '0', available: '88' });
  });

  test('repays out of what a cancelled order gives back', () => {
    const { alice } = marginFixture();
    const terms = { price: 90, amount: 20, accountType: 2, borrow: true, repay: true } as const;
    const exchangeOrderId = place(alice, terms);
    answerOf(alice.trading.cancel({ market, exchangeOrderId }));
    expect(crossAssetOf(alice, 'usdt')).toMatchObject({ available: '1000', loan: '0' });
  });

  test.each([
    ['received', '196.02', '901.99'],
    ['base', '198', '901'],
  ] as const)('repays what a sell brings in, no more (fees in: %s)', (feesIn, available, loan) => {
    const { alice } = marginFixture({ fees: { maker: 0, taker: 0.01, in: feesIn } });
    place(alice, { ...ioc, price: 100, amount: 20, borrow: true });
    place(alice, { ...ioc, side: 'sell', price: 99, amount: 2 });
    place(alice, { ...ioc, side: 'sell', price: 99, amount: 1, repay: true });
    expect(crossAssetOf(alice, 'usdt')).toMatchObject({ available, loan, transferable: '0' });
  });

  test('repays what was sold short out of what is bought back', () => {
    const { alice } = marginFixture();
    place(alice, { ...ioc, side: 'sell', price: 99, amount: 10, borrow: true });
    place(alice, { ...ioc, price: 100, amount: 4, repay: true });
    expect(crossAssetOf(alice, 'btc')).toMatchObject({ available: '0', loan: '6' });
    expect(crossAssetOf(alice, 'usdt')).toMatchObject({ available: '1590', loan: '0' });
  });

  test.each([
    [true, { available: '0', loan: '0' }],
    [false, { available: '5', loan: '5' }],
  ])('repays out of a cancelled sell where it is told to: %s', (repay, left) => {
    const { alice } = marginFixture();
    const terms = { side: 'sell', price: 110, amount: 5, accountType: 2, borrow: true } as const;
    const exchangeOrderId = place(alice, { ...terms, repay });
    answerOf(alice.trading.cancel({ market, exchangeOrderId }));
    expect(crossAssetOf(alice, 'btc')).toMatchObject(left);
  });

  test('leaves the loan as it is without being told to repay', () => {
    const { alice } = marginFixture();
    place(alice, { ...ioc, price: 100, amount: 20, borrow: true });
    place(alice, { ...ioc, side: 'sell', price: 99, amount: 20 });
    expect(crossAssetOf(alice, 'usdt')).toMatchObject({ available: '1980', loan: '1000' });
  });
});

describe('SimulatedMargin', () => {
  test('switches act for every margin order until they are switched off', () => {
    const { alice } = marginFixture();
    answerOf(alice.margin.setAutoBorrow(true));
    answerOf(alice.margin.setAutoRepay(true));
    place(alice, { ...ioc, price: 100, amount: 20 });
    expect(crossAssetOf(alice, 'usdt').loan).toBe('1000');
    place(alice, { ...ioc, side: 'sell', price: 99, amount: 20 });
    expect(crossAssetOf(alice, 'usdt')).toMatchObject({ loan: '0', available: '980' });
    answerOf(alice.margin.setAutoBorrow(false));
    const request = requestFixture({ ...ioc, price: 100, amount: 20 });
    expect(failureOf(alice.trading.place(request)).code).toBe(CODES.balance);
  });

  test('switches act for no order of a key that may not use margin', () => {
    const { alice, exchange } = marginFixture();
    const restricted = exchange.account('alice', { margin: false })!;
    answerOf(alice.margin.setAutoBorrow(true));
    answerOf(alice.margin.setAutoRepay(true));
    const request = requestFixture({ ...ioc, price: 100, amount: 20 });
    expect(failureOf(restricted.trading.place(request)).code).toBe(CODES.balance);
    const { market, price, amount } = request;
    const batch = { market, side: 'buy', accountType: 2, orders: [{ price, amount }] } as const;
    expect(failureOf(restricted.trading.placeBatch(batch)).code).toBe(CODES.balance);
    place(alice, { ...ioc, price: 100, amount: 20 });
    place(restricted, { ...ioc, side: 'sell', price: 99, amount: 20 });
    expect(crossAssetOf(alice, 'usdt').loan).toBe('1000');
  });

  test('shows a key that may not use margin the same orders, and one timed cancel', () => {
    const { alice, exchange, clock } = marginFixture();
    const restricted = exchange.account('alice', { margin: false })!;
    const exchangeOrderId = place(restricted, { price: 50, amount: 1, accountType: 2 });
    answerOf(restricted.trading.cancelAllAfter(MARKET.id));
    clock.advanceBy(30_000);
    answerOf(alice.trading.cancelAllAfter(MARKET.id));
    const isClosed = () =>
      answerOf(alice.trading.order({ market: MARKET.id, exchangeOrderId })).closed;
    clock.advanceBy(59_999);
    expect(isClosed()).toBe(false);
    clock.advanceBy(1);
    expect(isClosed()).toBe(true);
    expect(exchange.inspect('alice').timedCancelsFired).toBe(1);
  });

  test('refuses without the permission', () => {
    const { alice } = marginFixture({
      accounts: [{ name: 'alice', balances: {}, permissions: { margin: false } }],
    });
    const calls = [
      alice.margin.crossAccount(),
      alice.margin.isolatedAccount(),
      alice.margin.setAutoBorrow(true),
      alice.margin.setAutoRepay(true),
    ];
    for (const call of calls) expect(failureOf(call).code).toBe(CODES.noPermission);
  });
});

describe('SimulatedMargin: pushes', () => {
  test('pushes the balances of the cross wallet alone to their own channel', () => {
    const { alice } = marginFixture();
    const spot = collect(alice.accountFeed.balances());
    const cross = collect(alice.accountFeed.crossBalances!());
    const changes = collect(alice.accountFeed.changes!());
    place(alice, { price: 90, amount: 20, accountType: 2, borrow: true });
    place(alice, { price: 90, amount: 1, accountType: 1 });
    expect(spot).toEqual([]);
    expect(changes.filter(({ balances }) => balances !== undefined)).toEqual([]);
    expect(cross).toHaveLength(1);
    const [balance] = cross[0]!.balances;
    expect([balance!.currency, String(balance!.available), String(balance!.frozen)]).toEqual([
      'usdt',
      '0',
      '1800',
    ]);
  });
});
