import { describe, expect, it } from 'vitest';
import type { Amount, OrderNews, OrderRecord, Price } from '../../src/domain/index.ts';
import { makePending, makeRecord, ofKind } from '../domain/fixture.ts';
import { makeLedgers } from './fixture.ts';

const half = 0.5 as Amount;
const lost: OrderNews = { kind: 'lost', reason: 'timed out', time: 1, evidence: 'request' };
const absent: OrderNews = { kind: 'rejected', reason: 'absent', time: 2, evidence: 'query' };

function accepted(): OrderNews {
  return { kind: 'accepted', exchangeOrderId: '1', time: 1, evidence: 'answer' };
}

/** Ledgers with orders that were lost and then not found. */
function absentOrder(...ids: string[]) {
  const ledgers = makeLedgers();
  const { orders } = ledgers;
  ids.forEach((clientOrderId, index) => {
    orders.create(makePending({ clientOrderId, createdTime: index * 1_000 }));
    orders.apply(clientOrderId, lost);
    orders.apply(clientOrderId, absent);
  });
  return ledgers;
}
const later = (fields: Partial<OrderRecord> = {}) =>
  makeRecord({ exchangeTime: 40_000, ...fields });

describe('OrderLedger, an order that was taken to be absent', () => {
  it('lives again by a push with its terms, and is foreign no more', () => {
    const { orders } = absentOrder('tw0001');
    expect(orders.liveCount).toBe(0);
    expect(orders.record(later(), 'push')).toMatchObject({ status: 'open', exchangeOrderId: '1' });
    expect(orders.live('btc_usdt')).toHaveLength(1);
    expect(orders.foreign.of('btc_usdt')).toEqual([]);
    expect(orders.byExchangeOrderId('1')?.clientOrderId).toBe('tw0001');
    orders.record(later({ closed: true }), 'push');
    expect(orders.liveCount).toBe(0);
    expect(orders.get('tw0001')?.status).toBe('cancelled');
  });

  it('lives again where the clock of the exchange is seconds behind', () => {
    const { orders } = absentOrder('tw0001');
    const behind = later({ exchangeTime: -4_000 });
    expect(orders.record(behind, 'push')?.clientOrderId).toBe('tw0001');
  });

  it('is waited for on, whatever of its terms ended unfilled', () => {
    const { orders } = absentOrder('tw0001');
    const another = later({ exchangeOrderId: '7', closed: true });
    expect(orders.record(another, 'query')).toBeUndefined();
    expect(orders.get('tw0001')?.status).toBe('rejected');
    expect(orders.record(later(), 'query')).toMatchObject({ status: 'open', exchangeOrderId: '1' });
  });

  it('is asked about again at a late answer whose id is of another order', () => {
    const { orders } = absentOrder('tw0001');
    orders.record(later({ price: 101 as Price }), 'push');
    expect(orders.foreign.of('btc_usdt')).toHaveLength(1);
    const asked = orders.apply('tw0001', accepted());
    expect(asked).toMatchObject({ status: 'unknown', exchangeOrderId: undefined });
    expect(orders.foreign.aside('btc_usdt', '1')?.price).toBe(101);
  });

  it('publishes the fills that it had', () => {
    const { orders, events } = absentOrder('tw0001');
    orders.record(later({ closed: true, filledAmount: half }), 'query');
    expect(ofKind(events, 'fill').map(({ fill }) => fill.amount)).toEqual([0.5]);
    expect(orders.get('tw0001')).toMatchObject({ status: 'cancelled', filledAmount: 0.5 });
  });

  it('is the newest of several, and each record is of one order', () => {
    const { orders } = absentOrder('tw0001', 'tw0002');
    expect(orders.record(later(), 'push')?.clientOrderId).toBe('tw0002');
    const second = later({ exchangeOrderId: '2' });
    expect(orders.record(second, 'push')?.clientOrderId).toBe('tw0001');
    expect(orders.record(later({ exchangeOrderId: '3' }), 'push')).toBeUndefined();
    expect(orders.foreign.of('btc_usdt')).toHaveLength(1);
  });
});

