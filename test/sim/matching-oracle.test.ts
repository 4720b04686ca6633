import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDER_TYPES, type OrderRecord, SIDES } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import {
  answerOf,
  bookOf,
  collect,
  exchangeFixture,
  failureOf,
  requestFixture,
} from './fixture.ts';
import { NaiveBook } from './naive-book.ts';

const WHOLE = makeMarket({ priceScale: 0, amountScale: 0, minAmount: 1, minSize: 0 });
const NAMES = ['alice', 'bob'] as const;

const side = fc.constantFrom(...SIDES);
const type = fc.constantFrom(...ORDER_TYPES);
const price = fc.integer({ min: 95, max: 105 });
const amount = fc.integer({ min: 1, max: 20 });
const pick = fc.nat({ max: 1_000 });
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add'), side, type, price, amount }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('place'),
      name: fc.constantFrom(...NAMES),
      side,
      type,
      price,
      amount,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel'), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('setLevel'),
      side,
      price,
      amount: fc.integer({ min: 0, max: 20 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('print'), takerSide: side, price, amount }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** The exchange and the naive book side by side, given the same commands. */
function bothBooks(fees = { maker: 0, taker: 0 }) {
  // Enough for all that is placed.
  const balances = { usdt: '1000000', btc: '10000' };
  const accounts = NAMES.map((name) => ({ name, balances }));
  const fixture = exchangeFixture({ markets: [WHOLE], accounts, fees });
  const naive = new NaiveBook();
  /** Every order that ever rested, in both numberings. */
  const resting: { naiveId: number; cancel: () => boolean }[] = [];
  const placed: { naiveId: number; name: 'alice' | 'bob'; exchangeOrderId: string }[] = [];
  const trades = collect(fixture.exchange.marketFeed.trades(WHOLE.id));

  function add(step: Extract<Command, { kind: 'add' }>): void {
    const id = fixture.liquidity.addOrder(step);
    const naiveId = naive.add({ ...step, owner: undefined });
    expect(id !== undefined).toBe(naive.orders.some((order) => order.id === naiveId));
    if (id === undefined) return;
    resting.push({ naiveId: naiveId!, cancel: () => fixture.liquidity.cancelOrder(id) });
  }

  function placeOrder(step: Extract<Command, { kind: 'place' }>): void {
    const { trading } = fixture[step.name];
    const naiveId = naive.add({ ...step, owner: step.name });
    if (naiveId === undefined) {
      expect(failureOf(trading.place(requestFixture(step))).message).toContain('PostOnly');
      return;
    }
    const { exchangeOrderId } = answerOf(trading.place(requestFixture(step)));
    placed.push({ naiveId, name: step.name, exchangeOrderId });
    const reference = { market: WHOLE.id, exchangeOrderId };
    resting.push({ naiveId, cancel: () => succeeds(() => answerOf(trading.cancel(reference))) });
  }

  function run(step: Command): void {
    if (step.kind === 'add') add(step as Extract<Command, { kind: 'add' }>);
    if (step.kind === 'place') placeOrder(step as Extract<Command, { kind: 'place' }>);
    if (step.kind === 'setLevel' || step.kind === 'print') {
      fixture.liquidity[step.kind](step as never);
      naive[step.kind](step as never);
    }
    if (step.kind === 'cancel' && resting.length > 0) {
      const { naiveId, cancel } = resting[(step as { pick: number }).pick % resting.length]!;
      expect(cancel()).toBe(naive.cancel(naiveId));
    }
  }

  return { ...fixture, naive, placed, trades, run };
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function openOrders({ exchange }: ReturnType<typeof bothBooks>, name: string): OrderRecord[] {
  return [...(exchange.inspect(name).openOrders.get(WHOLE.id) ?? [])];
}

describe('matching', () => {
  test('agrees with a naive book on books, trades and fills', () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 120 }), (steps) => {
        const both = bothBooks();
        for (const step of steps) both.run(step);
        const { bids, asks } = bookOf(both.exchange);
        expect(bids).toEqual(both.naive.levels('buy'));
        expect(asks).toEqual(both.naive.levels('sell'));
        expect(
          both.trades.flat().map(({ price, amount, side }) => ({ price, amount, takerSide: side })),
        ).toEqual(both.naive.trades);
        for (const name of NAMES) {
          expect(
            openOrders(both, name).map(({ price, amount, filledAmount }) => [
              price,
              amount - filledAmount,
            ]),
          ).toEqual(
            both.naive.orders
              .filter((order) => order.owner === name)
              .map(({ price, remaining }) => [price, remaining]),
          );
        }
      }),
      { seed: 20_220_122, numRuns: 400 },
    );
  });

  test('never stands crossed while an account order rests at the crossing', () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 80 }), (steps) => {
        const both = bothBooks();
        for (const step of steps) both.run(step);
        const open = NAMES.flatMap((name) => openOrders(both, name));
        const { bids, asks } = bookOf(both.exchange);
        for (const { side, price } of open) {
          if (side === 'buy' && asks[0] !== undefined) expect(price).toBeLessThan(asks[0][0]);
          if (side === 'sell' && bids[0] !== undefined) expect(price).toBeGreaterThan(bids[0][0]);
        }
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  test('conserves every currency and freezes exactly what open orders need', () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 100 }), (steps) => {
        const both = bothBooks({ maker: 0.001, taker: 0.002_5 });
        const before = ['usdt', 'btc'].map((name) => both.exchange.totalOf(name).toString());
        for (const step of steps) {
          both.run(step);
          for (const name of NAMES) expectFrozenByOrders(both, name);
        }
        expect(['usdt', 'btc'].map((name) => both.exchange.totalOf(name).toString())).toEqual(
          before,
        );
        for (const currency of ['usdt', 'btc']) {
          const paid = NAMES.map((name) => both.exchange.inspect(name).feesPaid.get(currency)!);
          expect(paid[0]!.plus(paid[1]!).toString()).toBe(
            both.exchange.feesOf(currency).toString(),
          );
        }
      }),
      { seed: 99, numRuns: 100 },
    );
  });
});

function expectFrozenByOrders(both: ReturnType<typeof bothBooks>, name: string): void {
  let usdt = Decimal.ZERO;
  let btc = Decimal.ZERO;
  for (const { side, price, amount, filledAmount } of openOrders(both, name)) {
    const left = Decimal.of(amount - filledAmount);
    if (side === 'buy') usdt = usdt.plus(left.times(Decimal.of(price)));
    else btc = btc.plus(left);
  }
  for (const { currency, available, frozen } of both.exchange.inspect(name).balances) {
    expect(frozen.toString()).toBe((currency === 'usdt' ? usdt : btc).toString());
    expect(available.sign).toBeGreaterThanOrEqual(0);
  }
}
