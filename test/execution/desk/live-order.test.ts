import { describe, expect, it } from 'vitest';
import type { LiveOrder } from '../../../src/domain/index.ts';
import { firstOverMs, isCancellable, isInDoubt } from '../../../src/execution/desk/live-order.ts';
import { createOrder } from './orders.ts';

describe('firstOverMs', () => {
  it('is two read lags after the oldest that takes at once left; what may rest has no end', () => {
    const at = (type: LiveOrder['type'], createdTime: number): LiveOrder => ({
      ...createOrder({ at: 100 }),
      ...{ type, createdTime },
    });
    const orders = [at('limit', 1), at('ioc', 30), at('ioc', 20), at('postOnly', 1)];
    expect(firstOverMs(orders, { readLagMs: 100 })).toBe(220);
    expect(firstOverMs([at('limit', 1)], { readLagMs: 100 })).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('isCancellable', () => {
  it('is what rests or is unknown, where the exchange has told its id', () => {
    expect(isCancellable(createOrder({ at: 100 }))).toBe(true);
    const unknown = createOrder({ at: 100, status: 'unknown' });
    expect(isCancellable(unknown)).toBe(false);
    const named = { ...unknown, exchangeOrderId: 'x1' } as LiveOrder;
    expect(isCancellable(named)).toBe(true);
    expect(isCancellable({ ...named, evidence: 'person' })).toBe(false);
    for (const status of ['pending', 'cancelling'] as const) {
      expect(isCancellable(createOrder({ at: 100, status }))).toBe(false);
    }
  });
});

describe('isInDoubt', () => {
  it('is an order of which nobody knows, as long as no cancel can name it', () => {
    const unknown = createOrder({ at: 100, status: 'unknown' });
    expect(isInDoubt(unknown)).toBe(true);
    const named = { ...unknown, exchangeOrderId: 'x1' } as LiveOrder;
    expect(isInDoubt(named)).toBe(false);
    expect(isInDoubt({ ...named, evidence: 'person' })).toBe(true);
    for (const status of ['pending', 'open', 'cancelling'] as const) {
      expect(isInDoubt(createOrder({ at: 100, status }))).toBe(false);
    }
  });
});
