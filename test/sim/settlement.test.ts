import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDER_TYPES, SIDES } from '../../src/domain/index.ts';
import { CODES } from '../../src/exchange/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { Accounts, FEE_ROW } from '../../src/sim/accounts.ts';
import { Currencies, type Worth } from '../../src/sim/currencies.ts';
import type { AccountInspection } from '../../src/sim/simulated-account.ts';
import { makeMarket } from '../domain/fixture.ts';
import {
  answerOf,
  exchangeFixture,
  FINE,
  failureOf,
  MARKET,
  place,
  requestFixture,
  walletOf,
} from './fixture.ts';
import { type OrderStep, takeStep } from './take-step.ts';

const UNITS_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Places that are asked for are kept, however much is held. */
const EIGHT = { decimals: 8 };

/** Alice has all the usdt that a wallet holds, but for 71 992.54740991. */
const full = () =>
  exchangeFixture({
    accounts: [{ name: 'alice', balances: { usdt: '90000000', btc: '1000' } }],
    currencies: { usdt: EIGHT },
  });

const totals = ({ exchange }: Pick<ReturnType<typeof full>, 'exchange'>) =>
  ['btc', 'usdt'].map((currency) => exchange.totalOf(currency).toString());

describe('MatchingEngine: a market finer than its quote currency', () => {
  test('tells as traded what was paid, a part of a unit cut off each fill', () => {
    const accounts = [{ name: 'alice', balances: { usdt: '1000' } }];
    const world = exchangeFixture({ markets: [FINE], accounts });
    for (const amount of [0.03, 0.05]) {
      world.liquidity.setLevel({ side: 'sell', price: 0.0000012345, amount });
      place(world.alice, { market: FINE.id, price: 0.0000012345, amount: 0.05 });
    }
    const told = answerOf(
      world.alice.trading.orders({ ...{ market: FINE.id, side: 'buy' }, page: 1 }),
    );
    const paid = told.reduce((sum, { filledValue }) => sum.plus(filledValue), Decimal.ZERO);
    const [available, frozen] = walletOf(world.exchange, 'alice').usdt!.map(Decimal.of);
    const left = available!.plus(frozen!);
    expect(Decimal.of(1_000).minus(left).toString()).toBe(paid.toString());
  });
});

describe('MatchingEngine: a wallet without room', () => {
  test('refuses the order of a taker whose wallet cannot hold what it brings in', () => {
    const world = full();
    world.liquidity.setLevel({ side: 'buy', price: 30_000, amount: 100 });
    const request = requestFixture({ side: 'sell', price: 30_000, amount: 100 });
    const failure = failureOf(world.alice.trading.place(request));
    expect(failure).toMatchObject({ kind: 'rejected', code: CODES.invalidAmount });
    expect(failure.message).toMatch(/more than its wallet can hold, at most 90071992\.\d+ usdt in/);
    expect(walletOf(world.exchange, 'alice')).toEqual({
      usdt: ['90000000', '0'],
      btc: ['1000', '0'],
    });
    expect(totals(world)).toEqual(['1000', '90000000']);
  });

  test('stops a taker before the better price that it has no room for', () => {
    const world = full();
    world.liquidity.setLevel({ side: 'buy', price: 50_000, amount: 1 });
    world.liquidity.setLevel({ side: 'buy', price: 40_000, amount: 1 });
    place(world.alice, { side: 'sell', price: 1, amount: 3 });
    expect(walletOf(world.exchange, 'alice')).toEqual({
      usdt: ['90050000', '0'],
      btc: ['999', '0'],
    });
    expect(world.exchange.inspect('alice').openOrders.size).toBe(0);
    expect(totals(world)).toEqual(['1000', '90000000']);
  });

  test.each<[string, (world: ReturnType<typeof full>) => void]>([
    ['print', ({ liquidity }) => liquidity.print({ takerSide: 'buy', price: 60_000, amount: 3 })],
    ['level', ({ liquidity }) => liquidity.setLevel({ side: 'buy', price: 60_000, amount: 3 })],
    [
      'taker',
      ({ liquidity }) => liquidity.addOrder({ side: 'buy', type: 'ioc', price: 60_000, amount: 3 }),
    ],
  ])('cancels what rests when a %s brings more than there is room for', (_, meet) => {
    const world = full();
    place(world.alice, { side: 'sell', price: 40_000, amount: 1 });
    place(world.alice, { side: 'sell', price: 50_000, amount: 1 });
    place(world.alice, { side: 'sell', price: 60_000, amount: 0.1 });
    meet(world);
    expect(walletOf(world.exchange, 'alice')).toEqual({
      usdt: ['90046000', '0'],
      btc: ['998.9', '0'],
    });
    expect(world.exchange.inspect('alice').openOrders.size).toBe(0);
    expect(totals(world)).toEqual(['1000', '90000000']);
  });

  test('lets the rest of the world owe more than any wallet can hold', () => {
    const world = exchangeFixture({
      accounts: ['alice', 'bob'].map((name) => ({ name, balances: { btc: '10' } })),
    });
    world.liquidity.setLevel({ side: 'buy', price: 8_000_000, amount: 100 });
    for (const account of [world.alice, world.bob]) {
      place(account, { side: 'sell', price: 8_000_000, amount: 10 });
    }
    expect(walletOf(world.exchange, 'bob').usdt).toEqual(['80000000', '0']);
    expect(totals(world)).toEqual(['20', '0']);
  });
});

