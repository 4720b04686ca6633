import { describe, expect, test } from 'vitest';
import { depthModelSchema } from '../../../src/sim/models/depth-config.ts';
import { bookOf, failureOf, requestFixture, walletOf } from '../fixture.ts';
import { depthFixture, snapshotRows } from './model-fixture.ts';

const BOOK = {
  bids: [
    [99.9, 2],
    [99.8, 5],
  ],
  asks: [
    [100, 1],
    [100.1, 3],
  ],
} as const;

/** A whole book, and the end of its update. */
const WHOLE = [...snapshotRows(BOOK as never), end(1.5)];

function end(update: number) {
  return { event: 'change', side: 'buy', price: 0.01, amount: 0, update } as const;
}

function sells(price: number, amount: number) {
  return { event: 'trade', side: 'sell', price, amount } as const;
}

function bids(price: number, amount: number) {
  return { event: 'change', side: 'buy', price, amount } as const;
}

describe('DepthModel: resting orders', () => {
  test('wait behind what the book shows at their price', () => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    play(sells(99.9, 1.5));
    expect(filled(id)).toBe(0);
    play(sells(99.9, 0.8));
    expect(filled(id)).toBe(0.3);
  });

  test('meet each trade of one update, and the changes behind it', () => {
    const { play, order, filled } = depthFixture({ queue: 'conservative' });
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    const together = [sells(99.9, 0.5), bids(99.9, 1), sells(99.9, 0.8), sells(99.9, 0.4)];
    play(...together.map((row) => ({ ...row, update: 9 })), sells(99.9, 0.1));
    expect(filled(id)).toBe(0.3);
  });

  test('inside the spread have nobody before them', () => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.95, amount: 1 });
    play(sells(99.9, 0.6));
    expect(filled(id)).toBe(0.6);
  });

  test('come forward by trades alone where the queue is conservative', () => {
    const { play, order, filled } = depthFixture({ queue: 'conservative' });
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    // Two wait before it, two join behind it; three of the four leave.
    play(bids(99.9, 4), bids(99.9, 2.5), sells(99.9, 1));
    expect(filled(id)).toBe(0);
    play(bids(99.9, 1), sells(99.9, 1.2));
    expect(filled(id)).toBe(0.2);
  });

  test('come forward in proportion to what waits on both sides of them', () => {
    const { play, order, filled } = depthFixture({ queue: 'proportional' });
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    // Half of four leave: one of the two before it.
    play(bids(99.9, 4), bids(99.9, 2), sells(99.9, 1.5));
    expect(filled(id)).toBe(0.5);
  });

  test.each([
    ['buy', 99.9, 0.7],
    ['sell', 100, 0.7],
    // What is better is served first.
    ['buy', 99.8, 1.7],
    ['sell', 100.1, 1.7],
  ] as const)('come forward at each price where they wait: %s at %d', (side, price, traded) => {
    const { play, order, filled } = depthFixture({ queue: 'conservative' });
    play(...WHOLE);
    const prices = side === 'buy' ? [99.9, 99.8] : [100, 100.1];
    const ids = prices.map((at) => order({ side, price: at, amount: 1 }));
    play({ event: 'change', side, price, amount: 0.5 });
    play({ event: 'trade', side: side === 'buy' ? 'sell' : 'buy', price, amount: traded });
    expect(filled(ids[prices.indexOf(price)]!)).toBe(0.2);
  });

  test('count what a trade took once, though the next change shows it again', () => {
    const { play, order, filled } = depthFixture({ queue: 'proportional' });
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    play(sells(99.9, 1), bids(99.9, 1), sells(99.9, 0.9));
    expect(filled(id)).toBe(0);
    play(sells(99.9, 0.2));
    expect(filled(id)).toBe(0.1);
  });
});

