import { describe, expect, it } from 'vitest';
import type { Amount, OrderState, OrderType } from '../../../src/domain/index.ts';
import { Slot } from '../../../src/execution/desk/slot.ts';
import { executionConfigSchema } from '../../../src/execution/index.ts';
import { makeOpen } from '../../domain/fixture.ts';
import { amount, price } from '../exchange-model.ts';
import { MARKET } from '../fixture.ts';

const TERMS = { side: 'buy', type: 'limit', price: price(100), amount: amount(1) } as const;

/** A slot of 1, whose orders end at time 0, each made `restedMs` before. */
function slotFixture({ type = 'limit' }: { readonly type?: OrderType } = {}) {
  const slot = new Slot({ ...TERMS, type, tag: 'quotes/bid/0' });
  const config = executionConfigSchema.parse({ retriesMax: 2 });
  const end = (
    overrides: object = {},
    { restedMs = 0, retryFree = false, isSentAway = false } = {},
  ): Slot => {
    slot.take('id');
    if (isSentAway) slot.sendAway();
    const order = { ...makeOpen({ createdTime: -restedMs }), status: 'cancelled', ...overrides };
    slot.settle(order as OrderState, { nowMs: 0, market: MARKET, config, retryFree });
    return slot;
  };
  return { slot, config, end };
}

const cancelledAt = (filled: number): Slot => slotFixture().end({ filledAmount: filled as Amount });

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

  it('wants nothing more of what has filled, or was forgotten', () => {
    expect(slotFixture().end({ status: 'filled' }).done).toBe(true);
    const { slot, config } = slotFixture();
    slot.take('id');
    slot.settle(undefined, { nowMs: 0, market: MARKET, config, retryFree: false });
    expect(slot.done).toBe(true);
  });

  it.each<[string, OrderType, object, number, number]>([
    ['in vain', 'limit', {}, 2, 1_000],
    ['sent back', 'postOnly', {}, 2, 500],
    ['sent away', 'postOnly', { isSentAway: true }, 9, 1_000],
    ['for no fault of their own', 'limit', { retryFree: true }, 9, 1_000],
    ['after they rested', 'limit', { restedMs: 10_001 }, 9, 1_000],
    ['after they hardly rested', 'limit', { restedMs: 10_000 }, 2, 1_000],
  ])('is tried again as often as it may: %s', (_what, type, how, times, pauseMs) => {
    const { slot, end } = slotFixture({ type });
    for (let i = 0; i < times; i++) {
      expect(end({}, how)).toMatchObject({ done: false, notBeforeMs: pauseMs });
    }
    end({}, how);
    expect(slot.done).toBe(times < 9);
  });

  it('counts no order that left after one that was sent away as sent away', () => {
    const { end } = slotFixture({ type: 'postOnly' });
    end({}, { isSentAway: true });
    expect(end().notBeforeMs).toBe(500);
  });
});

describe('Slot.isWishOf', () => {
  const slot = new Slot({ ...TERMS, tag: 'mine' });
  slot.amount = amount(0.4);
  const others = [
    { side: 'sell' },
    { type: 'postOnly' },
    { price: price(101) },
    { amount: amount(0.4) },
  ] as const;

  it('goes by what it was wished for, isFor by all but the amount', () => {
    const terms = { ...TERMS, tag: 'mine' };
    expect(slot.isWishOf(terms)).toBe(true);
    expect(others.map((other) => slot.isWishOf({ ...terms, ...other }))).toEqual([
      ...[false, false, false, false],
    ]);
    expect(others.map((other) => slot.isFor({ ...terms, ...other }))).toEqual([
      ...[false, false, false, true],
    ]);
  });

  it('goes by no order that is on its way out: isMetBy', () => {
    const order = makeOpen({ amount: amount(0.4) });
    expect(slot.isMetBy(order)).toBe(true);
    expect(slot.isMetBy({ ...order, status: 'cancelling' })).toBe(false);
    for (const other of others.slice(0, 3))
      expect(slot.isMetBy({ ...order, ...other })).toBe(false);
    expect(slot.isMetBy(makeOpen())).toBe(false);
  });
});

describe('Slot.endPause', () => {
  it('ends what has paused since before now, where no order is there', () => {
    const { slot } = slotFixture();
    expect(slot.endPause(5)).toBe(false);
    slot.pause(5, 10);
    expect([slot.endPause(5), slot.notBeforeMs]).toEqual([false, 15]);
    expect([slot.endPause(15), slot.notBeforeMs]).toEqual([false, 15]);
    expect([slot.endPause(6), slot.notBeforeMs]).toEqual([true, 6]);
    slot.pause(5, 10);
    slot.take('id');
    expect(slot.endPause(6)).toBe(false);
  });
});

describe('Slot.take', () => {
  it('has it wait for nothing any more, and be refused as if for the first time', () => {
    const { slot } = slotFixture();
    for (let i = 0; i < 3; i++) slot.refuse(0, 1_000);
    slot.waitingSinceMs = 3;
    slot.take('id');
    expect(slot.waitingSinceMs).toBeUndefined();
    expect(slot.reconsider(1)).toBe(false);
    slot.refuse(0, 1_000);
    expect(slot.notBeforeMs).toBe(1_000);
  });
});

describe('Slot.reconsider', () => {
  it('has it tried sooner, never later, and refused as if for the first time', () => {
    const { slot } = slotFixture();
    for (let i = 0; i < 3; i++) slot.refuse(0, 1_000);
    expect([slot.reconsider(4_000), slot.notBeforeMs]).toEqual([false, 4_000]);
    expect([slot.reconsider(100), slot.notBeforeMs]).toEqual([true, 100]);
    slot.refuse(200, 1_000);
    expect(slot.notBeforeMs).toBe(1_200);
  });
});
