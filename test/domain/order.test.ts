import { describe, expect, it } from 'vitest';
import {
  type Amount,
  isClientOrderId,
  isFinal,
  isSameOrder,
  type LiveOrder,
  mayBeFilling,
  type OrderState,
  type Price,
} from '../../src/domain/index.ts';
import { liveOrders, makeOpen, makePending } from './fixture.ts';

const finals: readonly OrderState[] = [
  { ...makeOpen(), status: 'filled' },
  { ...makeOpen(), status: 'cancelled' },
  { ...makePending(), status: 'rejected', reason: 'no' },
];

describe('isFinal', () => {
  it('holds for the three ends and for no live state', () => {
    expect(finals.map(isFinal)).toEqual([true, true, true]);
    expect(liveOrders().map(isFinal)).toEqual([false, false, false, false, false]);
  });
});

describe('mayBeFilling', () => {
  it.each([
    ['limit', 'pending', true],
    ['limit', 'open', false],
    ['limit', 'cancelling', false],
    ['limit', 'unknown', true],
    ['postOnly', 'unknown', true],
    ['ioc', 'open', true],
  ])('%s, %s: %s', (type, status, expected) => {
    expect(mayBeFilling({ type, status } as unknown as LiveOrder)).toBe(expected);
  });
});

describe('isClientOrderId', () => {
  it('takes 4 to 36 letters or digits', () => {
    expect(['abcd', 'A'.repeat(36), '1234'].every(isClientOrderId)).toBe(true);
    expect(['', 'abc', 'äbcd', 'abc d'].some(isClientOrderId)).toBe(false);
  });
});

describe('isSameOrder', () => {
  const order = makePending({ price: 0.3 as Price, amount: 0.3 as Amount });

  it('compares market, side, price and amount, those two but for what doubles lose', () => {
    const told = (0.1 + 0.2) as Price & Amount;
    expect(isSameOrder(order, { ...order, type: 'ioc', price: told, amount: told })).toBe(true);
  });

  it.each([
    { market: 'eth_usdt' },
    { side: 'sell' as const },
    { price: 0.31 as Price },
    { amount: 0.2999 as Amount },
  ])('is false where one of them differs (%o)', (other) => {
    expect(isSameOrder(order, { ...order, ...other })).toBe(false);
  });
});
