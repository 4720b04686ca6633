import { describe, expect, it } from 'vitest';
import type { Intent, LiveOrder, Market, OrderState } from '../../../src/domain/index.ts';
import { leftOf, ReplacedByQuotes } from '../../../src/execution/desk/replaced.ts';
import { Slot } from '../../../src/execution/desk/slot.ts';
import { makeOpen } from '../../domain/fixture.ts';
import { amount, price } from '../exchange-model.ts';
import { type Bench, createBench, depthOf, MARKET, quotes, restarted, target } from '../fixture.ts';

interface Filling {
  readonly clientOrderId: string;
  /** Its filled amount when the replacing order was wished, and now. */
  readonly before: number;
  readonly now?: number;
}

/** The amount left of an order of 1 at 100 that replaces those. */
function left(...replaced: readonly Filling[]): number {
  return leftIn(MARKET, ...replaced);
}

function leftIn(market: Market, ...replaced: readonly Filling[]): number {
  const slot = new Slot({
    ...{ side: 'sell', type: 'limit', price: price(100), amount: amount(1), tag: 'exit' },
  });
  const states = new Map<string, OrderState>();
  slot.replaced = replaced.map(({ clientOrderId, before, now }): LiveOrder => {
    const order = makeOpen({ clientOrderId, filledAmount: amount(before) });
    if (now !== undefined) states.set(clientOrderId, { ...order, filledAmount: amount(now) });
    return order;
  });
  return leftOf(slot, { market, orders: { get: (id) => states.get(id) } });
}

describe('leftOf', () => {
  it('is less what was filled since, not what was filled before, nor of what nobody knows', () => {
    expect(left()).toBe(1);
    expect(left({ clientOrderId: 'a', before: 0.4, now: 0.4 })).toBe(1);
    expect(left({ clientOrderId: 'a', before: 0.4, now: 0.7 })).toBe(0.7);
    expect(left({ clientOrderId: 'a', before: 0.4 })).toBe(1);
    const both = [
      { clientOrderId: 'a', before: 0, now: 0.2 },
      { clientOrderId: 'b', before: 0.1, now: 0.4 },
    ];
    expect(left(...both)).toBe(0.5);
    expect(left({ clientOrderId: 'a', before: 0, now: 0.100_04 })).toBe(0.8999);
  });

  it('is nothing where that is all, more, or leaves less than the least order', () => {
    expect(left({ clientOrderId: 'a', before: 0, now: 1 })).toBe(0);
    expect(left({ clientOrderId: 'a', before: 0, now: 1.5 })).toBe(0);
    expect(left({ clientOrderId: 'a', before: 0, now: 0.9995 })).toBe(0);
    expect(left({ clientOrderId: 'a', before: 0, now: 0.991 })).toBe(0);
    expect(left({ clientOrderId: 'a', before: 0, now: 0.98 })).toBe(0.02);
    const coarse = { ...MARKET, minAmount: 0.4 };
    expect(leftIn(coarse, { clientOrderId: 'a', before: 0, now: 0.6 })).toBe(0.4);
    expect(leftIn(coarse, { clientOrderId: 'a', before: 0, now: 0.61 })).toBe(0);
  });
});