describe('Accounts: rows of the exchange', () => {
  test('have no end and lose no unit either way', () => {
    const accounts = new Accounts(new Currencies([MARKET]), 1);
    const units = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
    let expected = 0n;
    fc.assert(
      fc.property(fc.array(units, { minLength: 20 }), (sums) => {
        for (const sum of [...sums, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]) {
          accounts.receive(accounts.cell(FEE_ROW, 0), sum);
          expected += BigInt(sum);
          expect(accounts.exactly(FEE_ROW, 0)).toBe(expected);
        }
      }),
      { seed: 20_220_122, numRuns: 50 },
    );
    expect(expected).toBeGreaterThan(UNITS_MAX);
  });
});

describe('Currencies', () => {
  test('leave a wallet as much room beside a market of twelve places', () => {
    const { exchange, alice } = exchangeFixture({
      markets: [MARKET, FINE],
      accounts: [{ name: 'alice', balances: { usdt: '5000', btc: '0.5' } }],
    });
    place(alice, { side: 'sell', price: 30_000, amount: 0.2 });
    exchange.anonymous(MARKET.id).print({ takerSide: 'buy', price: 30_000, amount: 1 });
    expect(walletOf(exchange, 'alice').usdt).toEqual(['11000', '0']);
    exchange.anonymous(FINE.id).setLevel({ side: 'sell', price: 0.000_01, amount: 800_000_000 });
    place(alice, { market: FINE.id, price: 0.000_01, amount: 800_000_000 });
    expect(walletOf(exchange, 'alice').shib).toEqual(['800000000', '0']);
  });

  test('count a coin by the finest that its markets need, others by eight places', () => {
    const currencies = new Currencies([MARKET, FINE], { extra: ['doge', 'shib'] });
    const scales = currencies.names.map((name) => [name, currencies.scaleOf(name)]);
    expect(Object.fromEntries(scales)).toEqual({ doge: 8, shib: 4, btc: 8, usdt: 8 });
    expect(() => new Currencies([makeMarket({ priceScale: 1, amountScale: 10 })])).toThrow(
      /^Cannot open the market btc_usdt: its amountScale is 10, .* for btc; at most 9 is wanted/,
    );
  });

  test('count a coin of fine prices by what it is worth, where that is known', () => {
    const fine = makeMarket({ priceScale: 12, amountScale: 0 });
    const scaleOf = (worth: Worth) =>
      new Currencies([fine], { worths: new Map([[fine.id, worth]]) }).scaleOf('btc');
    const worths = [187.15, 0.1, 0.05, 0.000_012, 1e-12].map((highest) => ({ highest }));
    expect(worths.map(scaleOf)).toEqual([8, 8, 7, 4, 0]);
    const crashed = { highest: 80, money: 10_000 };
    // All money buys too much at the lowest price; a unit stays next to nothing at the highest.
    const lowest = [1, 0.001, 0.000_1, 0.000_01, 1e-9];
    expect(lowest.map((low) => scaleOf({ ...crashed, lowest: low }))).toEqual([8, 7, 6, 6, 6]);
    expect(new Currencies([fine]).scaleOf('btc')).toBe(2);
  });

  test('count a coin of coarse prices by eight places, unless its crash leaves it no room', () => {
    const coarse = makeMarket({ priceScale: 5, amountScale: 0 });
    const scaleOf = (lowest: number, money: number) => {
      const worths = new Map([[coarse.id, { highest: 80, lowest, money }]]);
      return new Currencies([coarse], { worths }).scaleOf('btc');
    };
    expect([scaleOf(1, 10_000), scaleOf(0.01, 10_000), scaleOf(0.000_01, 10_000)]).toEqual([
      ...[8, 8, 6],
    ]);
    expect(scaleOf(0.000_01, 1e9)).toBe(1);
  });

  test('a value finer than the quote currency is rounded down, what is frozen for it up', () => {
    const { exchange, alice } = exchangeFixture({
      markets: [FINE],
      accounts: [{ name: 'alice', balances: { usdt: '1' } }],
    });
    const exchangeOrderId = place(alice, { market: FINE.id, price: 0.000_012_345_6, amount: 3 });
    expect(walletOf(exchange, 'alice').usdt).toEqual(['0.99996296', '0.00003704']);
    const print = { takerSide: 'sell', price: 0.000_012_345_6 } as const;
    exchange.anonymous(FINE.id).print({ ...print, amount: 1 });
    expect(walletOf(exchange, 'alice').usdt).toEqual(['0.99996296', '0.0000247']);
    answerOf(alice.trading.cancel({ market: FINE.id, exchangeOrderId }));
    expect(walletOf(exchange, 'alice').usdt).toEqual(['0.99998766', '0']);
    expect(exchange.totalOf('usdt').toString()).toBe('1');
  });
});

