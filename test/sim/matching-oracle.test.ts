import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDER_TYPES, type OrderRecord, SIDES } from '../../src/domain/index.ts';
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
const kind = <const K extends string>(name: K) => fc.constant(name);
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind('add'), side, type, price, amount }) },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ kind: kind('place'), name: fc.constantFrom(...NAMES) },
      ...{ side, type, price, amount },
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('cancel'), pick: fc.nat({ max: 1_000 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: kind('setLevel'), side, price },
      amount: fc.integer({ min: 0, max: 20 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('print'), takerSide: side, price, amount }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** The exchange and the naive book side by side, given the same commands. */
function bothBooks() {
  // Enough for all that is placed.
  const balances = { usdt: '1000000', btc: '10000' };
  const accounts = NAMES.map((name) => ({ name, balances }));
  const fixture = exchangeFixture({ markets: [WHOLE], accounts });
  const naive = new NaiveBook();
  /** Every order that ever rested: how to cancel it in both. */
  const resting: (() => [boolean, boolean])[] = [];
  const trades = collect(fixture.exchange.marketFeed.trades(WHOLE.id));

  function add(step: Extract<Command, { kind: 'add' }>): void {
    const id = fixture.liquidity.addOrder(step);
    const naiveId = naive.add({ ...step, owner: undefined });
    expect(id !== undefined).toBe(naive.orders.some((order) => order.id === naiveId));
    if (id === undefined) return;
    resting.push(() => [fixture.liquidity.cancelOrder(id), naive.cancel(naiveId!)]);
  }

  function placeOrder(step: Extract<Command, { kind: 'place' }>): void {
    const { trading } = fixture[step.name];
    const naiveId = naive.add({ ...step, owner: step.name });
    if (naiveId === undefined) {
      expect(failureOf(trading.place(requestFixture(step))).message).toContain('PostOnly');
      return;
    }
    const { exchangeOrderId } = answerOf(trading.place(requestFixture(step)));
    const cancel = () => answerOf(trading.cancel({ market: WHOLE.id, exchangeOrderId }));
    resting.push(() => [succeeds(cancel), naive.cancel(naiveId)]);
  }

  function run(step: Command): void {
    if (step.kind === 'add') add(step);
    else if (step.kind === 'place') placeOrder(step);
    else if (step.kind === 'cancel') {
      const [cancelled, wanted] = resting[step.pick % resting.length]?.() ?? [];
      expect(cancelled).toBe(wanted);
    } else if (step.kind === 'print') {
      fixture.liquidity.print(step);
      naive.print(step);
    } else {
      fixture.liquidity.setLevel(step);
      naive.setLevel(step);
    }
  }

  return { ...fixture, naive, trades, run };
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
});
