import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveOrder, Side } from '../../../src/domain/index.ts';
import { difference, NOTHING } from '../../../src/execution/desk/difference.ts';
import { Slot } from '../../../src/execution/desk/slot.ts';
import { amount } from '../exchange-model.ts';
import { createOrder, quote } from './orders.ts';

function createSlot(options: { side?: Side; at: number; size?: number; order?: LiveOrder }): Slot {
  const { side = 'buy', at, size, order } = options;
  const slot = new Slot({ side, type: 'postOnly', ...quote(at, size), tag: 'quotes/bid/0' });
  slot.clientOrderId = order?.clientOrderId;
  return slot;
}

describe('difference', () => {
  it('cancels what no slot holds and places what is empty', () => {
    const kept = createOrder({ at: 100 });
    const gone = createOrder({ side: 'sell', at: 110 });
    const empty = createSlot({ at: 99 });
    const { cancels, places } = difference(
      [createSlot({ at: 100, order: kept }), empty],
      [kept, gone],
    );
    expect(cancels).toEqual([gone]);
    expect(places).toEqual([empty]);
  });

  it('cancels what no slot holds though none is empty', () => {
    const [kept, gone] = [createOrder({ at: 100 }), createOrder({ at: 99 })];
    const slots = [createSlot({ at: 100, order: kept })];
    expect(difference(slots, [kept, gone])).toEqual({ cancels: [gone], places: [] });
    expect(difference([], [gone])).toEqual({ cancels: [gone], places: [] });
    expect(difference(slots, [kept])).toBe(NOTHING);
  });
});

describe('difference, beside orders on their way out', () => {
  it('places no more while an order of the side is on its way out', () => {
    const leaving = createOrder({ at: 101, status: 'cancelling' });
    const slots = [createSlot({ at: 100 }), createSlot({ at: 99 })];
    expect(difference(slots, [leaving]).places).toEqual([slots[0]]);
  });

  it('places no more than such orders leave of what is wanted', () => {
    const leaving = createOrder({ at: 101, size: 2, status: 'cancelling' });
    const slots = [100, 99, 98].map((at) => createSlot({ at }));
    expect(difference(slots, [leaving]).places).toEqual(slots.slice(0, 1));
    expect(difference(slots.slice(0, 2), [leaving]).places).toEqual([]);
    const rest = { ...leaving, filledAmount: amount(1.2) };
    expect(difference(slots, [rest]).places).toEqual(slots.slice(0, 2));
  });

  it('places no more orders than such ones leave, however little of them is open', () => {
    const leaving = [1, 2].map(() => createOrder({ at: 101, size: 0.05, status: 'cancelling' }));
    const slots = [1, 1, 0.1].map((size) => createSlot({ at: 100, size }));
    expect(difference(slots, leaving).places).toEqual(slots.slice(0, 1));
    expect(difference(slots, leaving.slice(1)).places).toEqual(slots.slice(0, 2));
    expect(difference(slots.slice(0, 2), leaving).places).toEqual([]);
  });

  it('counts each side for itself', () => {
    const leaving = createOrder({ at: 90, status: 'cancelling' });
    const slots = [createSlot({ at: 89 }), createSlot({ side: 'sell', at: 110 })];
    expect(difference(slots, [leaving]).places).toEqual([slots[1]]);
  });

  it.each<[Side, Side, readonly number[]]>([
    ['buy', 'sell', [101, 100, 99]],
    ['sell', 'buy', [99, 100, 101]],
  ])('waits with a %s that would trade with a %s of ours on its way out', (side, other, prices) => {
    const [away, met] = [2 * prices[0]! - prices[2]!, 100].map((at) =>
      createOrder({ side: other, at, status: 'cancelling' }),
    );
    const slots = prices.map((at) => createSlot({ side, at }));
    expect(difference(slots, [away!, met!]).places).toEqual([slots[2]]);
    expect(difference(slots, [{ ...met!, side }]).places).toEqual(slots.slice(0, 2));
  });

  it('cannot cancel what has no id at the exchange: it takes up its room', () => {
    const orders = [createOrder({ at: 100, status: 'pending' })];
    expect(difference([createSlot({ at: 99 })], orders)).toEqual({ cancels: [], places: [] });
  });

  it('never makes more orders of a side than slots, whatever lives', () => {
    const status = fc.constantFrom<LiveOrder['status']>('open', 'pending', 'cancelling', 'unknown');
    const order = fc.record({ at: fc.integer({ min: 95, max: 105 }), status, held: fc.boolean() });
    const prices = fc.array(fc.integer({ min: 95, max: 105 }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(order, { maxLength: 6 }), prices, (drafts, wanted) => {
        const orders = drafts.map((draft) => createOrder(draft));
        const held = orders.filter((_, index) => drafts[index]!.held).slice(0, wanted.length);
        const slots = wanted.map((at, index) => {
          const holder = held[index];
          return createSlot(holder === undefined ? { at } : { at, order: holder });
        });
        const { cancels, places } = difference(slots, orders);
        expect(places.every((slot) => slot.isEmpty)).toBe(true);
        expect(cancels.filter((cancelled) => held.includes(cancelled))).toEqual([]);
        if (places.length > 0) {
          expect(places.length + orders.length).toBeLessThanOrEqual(slots.length);
        }
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
