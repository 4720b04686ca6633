import { describe, expect, test } from 'vitest';
import type { Side } from '../../src/domain/index.ts';
import { Book } from '../../src/sim/book.ts';
import { ANONYMOUS } from '../../src/sim/order-store.ts';
import { makeMarket } from '../domain/fixture.ts';
import { dataOr } from '../recordings.ts';
import { answerOf, bookOf, collect, exchangeFixture, failureOf, place } from './fixture.ts';

interface Scenario {
  readonly name: string;
  readonly reduced?: readonly [size: number, price: number, gone: boolean];
  readonly cmd?: string;
  readonly trades?: string | readonly (readonly [maker: number, price: number, size: number])[];
  readonly rejected?: number;
}
interface Scenarios {
  readonly setup: readonly (readonly ['ask' | 'bid', id: number, price: number, size: number])[];
  readonly base_book: Record<'asks' | 'bids', readonly (readonly [number, number, number])[]>;
  readonly scenarios: readonly Scenario[];
}

/** Where the file is absent: the least that shows every rule tested here. */
const OWN: Scenarios = {
  setup: [
    ['ask', 1, 102, 10],
    ['ask', 2, 101, 5],
    ['ask', 3, 101, 4],
    ['bid', 4, 99, 7],
    ['bid', 5, 98, 3],
  ],
  base_book: {
    asks: [
      [101, 9, 2],
      [102, 10, 1],
    ],
    bids: [
      [99, 7, 1],
      [98, 3, 1],
    ],
  },
  scenarios: [
    { name: 'cancel ask 2', cmd: 'cancel 2' },
    { name: 'reduce ask 1 by 4', cmd: 'reduce 1 4', reduced: [4, 102, false] },
    { name: 'reduce bid 4 by 30', cmd: 'reduce 4 30', reduced: [7, 99, true] },
    {
      name: 'IOC sell 8 @1',
      trades: [
        [4, 99, 7],
        [5, 98, 1],
      ],
    },
    { name: 'IOC buy 25 @max', trades: 'all asks (19)', rejected: 6 },
    {
      name: 'marketable GTC buy 6 @101',
      trades: [
        [2, 101, 5],
        [3, 101, 1],
      ],
    },
  ],
};

const data = dataOr('oracles/order-book.json', OWN);
const WHOLE = makeMarket({ priceScale: 0, amountScale: 0, minAmount: 1, minSize: 0 });

function baseBook() {
  const fixture = exchangeFixture({
    markets: [WHOLE],
    accounts: [
      { name: 'alice', balances: { usdt: '8000000', btc: '1000' } },
      { name: 'bob', balances: { usdt: '60000000', btc: '1000' } },
    ],
  });
  const ids = new Map<number, string>();
  for (const [kind, id, price, amount] of data.setup) {
    const side: Side = kind === 'ask' ? 'sell' : 'buy';
    ids.set(id, place(fixture.alice, { side, price, amount }));
  }
  const pushes = collect(fixture.alice.accountFeed.orders(WHOLE.id));
  /** What alice's orders traded since the setup: [maker, price, size]. */
  const fills = () =>
    pushes.map(({ order }) => {
      const maker = [...ids].find(([, id]) => id === order.exchangeOrderId)![0];
      return [maker, order.price, order.filledAmount];
    });
  return { ...fixture, ids, fills };
}

function levels(rows: readonly (readonly [number, number, number])[]): number[][] {
  return rows.map(([price, amount]) => [price, amount]);
}

describe('order book scenarios', () => {
  test('the base book stands as listed', () => {
    const { exchange } = baseBook();
    expect(bookOf(exchange)).toEqual({
      asks: levels(data.base_book.asks),
      bids: levels(data.base_book.bids),
    });
  });

  const cancels = data.scenarios.filter(({ cmd }) => /^cancel \d+$/.test(cmd ?? ''));
  test.each(cancels)('$name', ({ cmd }) => {
    const { exchange, alice, bob, ids } = baseBook();
    const id = Number(cmd!.split(' ')[1]);
    const reference = { market: WHOLE.id, exchangeOrderId: ids.get(id) ?? '202201220000005291' };
    expect(failureOf(bob.trading.cancel(reference)).code).toBe(3001);
    if (!ids.has(id)) return;
    const [kind, , price, amount] = data.setup.find(([, known]) => known === id)!;
    answerOf(alice.trading.cancel(reference));
    const expected = { asks: levels(data.base_book.asks), bids: levels(data.base_book.bids) };
    const side = kind === 'ask' ? 'asks' : 'bids';
    expected[side] = expected[side]
      .map(([at, sum]) => (at === price ? [at!, sum! - amount] : [at!, sum!]))
      .filter(([, sum]) => sum! > 0);
    expect(bookOf(exchange)).toEqual(expected);
  });

  const takes = data.scenarios.filter(({ name }) => /^(IOC|marketable)/.test(name));
  test.each(takes)('$name', ({ name, trades, rejected = 0 }) => {
    const { bob, exchange, fills } = baseBook();
    const [kind, word, amount, limit] = name.replace(' GTC', '').replace('@', '').split(' ');
    const side = word as Side;
    const best = limit === 'max' ? data.base_book.asks.at(-1)![0] : Number(limit);
    const type = kind!.startsWith('marketable') ? 'limit' : 'ioc';
    const id = place(bob, { side, type, price: best, amount: Number(amount) });
    const order = answerOf(bob.trading.order({ market: WHOLE.id, exchangeOrderId: id }));
    expect(order.filledAmount).toBe(Number(amount) - rejected);
    expect(order.closed).toBe(true);
    if (typeof trades === 'string') expect(bookOf(exchange).asks).toEqual([]);
    else expect(fills()).toEqual(trades);
  });

  const reductions = data.scenarios.filter(({ reduced, cmd }) => {
    return reduced !== undefined && cmd?.startsWith('reduce') === true;
  });
  test.each(reductions)('$name', ({ cmd, reduced }) => {
    const book = new Book();
    const slots = new Map<number, number>();
    for (const [kind, id, price, amount] of data.setup) {
      const side: Side = kind === 'ask' ? 'sell' : 'buy';
      const slot = book.orders.add({ owner: ANONYMOUS, side, price, amount });
      slots.set(id, slot);
      book.rest(slot);
    }
    const [, id, by] = cmd!.split(' ').map(Number);
    const [size, price, gone] = reduced!;
    const slot = slots.get(id!)!;
    const ladder = book.orders.isBuy(slot) ? book.bids : book.asks;
    const before = ladder.find(price)!.amount;
    book.reduce(slot, by!);
    expect(ladder.find(price)?.amount ?? 0).toBe(before - size);
    expect(book.orders.level(slot) === 0).toBe(gone);
  });
});