describe('OrderLedger, whom a record of an absent order belongs to', () => {
  it.each([
    ['another price', { price: 101 as Price }],
    ['another side', { side: 'sell' as const }],
    ['another amount', { amount: half }],
    ['a time before it', { exchangeTime: -6_000 }],
    ['a time long after it', { exchangeTime: 601_000 }],
  ])('is not one of %s', (_name, fields) => {
    const { orders } = absentOrder('tw0001');
    expect(orders.record(later(fields), 'push')).toBeUndefined();
    expect(orders.foreign.of('btc_usdt')).toHaveLength(1);
    expect(orders.get('tw0001')?.status).toBe('rejected');
  });

  it('is none of one that somebody placed four minutes before, and that filled since', () => {
    const { orders, events } = absentOrder('tw0001');
    const placed = later({ exchangeTime: -240_000 });
    const filled = { ...placed, closed: true, filledAmount: placed.amount };
    expect(orders.record(placed, 'push')).toBeUndefined();
    expect(orders.foreign.of('btc_usdt')).toEqual([placed]);
    expect(orders.record(filled, 'push')).toBeUndefined();
    expect(ofKind(events, 'fill')).toEqual([]);
  });

  it('is none of an order that was forgotten since', () => {
    const { orders } = makeLedgers({ finalOrdersMax: 1 });
    orders.create(makePending());
    orders.apply('tw0001', accepted());
    orders.record(makeRecord({ closed: true }), 'push');
    orders.create(makePending({ clientOrderId: 'tw0002', createdTime: 1_000 }));
    orders.apply('tw0002', lost);
    orders.apply('tw0002', absent);
    expect(orders.get('tw0001')).toBeUndefined();
    expect(orders.record(later(), 'query')).toBeUndefined();
    expect(orders.get('tw0002')?.status).toBe('rejected');
  });

  it('is none of an absent order that was forgotten itself', () => {
    const { orders } = makeLedgers({ finalOrdersMax: 1 });
    for (const clientOrderId of ['tw0001', 'tw0002']) {
      orders.create(
        makePending({ clientOrderId, price: (clientOrderId === 'tw0001' ? 100 : 99) as Price }),
      );
      orders.apply(clientOrderId, lost);
      orders.apply(clientOrderId, absent);
    }
    expect(orders.get('tw0001')).toBeUndefined();
    expect(orders.record(later(), 'push')).toBeUndefined();
    expect(orders.foreign.of('btc_usdt')).toHaveLength(1);
  });

  it('is none of an earlier run that is booked already', () => {
    const { orders } = absentOrder('tw0001');
    orders.restorePast(['1']);
    expect(orders.reclaim(later({ closed: true, filledAmount: half }), 'query')).toBeUndefined();
    expect(orders.get('tw0001')?.status).toBe('rejected');
  });
});

describe('OrderLedger, an absent order beside others', () => {
  it('takes up the record that was kept aside meanwhile', () => {
    const { orders } = makeLedgers();
    orders.create(makePending());
    orders.apply('tw0001', lost);
    orders.record(later(), 'push');
    orders.apply('tw0001', absent);
    expect(orders.get('tw0001')?.status).toBe('open');
    expect(orders.foreign.of('btc_usdt')).toEqual([]);
  });

  it('is heard of a reading, whatever else has no id yet', () => {
    const { orders } = absentOrder('tw0001');
    orders.create(makePending({ clientOrderId: 'tw0002', price: 99 as Price }));
    expect(orders.reclaim(later(), 'query')).toMatchObject({ clientOrderId: 'tw0001' });
  });

  it('leaves a record to a live order of the same terms that has no id yet', () => {
    const { orders } = absentOrder('tw0001');
    orders.create(makePending({ clientOrderId: 'tw0002' }));
    expect(orders.reclaim(later(), 'query')).toBeUndefined();
    expect(orders.record(later(), 'push')).toBeUndefined();
    orders.apply('tw0002', accepted());
    expect(orders.get('tw0001')?.status).toBe('rejected');
    expect(orders.foreign.of('btc_usdt')).toEqual([]);
  });
});

describe('OrderLedger, orders that were forgotten', () => {
  it('are known by their ids, as many as it is told to', () => {
    const { orders } = makeLedgers({ finalOrdersMax: 1, forgottenIdsMax: 2 });
    for (const id of ['1', '2', '3', '4']) {
      orders.create(makePending({ clientOrderId: `tw000${id}` }));
      orders.apply(`tw000${id}`, { ...accepted(), exchangeOrderId: id } as OrderNews);
      orders.record(makeRecord({ exchangeOrderId: id, closed: true }), 'push');
    }
    const known = ['1', '2', '3', '4'].map((id) => orders.isForgotten(id));
    expect(known).toEqual([false, true, true, false]);
  });
});
