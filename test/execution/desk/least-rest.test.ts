import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LiveOrder, SIDES, type Side } from '../../../src/domain/index.ts';
import { LeastRest } from '../../../src/execution/desk/least-rest.ts';
import { Slot } from '../../../src/execution/desk/slot.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { amount, price } from '../exchange-model.ts';
import { type Bench, createBench, quotes, target } from '../fixture.ts';

interface OrderSketch {
  readonly side: Side;
  readonly createdTime: number;
  readonly tag: string;
  readonly open: number;
  readonly filled: number;
}

interface SlotSketch {
  readonly side: Side;
  readonly wanted: number;
  readonly isTaken: boolean;
}

function orderOf({ side, createdTime, tag, open, filled }: OrderSketch, index: number): LiveOrder {
  const id = `order${index}`;
  return {
    ...{ market: 'btc_usdt', side, type: 'postOnly', price: price(100) },
    ...{ amount: amount(open + filled), filledAmount: amount(filled) },
    ...{ clientOrderId: id, exchangeOrderId: `x${id}`, strategy: 'maker', tag, createdTime },
    ...{ filledValue: Decimal.ZERO, changedTime: 0 },
    ...{ evidence: 'answer', status: 'open', reason: '' },
  } as LiveOrder;
}

function slotOf({ side, wanted, isTaken }: SlotSketch): Slot {
  const terms = { price: price(100), amount: amount(wanted) };
  const slot = new Slot({ side, type: 'postOnly', ...terms, tag: 'quotes/bid/0' });
  if (isTaken) slot.take('another');
  return slot;
}

const anySide = fc.constantFrom(...SIDES);
const anyAmount = fc.integer({ min: 1, max: 3 });
const anyOrder = fc.record({
  side: anySide,
  createdTime: fc.integer({ min: 5, max: 22 }),
  tag: fc.constantFrom(...new Array<string>(6).fill('quotes/bid/0'), 'target/', 'mine'),
  open: anyAmount,
  filled: fc.integer({ min: 0, max: 2 }),
});
const anySlot = fc.record({
  side: anySide,
  wanted: anyAmount,
  isTaken: fc.constantFrom(true, false, false),
});

/**
 * The orders that are held: each young one takes the smallest quote that is as large, or leaves.
 */
function heldOf(
  orders: readonly LiveOrder[],
  { slots, nowMs, leastMs }: { slots: readonly SlotSketch[]; nowMs: number; leastMs: number },
): readonly LiveOrder[] {
  const free = new Set(slots.filter(({ isTaken }) => !isTaken));
  const young = orders
    .filter(({ tag }) => tag.startsWith('quotes/'))
    .filter(({ createdTime }) => createdTime <= nowMs && nowMs - createdTime < leastMs)
    .toSorted((a, b) => b.createdTime - a.createdTime);
  return young.filter(({ side, amount: all, filledAmount }) => {
    const fitting = [...free].filter(
      (slot) => slot.side === side && slot.wanted >= all - filledAmount,
    );
    const [least] = fitting.toSorted((a, b) => a.wanted - b.wanted);
    return least !== undefined && free.delete(least);
  });
}

describe('LeastRest', () => {
  it('holds, of each side, what a quote that waits is to follow, the youngest first', () => {
    const some = fc.tuple(
      fc.array(anyOrder, { minLength: 3, maxLength: 8 }),
      fc.array(anySlot, { maxLength: 6 }),
    );
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 15 }), ([sketches, slots], leastMs) => {
        const nowMs = 20;
        const orders = sketches.map(orderOf);
        const rest = new LeastRest(leastMs);
        const quotes = slots.map(slotOf);
        const leaving = rest.leaving(orders, { quotes, places: [], nowMs });
        const held = heldOf(orders, { slots, nowMs, leastMs });
        expect(leaving).toEqual(orders.filter((order) => !held.includes(order)));
        for (const order of orders)
          expect(rest.holds(order.clientOrderId)).toBe(held.includes(order));
        const untilMs = held.map(({ createdTime }) => createdTime + leastMs);
        expect(rest.nextMs).toBe(Math.min(...untilMs));
        expect(rest.leaving([], { quotes, places: [], nowMs })).toEqual([]);
        expect(orders.some((order) => rest.holds(order.clientOrderId))).toBe(false);
        expect(rest.nextMs).toBe(Number.POSITIVE_INFINITY);
      }),
      { seed: 56 },
    );
  });
});

