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
}

function orderOf({ side, createdTime, tag }: OrderSketch, index: number): LiveOrder {
  const id = `order${index}`;
  return {
    ...{ market: 'btc_usdt', side, type: 'postOnly', price: price(100), amount: amount(1) },
    ...{ clientOrderId: id, exchangeOrderId: `x${id}`, strategy: 'maker', tag, createdTime },
    ...{ filledAmount: amount(0), filledValue: Decimal.ZERO, changedTime: 0 },
    ...{ evidence: 'answer', status: 'open', reason: '' },
  } as LiveOrder;
}

function slotOf(side: Side): Slot {
  const terms = { price: price(100), amount: amount(1) };
  return new Slot({ side, type: 'postOnly', ...terms, tag: 'quotes/bid/0' });
}

const anySide = fc.constantFrom(...SIDES);
const anyOrder = fc.record({
  side: anySide,
  createdTime: fc.integer({ min: 0, max: 30 }),
  tag: fc.constantFrom('quotes/bid/0', 'target/', 'mine'),
});

describe('LeastRest', () => {
  it('holds, of each side, as many young quotes as wait for an order, the youngest first', () => {
    const some = fc.tuple(
      fc.array(anyOrder, { maxLength: 8 }),
      fc.array(anySide, { maxLength: 6 }),
    );
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 15 }), ([sketches, sides], leastMs) => {
        const nowMs = 20;
        const orders = sketches.map(orderOf);
        const rest = new LeastRest(leastMs);
        const leaving = rest.leaving(orders, { quotes: sides.map(slotOf), nowMs });
        const held = SIDES.flatMap((side) =>
          orders
            .filter((order) => order.side === side && order.tag.startsWith('quotes/'))
            .filter(({ createdTime }) => createdTime <= nowMs && nowMs - createdTime < leastMs)
            .sort((a, b) => b.createdTime - a.createdTime)
            .slice(0, sides.filter((one) => one === side).length),
        );
        expect(leaving).toEqual(orders.filter((order) => !held.includes(order)));
        for (const order of orders)
          expect(rest.holds(order.clientOrderId)).toBe(held.includes(order));
        const untilMs = held.map(({ createdTime }) => createdTime + leastMs);
        expect(rest.nextMs).toBe(Math.min(...untilMs));
      }),
      { seed: 56 },
    );
  });
});

function createPatient(config: Record<string, unknown> = {}): Bench {
  return createBench({ config: { orderLifetimeMinMs: 5_000, ...config } });
}

const restingAt = (bench: Bench) =>
  bench.model.open.map(({ record }) => Number(record.price)).sort();

/** A bench whose bid has rested for a second. */
function withBid(config?: Record<string, unknown>): Bench {
  const bench = createPatient(config);
  bench.wish(quotes([[100, 1]]));
  bench.clock.advanceBy(1_000);
  return bench;
}

describe('executor.orderLifetimeMinMs', () => {
  it('has a quote rest so long before the moved one takes its place', () => {
    const bench = withBid();
    bench.wish(quotes([[99, 1]]));
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
    ['no quote of its side follows', quotes([], [[101, 1]])],
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
    bench.wish(quotes([[98, 1]]));
    bench.clock.advanceBy(50);
    expect(restingAt(bench)).toEqual([99]);
  });

  it('cancels at once what risk does not let stay', () => {
    const unwelcome: LiveOrder[] = [];
    const bench = createBench({
      config: { orderLifetimeMinMs: 5_000 },
      unwelcome: () => unwelcome,
    });
    bench.wish(quotes([[100, 1]]));
    bench.clock.advanceBy(1_000);
    unwelcome.push(...bench.live());
    bench.wish(quotes([[99, 1]]));
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
    bench.wish(quotes([], [[101, 1]]));
    bench.clock.advanceBy(14_000);
    bench.wish(quotes([[100, 1]]));
    bench.clock.advanceBy(500);
    bench.wish(quotes([[99, 1]]));
    // Armed for the ask, it would fire after a minute.
    bench.clock.advanceBy(55_000);
    expect(restingAt(bench)).toEqual([100]);
    bench.clock.advanceBy(5_000);
    expect(restingAt(bench)).toEqual([99]);
  });
});
