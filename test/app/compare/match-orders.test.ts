import { describe, expect, it } from 'vitest';
import { attribute } from '../../../src/app/compare/attribution.ts';
import { NO_WISH, type RunDigest } from '../../../src/app/compare/digest.ts';
import { matchOrders } from '../../../src/app/compare/match-orders.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { makeOpen } from '../../domain/fixture.ts';
import { digestOf, lateFeeOf, over, placed, wished } from './fixture.ts';

type FillEvent = Extract<TradingEvent, { kind: 'fill' }>;

/** Pairs as seconds of their making. */
function matched(a: RunDigest, b: RunDigest): (number | undefined)[][] {
  const second = (time?: number) => time && time / 1_000;
  return matchOrders(a, b).map((pair) => [
    second(pair.a?.createdTime),
    second(pair.b?.createdTime),
  ]);
}

/** What the difference of two runs is put down to. */
function causes(a: RunDigest, b: RunDigest): Record<string, string> {
  const marks = new Map([['btc_usdt', 110]]);
  const [one] = attribute({ pairs: matchOrders(a, b), marks: { a: marks, b: marks } });
  return Object.fromEntries(one!.lines.map(({ cause, amount }) => [cause, amount.toString()]));
}

/** Bids a price a second step apart, each filled at once. */
function bought(seconds: readonly number[], prices: readonly number[]): RunDigest {
  return digestOf(
    ...seconds.map((second, at) => {
      const price = prices[at]!;
      return [wished(second, price), ...placed(second, { price, filled: true })];
    }),
  );
}

describe('matchOrders', () => {
  it('pairs the n-th wish with the n-th where one run hears 15 s late of what comes each 20 s', () => {
    const prices = [100, 104, 101, 107];
    const a = bought([20, 40, 60, 80], prices);
    const b = bought([35, 55, 75, 95], prices);
    expect(matched(a, b)).toEqual([
      [20, 35],
      [40, 55],
      [60, 75],
      [80, 95],
    ]);
    // By the nearest in time 40 would go with 35, at another price, and 20 and 95 with none.
    expect(causes(a, b)).toEqual({ price: '0' });
  });

  it('pairs the orders of one wish by their tags, not by their turn', () => {
    const [near, far] = [
      placed(1, { price: 100, filled: true }),
      placed(1, { price: 99, tag: 'quotes/bid/1', filled: true }),
    ];
    const a = digestOf(wished(1, 100), near, far);
    const b = digestOf(wished(1, 100), far);
    expect(matchOrders(a, b).map(({ a: one, b: other }) => [one?.price, other?.price])).toEqual([
      [100, undefined],
      [99, 99],
    ]);
    expect(causes(a, b)).toEqual({ price: '0', onlyA: '-10' });
  });

  it('takes a quote that left in a batch for the one that left alone', () => {
    const a = digestOf(wished(1, 100), placed(1, { tag: 'quotes/bid/0/batch/1700000000000' }));
    expect(matched(a, digestOf(wished(1, 100), placed(2)))).toEqual([[1, 2]]);
  });

  it('leaves alone what one run did not wish, and finds what comes behind it', () => {
    const a = bought([10, 100, 300], [100, 101, 102]);
    const b = bought([10, 300], [100, 102]);
    expect(matched(a, b)).toEqual([
      [10, 10],
      [100, undefined],
      [300, 300],
    ]);
  });

  it('pairs what was made before the first wish, and what was made when the strategy was over', () => {
    const a = digestOf(placed(1), wished(2, 100), placed(2), over(9), placed(9));
    const b = digestOf(placed(1), over(8), placed(8));
    expect(matched(a, b)).toEqual([
      [1, 1],
      [2, undefined],
      [9, 8],
    ]);
  });

  it('pairs no other side, market or strategy', () => {
    const others = [{ side: 'sell' }, { market: 'eth_usdt' }, { strategy: 'grid' }] as const;
    for (const other of others) {
      expect(matched(digestOf(placed(1)), digestOf(placed(1, other)))).toHaveLength(2);
    }
  });
});

describe('matchOrders, of one wish', () => {
  it('pairs what one wish set off again and again in its order', () => {
    const a = digestOf(wished(1, 100), placed(1), placed(3));
    const b = digestOf(wished(1, 100), placed(1), placed(2), placed(4));
    expect(matched(a, b)).toEqual([
      [1, 1],
      [3, 4],
    ]);
    expect(matchOrders(a, b).map((pair) => [pair.a!.count, pair.b!.count])).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it('takes several orders for one wish as one: they differ in what they paid', () => {
    const a = digestOf(wished(1, 100), placed(1, { price: 100, filled: true }));
    const half = (second: number, price: number) =>
      placed(second, { price, amount: 0.5, filled: true });
    const b = digestOf(wished(1, 100), half(1, 100), half(2, 102));
    for (const [one, other, price] of [
      [a, b, '-1'],
      [b, a, '1'],
    ] as const) {
      expect(causes(one, other)).toEqual({ price });
    }
  });

  it('sums nothing that no wish holds together', () => {
    const [one, two] = [digestOf(placed(1)), digestOf(placed(1), placed(2))];
    expect(matched(one, two)).toEqual([
      [1, 1],
      [undefined, 2],
    ]);
  });
});

describe('RunDigest', () => {
  it('puts a fee that was told later to its order, and that of an earlier run to one of its own', () => {
    const bid = placed(1, { filled: true });
    const { clientOrderId } = (bid[1] as FillEvent).fill;
    const a = digestOf(wished(1, 100), bid);
    const b = digestOf(wished(1, 100), bid, lateFeeOf(clientOrderId, '0.01'));
    expect(b.fills).toBe(1);
    const early = digestOf(wished(1, 100), bid, lateFeeOf('earlier', '0.01'));
    // 0.01 btc at 110.
    for (const other of [b, early]) expect(causes(a, other)).toEqual({ price: '0', fees: '-1.1' });
    expect([b.orders.size, early.orders.size]).toEqual([1, 2]);
  });

  it('counts what an earlier run placed by its fills alone, which tell no time of this one', () => {
    const [, fill] = placed(60, { filled: true }) as [TradingEvent, FillEvent];
    const { clientOrderId } = fill.fill;
    const terms = { clientOrderId, strategy: 'maker', market: 'btc_usdt', createdTime: 0 };
    const restored = (time: number): TradingEvent => {
      const order = makeOpen({ ...terms, changedTime: time });
      return { kind: 'order', market: order.market, time, order };
    };
    const resting = digestOf(wished(1, 100), restored(50_000));
    expect(resting.orders.size).toBe(0);
    const filled = digestOf(wished(1, 100), restored(50_000), fill, restored(61_000));
    const [order] = filled.orders.values();
    const untimed = { isOwn: false, answeredMs: undefined, filledMs: undefined };
    expect(order).toMatchObject({ wish: NO_WISH, amount: Decimal.of(1), ...untimed });
  });
});