function createPatient(config: Record<string, unknown> = {}): Bench {
  return createBench({ config: { orderLifetimeMinMs: 5_000, ...config } });
}

const restingAt = (bench: Bench) => bench.openPrices().sort();

/** A bench whose bid has rested for a second. */
function withBid(config?: Record<string, unknown>): Bench {
  const bench = createPatient(config);
  bench.wish(quotes([100]));
  bench.clock.advanceBy(1_000);
  return bench;
}

describe('executor.orderLifetimeMinMs', () => {
  it('has a quote rest so long before the moved one takes its place', () => {
    const bench = withBid();
    bench.wish(quotes([99]));
    bench.clock.advanceBy(3_900);
    expect(restingAt(bench)).toEqual([100]);
    expect(bench.model.of('cancel')).toHaveLength(0);
    bench.clock.advanceBy(200);
    expect(restingAt(bench)).toEqual([99]);
  });

  it('sends nothing where a wish flickers', () => {
    const bench = withBid();
    for (let at = 0; at < 20; at++) {
      bench.wish(quotes([[at % 2 === 0 ? 99 : 100, 1]]));
      bench.clock.advanceBy(100);
    }
    bench.clock.advanceBy(60_000);
    expect(restingAt(bench)).toEqual([100]);
    expect(bench.model.of('cancel')).toHaveLength(0);
    expect(bench.model.of('place')).toHaveLength(1);
  });

  it.each([
    ['no quote of its side follows', quotes([], [101])],
    ['a target takes its place', target(0)],
  ])('cancels at once where %s', (_, intent) => {
    const bench = withBid();
    bench.wish(intent);
    bench.clock.advanceBy(50);
    expect(restingAt(bench)).not.toContain(100);
  });
});

describe('executor.orderLifetimeMinMs, of what does not wait,', () => {
  it('cancels at once what is wished smaller', () => {
    const bench = withBid();
    bench.wish(quotes([[99, 0.5]]));
    bench.clock.advanceBy(50);
    expect(restingAt(bench)).toEqual([99]);
    bench.wish(quotes([98]));
    bench.clock.advanceBy(50);
    expect(restingAt(bench)).toEqual([99]);
  });

  it('cancels at once what only a quote that leaves beside it could have followed', () => {
    const bench = withBid();
    bench.wish(quotes([99, [98, 0.5], [97, 0.5]]));
    expect(bench.model.of('place')).toHaveLength(2);
    expect(bench.model.of('cancel')).toHaveLength(1);
  });

  it('cancels at once what risk does not let stay', () => {
    const unwelcome: LiveOrder[] = [];
    const bench = createBench({
      config: { orderLifetimeMinMs: 5_000 },
      unwelcome: () => unwelcome,
    });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(1_000);
    unwelcome.push(...bench.live());
    bench.wish(quotes([99]));
    bench.clock.advanceBy(50);
    expect(bench.model.of('cancel')).toHaveLength(1);
  });

  it('leaves one order a side, though quotes move faster', () => {
    const bench = createPatient();
    for (let at = 0; at < 300; at++) {
      bench.wish(quotes([[100 - at / 100, 1]], [[101 + at / 100, 1]]));
      bench.clock.advanceBy(100);
      expect(bench.model.open.length).toBeLessThanOrEqual(2);
    }
    // Thirty seconds have room for seven of five.
    expect(bench.model.of('place').length).toBeLessThanOrEqual(14);
    expect(bench.model.of('place').length).toBeGreaterThanOrEqual(10);
  });

  it('keeps the timed cancel alive for what is held', () => {
    const bench = createPatient({ orderLifetimeMinMs: 60_000 });
    bench.wish(quotes([], [101]));
    bench.clock.advanceBy(14_000);
    bench.wish(quotes([100]));
    bench.clock.advanceBy(500);
    bench.wish(quotes([99]));
    // Armed for the ask, it would fire after a minute.
    bench.clock.advanceBy(55_000);
    expect(restingAt(bench)).toEqual([100]);
    bench.clock.advanceBy(5_000);
    expect(restingAt(bench)).toEqual([99]);
  });
});
