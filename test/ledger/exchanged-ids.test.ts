import { describe, expect, it } from 'vitest';
import { type LiveOrder, newsOf, type OrderRecord } from '../../src/domain/index.ts';
import { bearerOf } from '../../src/ledger/exchanged-ids.ts';
import { makeOpen } from '../domain/fixture.ts';
import { makeRecord } from './fixture.ts';

describe('bearerOf', () => {
  const order = (id: string, terms: Partial<LiveOrder>) =>
    makeOpen({ clientOrderId: `tw${id}`, exchangeOrderId: id, ...terms } as never);
  const first = order('1', { tag: 'quotes/bid/0/batch/7', price: 100 as never });
  const told = (terms: Partial<OrderRecord>) =>
    newsOf(makeRecord({ exchangeOrderId: '1', price: 99 as never, ...terms }), {
      ...{ time: 0, evidence: 'push' },
    });

  it('is the order of the batch that has the terms which are told of the id of another', () => {
    const second = order('2', { tag: 'quotes/bid/1/batch/7', price: 99 as never });
    const live = [first, second];
    expect(bearerOf(told({}), { order: first, live })).toBe(second);
    expect(bearerOf(told({ price: 100 as never }), { order: first, live })).toBeUndefined();
    expect(bearerOf(told({ exchangeOrderId: '2' }), { order: first, live })).toBeUndefined();
  });

  it.each([
    ['of another batch', { tag: 'quotes/bid/1/batch/8' }],
    ['that left alone', { tag: 'quotes/bid/1' }],
    ['of another strategy', { strategy: 'other' }],
    ['without an id', { exchangeOrderId: undefined }],
  ])('is none %s', (_, terms) => {
    const second = order('2', { tag: 'quotes/bid/1/batch/7', price: 99, ...terms } as never);
    expect(bearerOf(told({}), { order: first, live: [first, second] })).toBeUndefined();
  });
});
