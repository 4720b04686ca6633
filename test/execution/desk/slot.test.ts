import { describe, expect, it } from 'vitest';
import type { Amount, OrderState } from '../../../src/domain/index.ts';
import { Slot } from '../../../src/execution/desk/slot.ts';
import { executionConfigSchema } from '../../../src/execution/index.ts';
import { makeOpen } from '../../domain/fixture.ts';
import { amount, price } from '../exchange-model.ts';
import { MARKET } from '../fixture.ts';

/** A slot of 1 whose order was cancelled when so much had filled. */
function cancelledAt(filled: number): Slot {
  const slot = new Slot({
    ...{ side: 'buy', type: 'limit', price: price(100), amount: amount(1), tag: 'quotes/bid/0' },
  });
  const order = { ...makeOpen({ filledAmount: filled as Amount }), status: 'cancelled' };
  const config = executionConfigSchema.parse({});
  slot.settle(order as OrderState, { nowMs: 0, market: MARKET, config, retryFree: false });
  return slot;
}

describe('Slot.refuse', () => {
  it('waits twice as long each time, up to a minute or what is set', () => {
    const terms = { side: 'buy', type: 'ioc', price: price(100), amount: amount(1) } as const;
    const pausesOf = (options?: { mostMs: number }) => {
      const slot = new Slot({ ...terms, tag: 'target/' });
      return Array.from({ length: 8 }, () => {
        slot.refuse(0, 1_000, options);
        return slot.notBeforeMs / 1_000;
      });
    };
    expect(pausesOf()).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(pausesOf({ mostMs: 3_000 })).toEqual([1, 2, 3, 3, 3, 3, 3, 3]);
    expect(pausesOf({ mostMs: 1 })).toEqual(Array.from({ length: 8 }, () => 1));
  });
});

describe('Slot.settle', () => {
  it('wants no more than is left, though a part of a step has filled', () => {
    expect(cancelledAt(0.3).amount).toBe(0.7);
    expect(cancelledAt(0.300_04).amount).toBe(0.6999);
    expect(cancelledAt(0.300_06).amount).toBe(0.6999);
    expect(cancelledAt(0.99995)).toMatchObject({ amount: 0, done: true });
  });
});