describe('ReplacedByQuotes.cut', () => {
  const slotOf = (of: number, side: 'buy' | 'sell' = 'sell'): Slot =>
    new Slot({ side, type: 'limit', price: price(100), amount: amount(of), tag: 'quotes/ask/0' });
  const before = (clientOrderId: string, side: 'buy' | 'sell' = 'sell') =>
    makeOpen({
      ...{ clientOrderId, side, tag: 'quotes/ask/0' },
      ...{ amount: amount(2), filledAmount: amount(0.5) },
    });

  /** Asks of 1, 1 and a bid of 1, each replacing an order of 2, and the fills of those. */
  function cutting() {
    const filled = new Map<string, number>();
    const target = { ...before('d', 'buy'), tag: 'target/' };
    const replaced = new ReplacedByQuotes(
      [before('a'), before('b'), before('c', 'buy'), target],
      1,
    );
    const slots = [slotOf(1), slotOf(1), slotOf(1, 'buy')] as const;
    const get = (id: string): OrderState | undefined => {
      const now = filled.get(id);
      return now === undefined ? undefined : { ...before(id), filledAmount: amount(now) };
    };
    const cut = (): readonly number[] => {
      replaced.cut(slots, { market: MARKET, orders: { get } });
      return slots.map((slot) => slot.amount);
    };
    return { filled, slots, cut, replaced };
  }

  it('takes what has filled since off the quotes of its side, once', () => {
    const { filled, slots, cut } = cutting();
    expect(cut()).toEqual([1, 1, 1]);
    filled.set('a', 0.7).set('c', 0.5).set('d', 2);
    expect(cut()).toEqual([0.8, 1, 1]);
    expect(cut()).toEqual([0.8, 1, 1]);
    filled.set('b', 1.6).set('c', 2);
    expect(cut()).toEqual([0, 0.7, 0]);
    expect(slots.map(({ done }) => done)).toEqual([true, false, true]);
  });

  it('takes it off what has not left, and of what is kept nothing', () => {
    const { filled, slots, cut, replaced } = cutting();
    slots[0].take('new');
    replaced.keep('b');
    filled.set('a', 0.75).set('b', 2);
    expect(cut()).toEqual([1, 0.75, 1]);
  });

  it.each([
    ['long', 1, [0.5, 1]],
    ['short', -1, [1, 0.5]],
    ['flat', 0, [1, 1]],
  ])('takes what orders towards a target filled where they shrank it: %s', (_what, sign, left) => {
    const ofTarget = (side: 'buy' | 'sell') => ({ ...before(side, side), tag: 'target/' });
    const replaced = new ReplacedByQuotes([ofTarget('sell'), ofTarget('buy')], sign);
    const slots = [slotOf(1), slotOf(1, 'buy')];
    const get = (id: string) => ({ ...before(id), filledAmount: amount(1) });
    replaced.cut(slots, { market: MARKET, orders: { get } });
    expect(slots.map((slot) => slot.amount)).toEqual(left);
  });
});

interface Terms {
  readonly at: number;
  readonly side?: 'buy' | 'sell';
}

function exit({ at, side = 'sell' }: Terms): Intent {
  const terms = { side, type: 'limit', price: price(at), amount: amount(1) } as const;
  return { kind: 'order', market: MARKET.id, tag: 'exit', ...terms };
}

const wait = (bench: Bench) => bench.clock.advanceBy(5_000);
const sides = (bench: Bench) =>
  bench.model.orders.map(({ record }) => `${record.side} ${record.amount} at ${record.price}`);

/** An order of 1 at 110 rests, of which a part has filled, if any. */
function resting(filled = 0): Bench {
  const bench = createBench();
  bench.wish(exit({ at: 110 }));
  wait(bench);
  if (filled > 0) bench.model.fill(bench.model.open[0]!, filled);
  wait(bench);
  return bench;
}

