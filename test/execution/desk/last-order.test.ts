import { describe, expect, it } from 'vitest';
import type { Booking, OrderState } from '../../../src/domain/index.ts';
import { executionConfigSchema } from '../../../src/execution/config.ts';
import { LastOrder } from '../../../src/execution/desk/last-order.ts';
import { Slot } from '../../../src/execution/desk/slot.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import type { OrderLedger } from '../../../src/ledger/index.ts';
import { amount, price } from '../exchange-model.ts';
import { MARKET } from '../fixture.ts';
import { createOrder } from './orders.ts';

const NOW_MS = 10_000;
const PAUSE_MS = 1_000;

interface LastOrderParts {
  /** Its present state. Default: forgotten. */
  readonly order?: OrderState;
  readonly partsFollow?: boolean;
}

function createLast({ order, partsFollow }: LastOrderParts = {}): LastOrder {
  const orders = { get: () => order } as unknown as OrderLedger;
  const config = executionConfigSchema.parse({ targetRetryMs: PAUSE_MS });
  const departure = { clientOrderId: 'last', position: 2 };
  return new LastOrder(departure, { orders, config, partsFollow });
}

function orderThat(status: 'filled' | 'open' | 'unknown'): OrderState {
  const order = createOrder({ at: 100, status: status === 'unknown' ? status : 'open' });
  return { ...order, status, changedTime: NOW_MS } as OrderState;
}

/** The earliest time at which the next order may leave. */
function nextMsBehind(last: LastOrder): number {
  const terms = { side: 'buy', type: 'ioc', price: price(100), amount: amount(1) } as const;
  const slot = new Slot({ ...terms, tag: 'target/' });
  last.holdBack(slot);
  return slot.notBeforeMs;
}

function bookingOf(clientOrderId: string, feeCurrency: string): Booking {
  return { clientOrderId, feeCurrency, fee: Decimal.of(0.1) } as Booking;
}

describe('LastOrder.holdBack', () => {
  it.each(['filled', 'unknown'] as const)('has the next pause once it is %s', (status) => {
    expect(nextMsBehind(createLast({ order: orderThat(status) }))).toBe(NOW_MS + PAUSE_MS);
  });

  it('has the next wait for its end while it lives', () => {
    expect(nextMsBehind(createLast({ order: orderThat('open') }))).toBe(Number.POSITIVE_INFINITY);
  });

  it('holds nothing back where parts follow each other, or its pause was ended', () => {
    const order = orderThat('filled');
    const never = Number.NEGATIVE_INFINITY;
    expect(nextMsBehind(createLast({ order, partsFollow: true }))).toBe(never);
    const last = createLast({ order });
    last.endPause(NOW_MS + 1);
    expect(nextMsBehind(last)).toBe(never);
  });
});

describe('LastOrder.endPause', () => {
  it('ends none behind an order that has ended at that moment', () => {
    const last = createLast({ order: orderThat('filled') });
    last.endPause(NOW_MS);
    expect(last.isPaced).toBe(true);
  });
});

describe('LastOrder.book', () => {
  it('sums up what was taken of it in the base currency', () => {
    const last = createLast();
    expect(last.book(bookingOf('last', MARKET.base), MARKET)).toBe(true);
    expect(last.book(bookingOf('last', MARKET.quote), MARKET)).toBe(true);
    expect(last.book(bookingOf('other', MARKET.base), MARKET)).toBe(false);
    expect(last.baseFee.toString()).toBe('0.1');
  });
});
