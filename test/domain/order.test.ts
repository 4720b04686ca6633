import { describe, expect, it } from 'vitest';
import { exchangeOrderIdOf, isFinal, type OrderState } from '../../src/domain/index.ts';
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

describe('exchangeOrderIdOf', () => {
  it('is the id where the state has one', () => {
    expect(liveOrders().map(exchangeOrderIdOf)).toEqual([undefined, '1', '1', undefined, '1']);
    expect(finals.map(exchangeOrderIdOf)).toEqual(['1', '1', undefined]);
  });
});
