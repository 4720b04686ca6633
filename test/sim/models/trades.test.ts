import { describe, expect, test } from 'vitest';
import { tradesModelSchema } from '../../../src/sim/models/trades-config.ts';
import { failureOf, requestFixture, walletOf } from '../fixture.ts';
import { tradesFixture } from './model-fixture.ts';

/** A bounce between 99.9 and 100: a spread of 0.1, of mean amount 1. The last taker sold. */
const BOUNCE = [
  { side: 'sell', price: 99.9, amount: 1 },
  { side: 'buy', price: 100, amount: 1 },
  { side: 'sell', price: 99.9, amount: 1 },
] as const;

describe('TradesModel: resting orders', () => {
  test('fill by a taker of the other side at their price', () => {
    const { play, order, filled } = tradesFixture();
    play(...BOUNCE);
    const id = order({ side: 'buy', price: 99.8, amount: 1 });
    play({ side: 'buy', price: 99.8, amount: 5 });
    expect(filled(id)).toBe(0);
    play({ side: 'sell', price: 99.8, amount: 0.4 });
    expect(filled(id)).toBe(0.4);
    play({ side: 'sell', price: 99.8, amount: 5 });
    expect(filled(id)).toBe(1);
  });

  test('wait for the queue of so many mean trades before them', () => {
    const { play, order, filled } = tradesFixture({ queueAhead: { meanTrade: 3 } });
    play(...BOUNCE);
    const id = order({ side: 'buy', price: 99.8, amount: 1 });
    play({ side: 'sell', price: 99.8, amount: 2.5 });
    expect(filled(id)).toBe(0);
    play({ side: 'sell', price: 99.8, amount: 1 });
    expect(filled(id)).toBe(0.5);
  });

  test('wait for a queue of a fixed amount before them', () => {
    const { play, order, filled } = tradesFixture({ queueAhead: { amount: 0.7 } });
    play(...BOUNCE);
    const id = order({ side: 'sell', price: 100.2, amount: 1 });
    play({ side: 'buy', price: 100.2, amount: 1 });
    expect(filled(id)).toBe(0.3);
  });

  test('share one queue: a second order finds the rest of the first one’s and what joins it', () => {
    const { play, order, filled } = tradesFixture({ queueAhead: { amount: 2 } });
    play(...BOUNCE);
    const first = order({ side: 'buy', price: 99.8, amount: 1 });
    play({ side: 'sell', price: 99.8, amount: 1.5 });
    const second = order({ side: 'buy', price: 99.8, amount: 1 });
    // 0.5 wait before the first, 1.5 between the two: 2 before the second.
    play({ side: 'sell', price: 99.8, amount: 1.5 });
    expect([filled(first), filled(second)]).toEqual([1, 0]);
    play({ side: 'sell', price: 99.8, amount: 1.6 });
    expect([filled(first), filled(second)]).toEqual([1, 0.1]);
  });

  test('that better the best price have nobody before them', () => {
    const { play, order, filled } = tradesFixture({ queueAhead: { amount: 50 } });
    play(...BOUNCE);
    const id = order({ side: 'buy', price: 99.95, amount: 1 });
    play({ side: 'sell', price: 99.95, amount: 1 });
    expect(filled(id)).toBe(1);
  });
});

describe('TradesModel: resting orders that the market went beyond', () => {
  test('fill up to the amount of a trade beyond their price, whoever waited before them', () => {
    const { play, order, filled } = tradesFixture({ queueAhead: { amount: 50 } });
    play(...BOUNCE);
    const id = order({ side: 'buy', price: 99.8, amount: 1 });
    play({ side: 'sell', price: 99.79, amount: 0.25 });
    expect(filled(id)).toBe(0.25);
    // Also a buyer below the bid: asks stood there.
    play({ side: 'buy', price: 99.79, amount: 0.25 });
    expect(filled(id)).toBe(0.5);
    play({ side: 'sell', price: 99.8, amount: 0.25 });
    expect(filled(id)).toBe(0.75);
  });

  test('fill whole by a trade beyond their price where prints have no cap', () => {
    const settings = { queueAhead: { amount: 50 }, printCap: false };
    const { play, order, filled } = tradesFixture(settings);
    play(...BOUNCE);
    const better = order({ side: 'sell', price: 100.1, amount: 3 });
    const at = order({ side: 'sell', price: 100.2, amount: 3 });
    play({ side: 'buy', price: 100.2, amount: 0.0001 });
    expect([filled(better), filled(at)]).toEqual([3, 0]);
  });

  test('fill at their own price, better ones first', () => {
    const { play, order, filled, filledPrice, pushes } = tradesFixture();
    play(...BOUNCE);
    const low = order({ side: 'buy', price: 99.7, amount: 1 });
    const high = order({ side: 'buy', price: 99.8, amount: 1 });
    play({ side: 'sell', price: 99.6, amount: 1.5 });
    expect([filled(high), filled(low)]).toEqual([1, 0.5]);
    expect([filledPrice(high), filledPrice(low)]).toEqual([99.8, 99.7]);
    expect(pushes.at(-1)?.order.filledAmount).toBe(0.5);
  });
});

