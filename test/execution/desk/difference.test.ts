import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveOrder, Side } from '../../../src/domain/index.ts';
import {
  difference,
  firstOverMs,
  isCancellable,
  isInDoubt,
  pairQuotes,
} from '../../../src/execution/desk/difference.ts';
import { Slot } from '../../../src/execution/desk/slot.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { amount, price } from '../exchange-model.ts';

interface OrderOptions {
  readonly side?: Side;
  readonly at: number;
  readonly size?: number;
  readonly filled?: number;
  readonly status?: LiveOrder['status'];
}

let ids = 0;

function createOrder({ side = 'buy', at, size = 1, filled = 0, status = 'open' }: OrderOptions) {
  const id = `order${++ids}`;
  return {
    ...{ market: 'btc_usdt', side, type: 'postOnly', price: price(at), amount: amount(size) },
    ...{ clientOrderId: id, strategy: 'maker', tag: 'quotes/bid/0', createdTime: 0 },
    ...{ filledAmount: amount(filled), filledValue: Decimal.ZERO, changedTime: 0 },
    ...{ evidence: 'answer', status, reason: '', unknownSince: 0 },
    ...(status === 'pending' || status === 'unknown' ? {} : { exchangeOrderId: `x${id}` }),
  } as LiveOrder;
}

const quote = (at: number, size = 1) => ({ price: price(at), amount: amount(size) });
const EXACT = { price: 0, amount: 0 };

function createSlot(options: { side?: Side; at: number; size?: number; order?: LiveOrder }): Slot {
  const { side = 'buy', at, size, order } = options;
  const slot = new Slot({ side, type: 'postOnly', ...quote(at, size), tag: 'quotes/bid/0' });
  slot.clientOrderId = order?.clientOrderId;
  return slot;
}

describe('pairQuotes', () => {
  it('keeps an order of the same price and open amount', () => {
    const orders = [createOrder({ at: 100, size: 3, filled: 2 }), createOrder({ at: 99 })];
    expect(pairQuotes([quote(99), quote(100)], { orders, tolerances: EXACT })).toEqual([
      orders[1],
      orders[0],
    ]);
  });

  it('does not keep an order of another amount, whole and open, but within the tolerance', () => {
    const orders = [createOrder({ at: 100, size: 2, filled: 0.5 })];
    expect(pairQuotes([quote(100)], { orders, tolerances: EXACT })).toEqual([undefined]);
    const tolerances = { price: 0, amount: 0.5 };
    expect(pairQuotes([quote(100)], { orders, tolerances })).toEqual(orders);
  });

  it('keeps an order that filled in part where its whole amount is wished again', () => {
    const orders = [createOrder({ at: 100, filled: 0.5 })];
    expect(pairQuotes([quote(100)], { orders, tolerances: EXACT })).toEqual(orders);
    expect(pairQuotes([quote(99)], { orders, tolerances: EXACT })).toEqual([undefined]);
  });

  it('prefers the order whose open amount is the one wished', () => {
    const orders = [createOrder({ at: 100, filled: 0.5 }), createOrder({ at: 100 })];
    expect(pairQuotes([quote(100)], { orders, tolerances: EXACT })).toEqual([orders[1]]);
    expect(pairQuotes([quote(100), quote(100)], { orders, tolerances: EXACT })).toEqual([
      orders[1],
      orders[0],
    ]);
  });

  it('keeps an order within the price tolerance, the nearest first', () => {
    const [near, far, beyond] = [100.1, 100.2, 100.4].map((at) => createOrder({ at }));
    const tolerances = { price: 0.003, amount: 0 };
    const keptOf = (...orders: readonly (LiveOrder | undefined)[]) =>
      pairQuotes([quote(100)], { orders: orders.map((order) => order!), tolerances });
    expect(keptOf(beyond, near)).toEqual([near]);
    expect(keptOf(near, far)).toEqual([near]);
    expect(keptOf(far, near)).toEqual([near]);
    expect(keptOf(beyond)).toEqual([undefined]);
  });

  it('gives an exact order to its quote even when another quote comes first', () => {
    const orders = [createOrder({ at: 100 })];
    const tolerances = { price: 0.1, amount: 0 };
    expect(pairQuotes([quote(101), quote(100)], { orders, tolerances })).toEqual([
      undefined,
      orders[0],
    ]);
  });

  it('counts pending and unknown orders, not those on their way out', () => {
    const orders = [
      createOrder({ at: 100, status: 'cancelling' }),
      createOrder({ at: 99, status: 'unknown' }),
      createOrder({ at: 98, status: 'pending' }),
    ];
    const pairs = pairQuotes([quote(100), quote(99), quote(98)], { orders, tolerances: EXACT });
    expect(pairs).toEqual([undefined, orders[1], orders[2]]);
  });
});

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