describe('DepthModel: resting orders that are reached', () => {
  test('fill by a trade beyond their price, whoever waited before them', () => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.8, amount: 1 });
    play(sells(99.7, 0.4));
    expect(filled(id)).toBe(0.4);
  });

  test('fill as far as a level of the other side that reaches them goes', () => {
    const { play, order, filled, filledPrice, model } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'sell', price: 100.1, amount: 2 });
    play(bids(100.2, 0.5));
    expect([filled(id), filledPrice(id)]).toEqual([0.5, 100.1]);
    expect(model.book.bids.amountAt(10_020)).toBe(0);
    play(bids(100.1, 5));
    expect(filled(id)).toBe(2);
    expect(model.book.bids.amountAt(10_010)).toBe(3.5);
  });

  test('are not filled by a trade that happened before they came', () => {
    const { clock, play, order, filled } = depthFixture();
    play(...WHOLE);
    clock.advanceBy(10);
    const [at, beyond] = [
      order({ side: 'buy', price: 99.95 }),
      order({ side: 'buy', price: 99.98 }),
    ];
    play({ ...sells(99.95, 5), afterMs: 9 }, { ...sells(99.8, 5), afterMs: 9 });
    expect([filled(at), filled(beyond)]).toEqual([0, 0]);
    play({ ...sells(99.95, 5), afterMs: 10 });
    expect([filled(at), filled(beyond)]).toEqual([1, 1]);
  });

  test('come no further forward by a trade that happened before they came', () => {
    const { clock, play, order, filled } = depthFixture({ queue: 'conservative' });
    play(...WHOLE);
    const early = order({ side: 'buy', price: 99.9, amount: 2 });
    clock.advanceBy(10);
    const late = order({ side: 'buy', price: 99.9 });
    // All that waits before the early one trades, and half of the early one itself.
    play({ ...sells(99.9, 3), afterMs: 9 });
    expect([filled(early), filled(late)]).toEqual([1, 0]);
    // The late one has one of the early order before it, and the two that it found.
    play({ ...sells(99.9, 3), afterMs: 10 });
    expect([filled(early), filled(late)]).toEqual([2, 0]);
    play({ ...sells(99.9, 1), afterMs: 10 });
    expect(filled(late)).toBe(1);
  });

  test('have before them who was there when they came, though it is told later', () => {
    const { clock, play, order, filled } = depthFixture({ queue: 'conservative' });
    play(...WHOLE);
    clock.advanceBy(10);
    const id = order({ side: 'buy', price: 99.9 });
    play({ ...bids(99.9, 6), afterMs: 9 }, { ...bids(99.9, 9), afterMs: 10 });
    play({ ...sells(99.9, 6), afterMs: 10 });
    expect(filled(id)).toBe(0);
    play({ ...sells(99.9, 1), afterMs: 10 });
    expect(filled(id)).toBe(1);
  });

  test('share one queue with what joins between them', () => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const first = order({ side: 'buy', price: 99.9, amount: 1 });
    play(bids(99.9, 3));
    const second = order({ side: 'buy', price: 99.9, amount: 1 });
    play(sells(99.9, 3.5));
    expect([filled(first), filled(second)]).toEqual([1, 0]);
    play(sells(99.9, 1));
    expect([filled(first), filled(second)]).toEqual([1, 0.5]);
  });
});

describe('DepthModel: orders that take', () => {
  test('meet the real levels, best first, and rest with what is left', () => {
    const { play, order, filled, filledPrice } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'buy', price: 100.1, amount: 5 });
    expect(filled(id)).toBe(4);
    expect(filledPrice(id)).toBe(100.075);
    play(sells(100.1, 0.5));
    expect(filled(id)).toBe(4.5);
  });

  test('find what own orders took only when the level is named again', () => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const take = (): number => filled(order({ side: 'buy', type: 'ioc', price: 100, amount: 0.7 }));
    expect([take(), take(), take()]).toEqual([0.7, 0.3, 0]);
    play({ event: 'change', side: 'sell', price: 100.1, amount: 9 });
    expect(take()).toBe(0);
    play({ event: 'change', side: 'sell', price: 100, amount: 1 });
    expect(take()).toBe(0.7);
  });

  test('find nothing of what they took beside an own order once that is gone', () => {
    const { play, order, cancel, filled } = depthFixture();
    play(...WHOLE);
    const own = order({ side: 'sell', price: 100, amount: 1 });
    const take = (amount: number) => order({ side: 'buy', type: 'ioc', price: 100, amount });
    expect(filled(take(0.6))).toBe(0.6);
    cancel(own);
    expect(filled(take(1))).toBe(0.4);
  });

  test('reach deeper levels where the queue beside an own order is shorter than its level', () => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const own = order({ side: 'sell', price: 100, amount: 1 });
    play({ event: 'trade', side: 'buy', price: 100, amount: 1.5 });
    expect(filled(own)).toBe(0.5);
    const id = order({ side: 'buy', type: 'ioc', price: 100.1, amount: 1 });
    expect(filled(id)).toBe(1);
  });

  test('are sent back when PostOnly', () => {
    const { play, alice } = depthFixture();
    play(...WHOLE);
    const request = requestFixture({ type: 'postOnly', price: 100, amount: 1 });
    expect(failureOf(alice.trading.place(request)).message).toContain('would take');
  });

  test('are not held up by where the market was before', () => {
    const { play, order, cancel, filled } = depthFixture();
    play(...WHOLE);
    cancel(order({ side: 'buy', price: 99.9, amount: 1 }));
    play(bids(99.9, 0), bids(99.8, 0), { event: 'change', side: 'sell', price: 99, amount: 2 });
    const id = order({ side: 'sell', type: 'postOnly', price: 99.5, amount: 1 });
    play({ event: 'trade', side: 'buy', price: 99.5, amount: 1 });
    expect(filled(id)).toBe(1);
  });
});

