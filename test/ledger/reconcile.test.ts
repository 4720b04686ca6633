import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Amount, LiveOrder, OrderRecord, Price } from '../../src/domain/index.ts';
import { compareOpenOrders } from '../../src/ledger/index.ts';
import { makePending, makeRecord } from '../domain/fixture.ts';

function open(exchangeOrderId: string, overrides: Partial<LiveOrder> = {}): LiveOrder {
  const clientOrderId = `tw${exchangeOrderId.padStart(4, '0')}`;
  return { ...makePending({ clientOrderId }), ...overrides, status: 'open', exchangeOrderId };
}

function idsOf(records: readonly OrderRecord[]): string[] {
  return records.map((record) => record.exchangeOrderId);
}

describe('compareOpenOrders', () => {
  it('names what is missing, foreign and without an id', () => {
    const theirs = [makeRecord(), makeRecord({ exchangeOrderId: '3' })];
    const ours = [open('1'), open('2'), makePending()];
    const comparison = compareOpenOrders({ ours, theirs });
    expect(comparison.missing).toEqual([ours[1]]);
    expect(comparison.unidentified).toEqual([ours[2]]);
    expect(idsOf(comparison.foreign)).toEqual(['3']);
  });

  it('calls neither closed records nor our own past orders foreign', () => {
    const theirs = [
      makeRecord({ exchangeOrderId: '4', closed: true }),
      makeRecord({ exchangeOrderId: '5' }),
    ];
    const { foreign } = compareOpenOrders({ ours: [], theirs, isKnown: (id) => id === '5' });
    expect(foreign).toEqual([]);
  });

  it('offers candidates of the same terms, open or closed, nearest in time first', () => {
    const order = makePending({ createdTime: 100_000 });
    const theirs = [
      makeRecord({ exchangeOrderId: '1', exchangeTime: 100_900 }),
      makeRecord({ exchangeOrderId: '2', exchangeTime: 100_100, closed: true }),
      makeRecord({ exchangeOrderId: '3', exchangeTime: 39_999 }),
      makeRecord({ exchangeOrderId: '4', exchangeTime: 100_000, side: 'sell' }),
      makeRecord({ exchangeOrderId: '5', exchangeTime: 100_000, price: 101 as Price }),
      makeRecord({ exchangeOrderId: '6', exchangeTime: 100_000, amount: 2 as Amount }),
    ];
    const comparison = compareOpenOrders({ ours: [order], theirs });
    expect(idsOf(comparison.candidatesFor(order))).toEqual(['2', '1', '3']);
  });

  it('knows an order by its terms though its record sums them up in doubles', () => {
    const order = makePending({ price: 0.3 as Price });
    const theirs = [makeRecord({ price: (0.1 + 0.2) as Price, exchangeTime: 1 })];
    const { candidatesFor } = compareOpenOrders({ ours: [order], theirs });
    expect(idsOf(candidatesFor(order))).toEqual(['1']);
  });

  it('puts every order and every open record into exactly one place', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
    fc.assert(
      fc.property(ids, ids, fc.nat(3), (our, their, pending) => {
        const ours = [
          ...our.map((id) => open(`${id}`)),
          ...Array.from({ length: pending }, (_, i) => makePending({ clientOrderId: `tp0${i}` })),
        ];
        const theirs = their.map((id) => makeRecord({ exchangeOrderId: `${id}` }));
        const result = compareOpenOrders({ ours, theirs });
        const read = ours.filter((order) => their.includes(Number(order.exchangeOrderId)));
        const placed = [...read, ...result.missing, ...result.unidentified];
        expect(new Set(placed)).toEqual(new Set(ours));
        expect(placed).toHaveLength(ours.length);
        expect(read.length + result.foreign.length).toBe(theirs.length);
      }),
      { seed: 7 },
    );
  });
});
