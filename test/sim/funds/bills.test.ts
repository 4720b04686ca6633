import { describe, expect, test } from 'vitest';
import { CODES } from '../../../src/exchange/index.ts';
import { HOUR_MS } from '../../../src/kernel/index.ts';
import { answerOf, failureOf, MARKET, place, START_MS } from '../fixture.ts';
import { billsOf, fundsFixture, withdraw } from './fixture.ts';

describe('Bills', () => {
  test('tell both sides of a trade and its fee, with the balance that each left', () => {
    const { alice, bob } = fundsFixture({ fees: { maker: 0.001, taker: 0.002 } });
    place(alice, { price: 100, amount: 2 });
    place(bob, { side: 'sell', price: 99, amount: 0.5 });
    expect(billsOf(alice).slice(3)).toEqual([
      'buy -50 usdt: 999950',
      'buy 0.5 btc: 100.5',
      'trading fee -0.0005 btc: 100.4995',
    ]);
    expect(billsOf(bob).slice(3)).toEqual([
      'sell 50 usdt: 1000050',
      'sell -0.5 btc: 99.5',
      'trading fee -0.1 usdt: 1000049.9',
    ]);
  });

  test('begin with what the account was opened with and leave margin wallets out', () => {
    const { alice, bob } = fundsFixture({
      alice: { balances: { usdt: '5' }, marginBalances: { cross: { usdt: '1000' } } },
    });
    place(alice, { price: 100, amount: 1, accountType: 2 });
    place(bob, { side: 'sell', price: 100, amount: 1 });
    expect(billsOf(alice)).toEqual(['opening balance 5 usdt: 5']);
  });

  test('add up where an account trades with itself', () => {
    const { alice, exchange } = fundsFixture();
    place(alice, { price: 100, amount: 1 });
    place(alice, { side: 'sell', price: 100, amount: 1 });
    expect(billsOf(alice, 'usdt').slice(1)).toEqual([
      'buy -100 usdt: 999900',
      'sell 100 usdt: 1000000',
    ]);
    expect(exchange.totalOf('usdt').toString()).toBe('2000000');
  });

  test('bill a withdrawal when it is submitted and again when it comes back', () => {
    const { alice, exchange } = fundsFixture();
    const id = withdraw(alice, {});
    exchange.stepWithdrawal('alice', { id, status: 'failed' });
    expect(billsOf(alice, 'btc').slice(1)).toEqual([
      'withdrawal -1 btc: 99',
      'withdrawal fee -0.0005 btc: 98.9995',
      'withdrawal returned 1.0005 btc: 100',
    ]);
  });

  test('have ids of digits, each once', () => {
    const { alice, bob } = fundsFixture();
    for (let i = 0; i < 8; i++) {
      place(alice, { price: 100 });
      place(bob, { side: 'sell', price: 100 });
    }
    const ids = [alice, bob].flatMap(({ funds }) =>
      answerOf(funds.bills({ pageSize: 50 })).map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(2 * (3 + 16));
    expect(ids.every((id) => /^20220122\d{10}$/.test(id))).toBe(true);
  });

  test('forget the oldest of very many, and keep the balance', () => {
    const { alice, bob } = fundsFixture();
    for (let i = 0; i < 9_000; i++) {
      place(alice, { price: 1, amount: 1, side: i % 2 === 0 ? 'buy' : 'sell' });
      place(bob, { price: 1, amount: 1, side: i % 2 === 0 ? 'sell' : 'buy' });
    }
    const bills = billsOf(alice);
    expect(bills).toHaveLength(16_384);
    expect(bills.at(-1)).toBe('sell -1 btc: 100');
  });
});

describe('FundsDesk.bills', () => {
  const changes = (
    account: ReturnType<typeof fundsFixture>['alice'],
    query: Parameters<typeof account.funds.bills>[0],
  ) => answerOf(account.funds.bills(query)).map(({ change }) => change.toString());

  test('split at 48 hours by the clock', () => {
    const { exchange, alice, clock } = fundsFixture({ alice: { balances: {} } });
    const credit = (amount: string) =>
      exchange.creditDeposit('alice', { currency: 'btc', amount, internal: true });
    credit('1');
    clock.advanceBy(HOUR_MS);
    credit('2');
    clock.advanceBy(47 * HOUR_MS);
    expect([changes(alice, {}), changes(alice, { older: true })]).toEqual([['2', '1'], []]);
    clock.advanceBy(1);
    expect([changes(alice, {}), changes(alice, { older: true })]).toEqual([['2'], ['1']]);
    clock.advanceBy(HOUR_MS);
    expect([changes(alice, {}), changes(alice, { older: true })]).toEqual([[], ['2', '1']]);
  });

  test('are filtered by currency and time, both ends included, and paged', () => {
    const { exchange, alice, clock } = fundsFixture({ alice: { balances: {} } });
    for (let i = 1; i <= 25; i++) {
      const currency = i % 5 === 0 ? 'usdt' : 'btc';
      exchange.creditDeposit('alice', { currency, amount: String(i), internal: true });
      clock.advanceBy(1_000);
    }
    expect(changes(alice, {})).toEqual([
      '25',
      '24',
      '23',
      '22',
      '21',
      '20',
      '19',
      '18',
      '17',
      '16',
    ]);
    expect(changes(alice, { page: 3 })).toEqual(['5', '4', '3', '2', '1']);
    expect(changes(alice, { page: 4 })).toEqual([]);
    expect(changes(alice, { currency: 'usdt' })).toEqual(['25', '20', '15', '10', '5']);
    const span = { startTime: START_MS + 3_000, endTime: START_MS + 5_000 };
    expect(changes(alice, span)).toEqual(['6', '5', '4']);
  });

  test.each([
    [{ pageSize: 9 }],
    [{ pageSize: 51 }],
    [{ pageSize: 10.5 }],
    [{ page: 0 }],
    [{ page: Number.NaN }],
    [{ currency: 'doge' }],
    [{ currency: '__proto__' }],
  ])('refuse %j', (query) => {
    const { alice } = fundsFixture();
    expect(failureOf(alice.funds.bills(query)).code).toBe(CODES.invalidArguments);
  });

  test('need the permission to read', () => {
    const { alice } = fundsFixture({ alice: { permissions: { assets: false } } });
    expect(failureOf(alice.funds.bills({})).code).toBe(CODES.noPermission);
  });

  test('name the market of a trade', () => {
    const { alice, bob } = fundsFixture();
    place(alice, { price: 100 });
    place(bob, { side: 'sell', price: 100 });
    expect(answerOf(alice.funds.bills({}))[0]).toMatchObject({ remark: MARKET.id, time: START_MS });
  });
});