describe('Executor.wish: an order in place of one that fills on its way out', () => {
  it.each([
    [0, 0.25, ['sell 1 at 110', 'sell 0.75 at 105']],
    [0.5, 0.25, ['sell 1 at 110', 'sell 0.75 at 105']],
    [0.5, 0, ['sell 1 at 110', 'sell 1 at 105']],
    [0, 1, ['sell 1 at 110']],
  ])('is less that: %d before it, %d since', (before, since, expected) => {
    const bench = resting(before);
    bench.wish(exit({ at: 105 }));
    if (since > 0) bench.model.fill(bench.model.open[0]!, since);
    wait(bench);
    expect(sides(bench)).toEqual(expected);
  });

  it('stays that where it is wished again unchanged, and is no other then', () => {
    const bench = resting();
    bench.wish(exit({ at: 105 }));
    bench.model.fill(bench.model.open[0]!, 0.25);
    for (let tick = 0; tick < 20; tick++) {
      bench.clock.advanceBy(100);
      bench.wish(exit({ at: 105 }));
    }
    expect(sides(bench)).toEqual(['sell 1 at 110', 'sell 0.75 at 105']);
    expect(bench.model.of('cancel')).toHaveLength(1);
    bench.wish(exit({ at: 104 }));
    wait(bench);
    expect(sides(bench).at(-1)).toBe('sell 1 at 104');
  });

  it('is whole where its strategy had heard of the fill, cancelled or not', () => {
    const bench = resting();
    bench.wish(exit({ at: 105 }));
    bench.model.fill(bench.model.open[0]!, 0.25);
    bench.clock.advanceBy(2);
    bench.wish(exit({ at: 104 }));
    wait(bench);
    expect(sides(bench)).toEqual(['sell 1 at 110', 'sell 1 at 104']);
  });

  it('is whole where it is of the other side', () => {
    const bench = resting();
    bench.wish(exit({ at: 90, side: 'buy' }));
    bench.model.fill(bench.model.open[0]!, 0.25);
    wait(bench);
    expect(sides(bench)).toEqual(['sell 1 at 110', 'buy 1 at 90']);
  });

  it('leaves not at all where one of an earlier run turns out to have filled whole', () => {
    const first = resting();
    const orders = first.live();
    first.kill();
    const { clock, model } = first;
    model.fill(model.open[0]!);
    const second = restarted(orders, { clock, model });
    second.wish(exit({ at: 105 }));
    wait(second);
    expect(sides(second)).toEqual(['sell 1 at 110']);
    second.wish(exit({ at: 105 }));
    wait(second);
    expect(sides(second).at(-1)).toBe('sell 1 at 105');
  });
});

describe('Executor.wish: quotes in place of such as fill on their way out', () => {
  const asks = (...levels: readonly (readonly [number, number])[]) => quotes([], levels);

  function asking(...levels: readonly (readonly [number, number])[]): Bench {
    const bench = createBench();
    bench.wish(asks(...levels));
    wait(bench);
    return bench;
  }

  it.each([
    [0.5, ['sell 2 at 110', 'sell 1.5 at 105']],
    [2, ['sell 2 at 110']],
  ])('are less that: %d', (since, expected) => {
    const bench = asking([110, 2]);
    bench.wish(asks([105, 2]));
    bench.model.fill(bench.model.open[0]!, since);
    wait(bench);
    expect(sides(bench)).toEqual(expected);
  });

  it('are whole once they are wished by who has heard of it', () => {
    const bench = asking([110, 2]);
    bench.wish(asks([105, 2]));
    bench.model.fill(bench.model.open[0]!, 2);
    wait(bench);
    bench.wish(asks([105, 2]));
    wait(bench);
    expect(sides(bench)).toEqual(['sell 2 at 110', 'sell 2 at 105']);
  });

  it('trade no more than is wished, whatever the levels are of', () => {
    const bench = asking([110, 1], [111, 3]);
    bench.wish(asks([105, 3], [106, 1]));
    bench.clock.advanceBy(0);
    const [near, far] = bench.model.open;
    bench.model.end(near!);
    bench.model.fill(far!, 3);
    wait(bench);
    const sold = bench.model.orders.map(({ record: { filledAmount, amount: all, closed } }) =>
      closed ? filledAmount : all,
    );
    expect(sold.reduce((sum, of) => sum + of, 0)).toBeLessThanOrEqual(4);
  });

  it('are less what a target sells that was wished before them, of what is held', () => {
    const bench = createBench();
    bench.depths.set(MARKET.id, depthOf(99, 100));
    bench.model.onPlaced = ({ record: { type, side, amount: all } }) =>
      type === 'ioc' ? (side === 'buy' ? all : 0.5) : 0;
    bench.wish(target(2));
    wait(bench);
    bench.wish(target(0));
    bench.wish(asks([105, 2]));
    wait(bench);
    expect(sides(bench).slice(1)).toEqual(['sell 2 at 98.81', 'sell 1.5 at 105']);
  });
});