describe('DepthModel: gaps', () => {
  test('let nothing fill before the next whole book, and keep the place in the queue', () => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    play({ event: 'gap' }, sells(99.5, 9), bids(99.9, 0));
    expect(filled(id)).toBe(0);
    expect(filled(order({ side: 'buy', type: 'ioc', price: 100, amount: 1 }))).toBe(0);
    play(...snapshotRows({ bids: [[99.9, 7]], asks: [[100, 1]] }, 9), end(9.5));
    play(sells(99.9, 2.5));
    expect(filled(id)).toBe(0.5);
  });

  test('end with what the new book crosses', () => {
    const { play, order, filled, filledPrice } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    play({ event: 'gap' }, ...snapshotRows({ bids: [[90, 1]], asks: [[95, 0.25]] }, 9), end(9.5));
    expect([filled(id), filledPrice(id)]).toEqual([0.25, 99.9]);
  });
});

describe('DepthModel: whole books that follow each other', () => {
  const CROSSING = snapshotRows({ bids: [[90, 1]], asks: [[95, 0.25]] }, 2);
  const SHORT = snapshotRows({ bids: [[99.9, 0.5]], asks: [[100, 1]] }, 2);
  const FORMER = snapshotRows({ bids: [[99.9, 7]], asks: [[100, 1]] }, 3);

  test.each([true, false])('meet what rests, each of them, in one chunk: %s', (isOne) => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    for (const rows of isOne ? [[...CROSSING, ...FORMER]] : [CROSSING, FORMER]) play(...rows);
    expect(filled(id)).toBe(0.25);
  });

  test('take a level beyond their deepest for empty', () => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    play(...snapshotRows({ bids: [[100.4, 2]], asks: [[100.5, 1]] }, 2), ...FORMER);
    play(sells(99.9, 0.4));
    expect(filled(id)).toBe(0.4);
  });

  test('shorten a queue for good', () => {
    const { play, order, filled } = depthFixture();
    play(...WHOLE);
    const id = order({ side: 'buy', price: 99.9, amount: 1 });
    play(...SHORT, ...FORMER, sells(99.9, 0.8));
    expect(filled(id)).toBe(0.3);
  });
});

describe('DepthModel', () => {
  test('keeps the book of the exchange empty while no own order rests', () => {
    const { play, exchange, order } = depthFixture();
    play(...WHOLE);
    order({ side: 'buy', type: 'ioc', price: 100, amount: 0.5 });
    play(bids(99.9, 1));
    expect(bookOf(exchange)).toEqual({ bids: [], asks: [] });
  });

  test('moves money exactly and leaves the sum as it was', () => {
    const { play, order, exchange, total } = depthFixture();
    const before = [total('usdt'), total('btc')];
    play(...WHOLE);
    order({ side: 'buy', type: 'ioc', price: 100.1, amount: 2 });
    expect(walletOf(exchange, 'alice').usdt).toEqual(['999799.9', '0']);
    expect([total('usdt'), total('btc')]).toEqual(before);
  });

  test('pushes what an update did once it is complete', () => {
    const { play, order, pushes } = depthFixture();
    play(...WHOLE);
    order({ side: 'sell', price: 100.1, amount: 2 });
    const before = pushes.length;
    const first = { ...bids(100.1, 1), update: 5 };
    play(first, { ...bids(100.15, 0.5), update: 5 });
    expect(pushes.slice(before).map(({ order }) => order.filledAmount)).toEqual([1, 1.5]);
  });

  test('gives the same for the same rows and orders', () => {
    const played = () => {
      const { play, order, pushes } = depthFixture();
      play(...WHOLE);
      for (let at = 0; at < 40; at++) {
        order({ side: at % 2 === 0 ? 'buy' : 'sell', price: (999 + (at % 3)) / 10, amount: 0.3 });
        play(bids(99.9, 1 + (at % 5)), sells(99.9, 0.7), { ...sells(100, 0.2), side: 'buy' });
      }
      return pushes.map(({ order }) => [order.exchangeOrderId, order.filledAmount, order.closed]);
    };
    const first = played();
    expect(first.filter(([, filled]) => Number(filled) > 0).length).toBeGreaterThan(10);
    expect(played()).toEqual(first);
  });

  test('confesses in whole sentences what its settings mean', () => {
    const confessions = (['conservative', 'proportional'] as const).map(
      (queue) => depthFixture({ queue }).model.confession,
    );
    for (const sentence of confessions.flat()) expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(confessions[0]).not.toEqual(confessions[1]);
    expect(depthModelSchema.parse({ model: 'depth' }).queue).toBe('proportional');
  });
});
