import { describe, expect, it } from 'vitest';
import { type LiveOrder, newsOf, type OrderRecord } from '../../src/domain/index.ts';
import { bearerOf, misnamed } from '../../src/ledger/exchanged-ids.ts';
import { makeOpen, makeRecord } from '../domain/fixture.ts';
import { keptLines } from '../kernel/fixture.ts';
import { makeLedgers } from './fixture.ts';

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

describe('misnamed', () => {
  const told = newsOf(makeRecord({ price: 99 as never }), { time: 7, evidence: 'push' });
  const order = (fields: object = {}) => makeOpen({ exchangeOrderId: '1', ...fields } as never);

  it('is the order without the id of which other terms are told, unknown since then', () => {
    expect(misnamed(order(), told)).toMatchObject({
      ...{ status: 'unknown', unknownSince: 7, exchangeOrderId: undefined },
    });
  });

  it.each([
    ['of the terms that are told', { price: 99 }],
    ['with another id', { exchangeOrderId: '2' }],
    ['of a batch, which no id of ours finds', { tag: 'quotes/bid/0/batch/7' }],
    ['whose id a person told', { evidence: 'person' }],
    ['that has traded by its id', { filledAmount: 0.5 }],
  ])('is none %s', (_, fields) => {
    expect(misnamed(order(fields), told)).toBeUndefined();
  });

  it('is none by the answer to a cancel: a record of the id is to tell it', () => {
    expect(misnamed(order(), { ...told, evidence: 'answer' })).toBeUndefined();
  });
});

describe('OrderLedger, ids of a batch in another order,', () => {
  it('warns of them once a minute: each batch may be answered like that', () => {
    const { lines: warnings, logger } = keptLines();
    const { clock, orders } = makeLedgers({ logger });
    const exchangeBatch = (batch: number) => {
      const ids = [`${batch}1`, `${batch}2`];
      for (const [index, exchangeOrderId] of ids.entries()) {
        const tag = `quotes/bid/${index}/batch/${batch}`;
        const terms = { price: (100 - index) as never, tag };
        orders.restore(
          makeOpen({ ...terms, clientOrderId: `tw${exchangeOrderId}`, exchangeOrderId }),
        );
      }
      orders.record(makeRecord({ exchangeOrderId: `${batch}1`, price: 99 as never }), 'push');
      expect(orders.byExchangeOrderId(`${batch}1`)?.clientOrderId).toBe(`tw${batch}2`);
    };
    for (const batch of [1, 2, 3]) exchangeBatch(batch);
    expect(warnings).toHaveLength(1);
    clock.advanceBy(60_000);
    exchangeBatch(4);
    expect(warnings).toHaveLength(2);
  });
});
