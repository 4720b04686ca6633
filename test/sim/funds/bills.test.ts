import { describe, expect, test } from 'vitest';
import { CODES } from '../../../src/exchange/index.ts';
import { HOUR_MS } from '../../../src/kernel/index.ts';
import { BillRing } from '../../../src/sim/funds/bill-ring.ts';
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
});

describe('Bills: memory', () => {
  test('keep every one of the last 48 hours, however many', () => {
    const { alice, bob, clock } = fundsFixture();
    const trade = (count: number) => {
      for (let i = 0; i < count; i++) {
        place(alice, { price: 1, amount: 1, side: i % 2 === 0 ? 'buy' : 'sell' });
        place(bob, { price: 1, amount: 1, side: i % 2 === 0 ? 'sell' : 'buy' });
      }
    };
    trade(9_000);
    expect(billsOf(alice)).toHaveLength(3 + 18_000);
    clock.advanceBy(48 * HOUR_MS);
    trade(1_000);
    expect(billsOf(alice)).toHaveLength(3 + 20_000);
    clock.advanceBy(1);
    trade(1_000);
    expect(billsOf(alice)).toHaveLength(4_000);
    const older = answerOf(alice.funds.bills({ older: true, page: 200, pageSize: 50 }));
    expect(older).toHaveLength(50);
    expect(answerOf(alice.funds.bills({ older: true, page: 330, pageSize: 50 }))).toEqual([]);
  });
});

describe('BillRing', () => {
  const bill = (ordinal: number, time: number) => ({
    ...{ ordinal, time, currency: ordinal % 300, type: ordinal % 10 },
    ...{ change: ordinal, balance: -ordinal, remark: `bill ${ordinal}` },
  });

  test('gives back what was written, newest first, and keeps the newest 15,361 at least', () => {
    const ring = new BillRing();
    const hourly = (ordinal: number) => bill(ordinal, ordinal * HOUR_MS);
    for (let ordinal = 0; ordinal < 40_000; ordinal++) ring.push(hourly(ordinal));
    const rows = [...ring.rows()];
    expect(rows.length).toBeGreaterThan(15_360);
    expect(rows.length).toBeLessThanOrEqual(16_384);
    expect(rows).toEqual(rows.map((_, at) => hourly(39_999 - at)));
  });

  test('forgets the oldest of more than 1,048,576 young ones', () => {
    const ring = new BillRing();
    for (let ordinal = 0; ordinal <= 1_048_576; ordinal++) ring.push(bill(ordinal, 0));
    let count = 0;
    let oldest = 0;
    for (const { ordinal } of ring.rows()) {
      count++;
      oldest = ordinal;
    }
    expect([count, oldest]).toEqual([1_048_576 - 1_023, 1_024]);
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
