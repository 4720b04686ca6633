import { describe, expect, it } from 'vitest';
import type { TradedOrder } from '../../../src/app/compare/digest.ts';
import { matchOrders } from '../../../src/app/compare/match-orders.ts';
import { tradedOf } from './fixture.ts';

function madeAt(...seconds: number[]): TradedOrder[] {
  return seconds.map((second) => tradedOf({ createdTime: second * 1_000 }));
}

/** Pairs as seconds of their making. */
function matched(a: TradedOrder[], b: TradedOrder[]): (number | undefined)[][] {
  const second = (order?: TradedOrder) => order && order.createdTime / 1_000;
  return matchOrders(a, b).map((pair) => [second(pair.a), second(pair.b)]);
}

describe('matchOrders', () => {
  it('pairs the orders of one moment', () => {
    expect(matched(madeAt(1, 300), madeAt(1, 301))).toEqual([
      [1, 1],
      [300, 301],
    ]);
  });

  it('leaves alone what one run did not do', () => {
    expect(matched(madeAt(1, 100, 300), madeAt(1, 300))).toEqual([
      [1, 1],
      [100, undefined],
      [300, 300],
    ]);
  });

  it('leaves alone what lies nearer to another one', () => {
    expect(matched(madeAt(0, 10), madeAt(10))).toEqual([
      [0, undefined],
      [10, 10],
    ]);
    expect(matched(madeAt(10), madeAt(0, 10))).toEqual([
      [undefined, 0],
      [10, 10],
    ]);
  });

  it('pairs no other side, market or strategy', () => {
    const a = [tradedOf(), tradedOf({ market: 'eth_usdt' }), tradedOf({ strategy: 'grid' })];
    expect(matched(a, [tradedOf({ side: 'sell' })])).toHaveLength(4);
  });
});