describe('TradesModel: orders that take', () => {
  test('meet the last taker of their side, or one spread away', () => {
    const { play, order, filled, filledPrice } = tradesFixture();
    play(...BOUNCE);
    expect(filled(order({ side: 'buy', type: 'ioc', price: 99.99, amount: 0.1 }))).toBe(0);
    const bought = order({ side: 'buy', type: 'ioc', price: 100.5, amount: 0.1 });
    const sold = order({ side: 'sell', type: 'ioc', price: 99, amount: 0.1 });
    expect([filledPrice(bought), filledPrice(sold)]).toEqual([100, 99.9]);
  });

  test('find one mean trade, twice that half a spread further, and so on', () => {
    const { play, order, filled, filledPrice } = tradesFixture();
    play(...BOUNCE);
    const within = order({ side: 'buy', type: 'ioc', price: 100, amount: 5 });
    expect(filled(within)).toBe(1);
    play(BOUNCE[2]);
    const deep = order({ side: 'buy', type: 'ioc', price: 101, amount: 4 });
    expect(filled(deep)).toBe(4);
    expect(filledPrice(deep)).toBeCloseTo((1 * 100 + 2 * 100.05 + 1 * 100.1) / 4, 12);
  });

  test('find what own orders took only after the next trade', () => {
    const { play, order, filled } = tradesFixture();
    play(...BOUNCE);
    expect(filled(order({ side: 'buy', type: 'ioc', price: 100, amount: 0.6 }))).toBe(0.6);
    expect(filled(order({ side: 'buy', type: 'ioc', price: 100, amount: 0.6 }))).toBe(0.4);
    expect(filled(order({ side: 'buy', type: 'ioc', price: 100, amount: 0.6 }))).toBe(0);
    play({ side: 'sell', price: 99.9, amount: 1 });
    expect(filled(order({ side: 'buy', type: 'ioc', price: 100, amount: 0.6 }))).toBe(0.6);
  });

  test('rest with what they did not find', () => {
    const { play, order, filled } = tradesFixture();
    play(...BOUNCE);
    const id = order({ side: 'buy', price: 100, amount: 3 });
    expect(filled(id)).toBe(1);
    play({ side: 'buy', price: 100, amount: 9 });
    expect(filled(id)).toBe(1);
    play({ side: 'sell', price: 100, amount: 9 });
    expect(filled(id)).toBe(3);
  });

  test('are sent back when PostOnly, and nothing of what they met stays', () => {
    const { play, alice, order, filled } = tradesFixture();
    play(...BOUNCE);
    const request = requestFixture({ type: 'postOnly', price: 100, amount: 1 });
    expect(failureOf(alice.trading.place(request)).message).toContain('would take');
    const id = order({ side: 'sell', type: 'postOnly', price: 100, amount: 1 });
    play({ side: 'buy', price: 100, amount: 1 });
    expect(filled(id)).toBe(1);
  });

  test('meet nothing before the first trade', () => {
    const { order, filled } = tradesFixture();
    expect(filled(order({ side: 'buy', type: 'ioc', price: 1_000, amount: 1 }))).toBe(0);
  });
});

describe('TradesModel', () => {
  test('moves money exactly and leaves the sum as it was', () => {
    const { play, order, exchange, total } = tradesFixture();
    const before = [total('usdt'), total('btc')];
    play(...BOUNCE);
    order({ side: 'buy', price: 99.8, amount: 2 });
    play({ side: 'sell', price: 99.8, amount: 0.5 });
    expect(walletOf(exchange, 'alice').usdt).toEqual(['999800.4', '149.7']);
    expect([total('usdt'), total('btc')]).toEqual(before);
  });

  test('confesses in whole sentences what its settings mean', () => {
    const texts = [{ queueAhead: 'none' }, { queueAhead: { amount: 2 } }, { printCap: false }, {}];
    const confessions = texts.map((settings) => tradesFixture(settings).model.confession);
    for (const confession of confessions) {
      for (const sentence of confession) expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
    expect(new Set(confessions.map((confession) => confession.join())).size).toBe(4);
  });

  test.each([
    [1, 'It finds the mean amount of recent trades there,'],
    [2.5, 'It finds 2.5 times the mean amount of recent trades there,'],
  ])('confesses what %d mean trades at the touch are', (touchMeanTrades, text) => {
    const { confession } = tradesFixture({ touchMeanTrades }).model;
    expect(confession.join(' ')).toContain(text);
  });

  test('has defaults for everything and knows no other key', () => {
    expect(tradesModelSchema.parse({ model: 'trades' })).toMatchObject({
      queueAhead: { meanTrade: 5 },
      printCap: true,
    });
    expect(tradesModelSchema.safeParse({ model: 'trades', queue: 1 }).success).toBe(false);
  });
});
