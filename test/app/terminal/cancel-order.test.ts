import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { cancelOrder } from '../../../src/app/terminal/cancel-order.ts';
import { fakeVenue, orderRecord, START_MS } from './fixture.ts';

const REFERENCE = { market: 'btc_usdt', exchangeOrderId: '202401310000000001' };

describe('cancelOrder', () => {
  it('has the order gone at the first look', async () => {
    const venue = fakeVenue({ orders: [orderRecord()] });
    expect(await cancelOrder(venue, REFERENCE)).toMatchObject({
      ...{ verified: true, order: { closed: true } },
    });
    expect(venue.sent.map(({ call }) => call)).toEqual(['cancel', 'order']);
  });

  it('looks until reads have had time to tell, and no longer', async () => {
    const venue = fakeVenue({ orders: [orderRecord()] });
    venue.calls.order = Array.from({ length: 9 }, () => of(orderRecord()));
    const report = await cancelOrder(venue, REFERENCE);
    expect(report).toMatchObject({ verified: false, order: { closed: false } });
    expect(venue.sent.map(({ call }) => call)).toEqual(['cancel', 'order', 'order', 'order']);
    expect(venue.clock.now() - START_MS).toBe(2_025);
  });

  it('cancels once, whatever becomes of the answer', async () => {
    const venue = fakeVenue({ orders: [orderRecord()] });
    venue.fail('cancel', 'unknown');
    await expect(cancelOrder(venue, REFERENCE)).rejects.toMatchObject({ reason: 'unknown' });
    expect(venue.sent.filter(({ call }) => call === 'cancel')).toHaveLength(1);
  });
});