const step = fc.record({
  who: fc.constantFrom('alice', 'bob', 'level', 'print', 'cancel'),
  fine: fc.boolean(),
  side: fc.constantFrom(...SIDES),
  type: fc.constantFrom(...ORDER_TYPES),
  price: fc.integer({ min: 900_000, max: 1_100_000 }),
  amount: fc.integer({ min: 1, max: 60_000_000 }),
  accountType: fc.constantFrom(0, 2),
});
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** A step on the scales of its market: about 10 000 usdt a btc, 0.0001 usdt a shib. */
function stepOf({ fine, price, amount, accountType, ...terms }: Step): OrderStep {
  const loans = { accountType, borrow: accountType === 2, repay: accountType === 2 } as const;
  return fine
    ? { ...terms, ...loans, market: FINE.id, price: price / 1e10, amount: amount / 100 }
    : { ...terms, ...loans, market: MARKET.id, price: price / 100, amount: amount / 10_000 };
}

describe('MatchingEngine: conservation near the ends of what a wallet holds', () => {
  test('loses no unit, throws nothing but refusals and keeps frozen what orders need', () => {
    const seen = { refused: 0, filled: 0 };
    const property = fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const balances = { usdt: '40000000', btc: '40000000', shib: '400000000000' };
      const world = exchangeFixture({
        markets: [MARKET, FINE],
        currencies: { usdt: EIGHT, btc: EIGHT, shib: { decimals: 4 } },
        fees: { maker: 0.001, taker: 0.002 },
        accounts: ['alice', 'bob'].map((name) => ({
          name,
          balances,
          marginBalances: { cross: { usdt: '1000000', btc: '100' } },
        })),
      });
      const { exchange } = world;
      const opening = ['usdt', 'btc', 'shib'].map((name) => String(exchange.totalOf(name)));
      for (const one of steps) {
        if (takeStep(world, stepOf(one)) !== undefined) seen.refused++;
        for (const name of ['alice', 'bob']) check(exchange.inspect(name));
        const now = ['usdt', 'btc', 'shib'].map((name) => String(exchange.totalOf(name)));
        expect(now).toEqual(opening);
      }
      for (const name of ['usdt', 'btc', 'shib']) {
        const [ofAlice, ofBob] = ['alice', 'bob'].map((who) => exchange.inspect(who).feesPaid);
        const paid = ofAlice!.get(name)!.plus(ofBob!.get(name)!);
        expect(paid.toString()).toBe(exchange.feesOf(name).toString());
      }
      if (exchange.feesOf('usdt').sign > 0) seen.filled++;
    });
    fc.assert(property, { seed: 20_220_122, numRuns: 40 });
    expect(seen.refused).toBeGreaterThan(20);
    expect(seen.filled).toBeGreaterThan(20);
  });
});

/** No balance is negative or too large, and what is frozen is what the open buys need. */
function check({ balances, openOrders }: AccountInspection): void {
  for (const { currency, available, frozen } of balances) {
    expect(available.sign).toBeGreaterThanOrEqual(0);
    expect(frozen.sign).toBeGreaterThanOrEqual(0);
    const scale = currency === 'shib' ? 4 : 8;
    expect(available.plus(frozen).round(scale, 'down').units <= UNITS_MAX).toBe(true);
    if (currency !== 'usdt') continue;
    const needed = [...openOrders.values()]
      .flat()
      .filter(({ side, accountType }) => side === 'buy' && (accountType ?? 0) === 0)
      .map(({ price, amount, filledAmount }) =>
        Decimal.of(price)
          .times(Decimal.of(amount).minus(Decimal.of(filledAmount)))
          .round(8, 'up'),
      );
    const sum = needed.reduce((total, one) => total.plus(one), Decimal.ZERO);
    expect(frozen.toString()).toBe(sum.toString());
  }
}
