import { describe, expect, it } from 'vitest';
import type { LiveOrder } from '../../../src/domain/index.ts';
import { isCancellable, isInDoubt, nextOverMs } from '../../../src/execution/desk/live-order.ts';
import { createOrder } from './orders.ts';

describe('nextOverMs', () => {
  it('is two read lags after the next that takes at once left; what may rest has no end', () => {
    const at = (type: LiveOrder['type'], createdTime: number): LiveOrder => ({
      ...createOrder({ at: 100 }),
      ...{ type, createdTime },
    });
    const orders = [at('limit', 1), at('ioc', 30), at('ioc', 20), at('postOnly', 1)];
    const overMsFrom = (sinceMs: number) => nextOverMs(orders, { sinceMs, readLagMs: 100 });
    expect(overMsFrom(0)).toBe(220);
    // The older one lives on.
    expect([overMsFrom(220), overMsFrom(230)]).toEqual([230, Number.POSITIVE_INFINITY]);
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
