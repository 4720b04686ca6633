import { describe, expect, it } from 'vitest';
import type { LiveOrder } from '../../../src/domain/index.ts';
import { pairQuotes } from '../../../src/execution/desk/quote-pairs.ts';
import { createOrder, quote } from './orders.ts';

const EXACT = { price: 0, amount: 0 };

describe('pairQuotes', () => {
  it('keeps an order of the same price and open amount', () => {
    const orders = [createOrder({ at: 100, size: 3, filled: 2 }), createOrder({ at: 99 })];
    expect(pairQuotes([quote(99), quote(100)], { orders, tolerances: EXACT })).toEqual([
      orders[1],
      orders[0],
    ]);
  });

  it('does not keep an order of another amount, whole and open, but within the tolerance', () => {
    const orders = [createOrder({ at: 100, size: 2, filled: 0.5 })];
    expect(pairQuotes([quote(100)], { orders, tolerances: EXACT })).toEqual([undefined]);
    const tolerances = { price: 0, amount: 0.5 };
    expect(pairQuotes([quote(100)], { orders, tolerances })).toEqual(orders);
  });

  it('keeps an order that filled in part where its whole amount is wished again', () => {
    const orders = [createOrder({ at: 100, filled: 0.5 })];
    expect(pairQuotes([quote(100)], { orders, tolerances: EXACT })).toEqual(orders);
    expect(pairQuotes([quote(99)], { orders, tolerances: EXACT })).toEqual([undefined]);
  });

  it('prefers the order whose open amount is the one wished', () => {
    const orders = [createOrder({ at: 100, filled: 0.5 }), createOrder({ at: 100 })];
    expect(pairQuotes([quote(100)], { orders, tolerances: EXACT })).toEqual([orders[1]]);
    expect(pairQuotes([quote(100), quote(100)], { orders, tolerances: EXACT })).toEqual([
      orders[1],
      orders[0],
    ]);
  });

  it('keeps an order within the price tolerance, the nearest first', () => {
    const [near, far, beyond] = [100.1, 100.2, 100.4].map((at) => createOrder({ at }));
    const tolerances = { price: 0.003, amount: 0 };
    const keptOf = (...orders: readonly (LiveOrder | undefined)[]) =>
      pairQuotes([quote(100)], { orders: orders.map((order) => order!), tolerances });
    expect(keptOf(beyond, near)).toEqual([near]);
    expect(keptOf(near, far)).toEqual([near]);
    expect(keptOf(far, near)).toEqual([near]);
    expect(keptOf(beyond)).toEqual([undefined]);
  });

  it('gives an exact order to its quote even when another quote comes first', () => {
    const orders = [createOrder({ at: 100 })];
    const tolerances = { price: 0.1, amount: 0 };
    expect(pairQuotes([quote(101), quote(100)], { orders, tolerances })).toEqual([
      undefined,
      orders[0],
    ]);
  });

  it('counts pending and unknown orders, not those on their way out', () => {
    const orders = [
      createOrder({ at: 100, status: 'cancelling' }),
      createOrder({ at: 99, status: 'unknown' }),
      createOrder({ at: 98, status: 'pending' }),
    ];
    const pairs = pairQuotes([quote(100), quote(99), quote(98)], { orders, tolerances: EXACT });
    expect(pairs).toEqual([undefined, orders[1], orders[2]]);
  });
});
