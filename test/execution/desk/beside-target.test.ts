import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent, LiveOrder } from '../../../src/domain/index.ts';
import { givingWay, movedTarget } from '../../../src/execution/desk/beside-target.ts';
import { kindOfTag } from '../../../src/execution/desk/tags.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import type { OrderDraft } from '../../../src/risk/index.ts';
import { amount, price } from '../exchange-model.ts';
import { type Bench, createBench, depthOf, MARKET, target } from '../fixture.ts';

interface Resting {
  readonly at: number;
  readonly of: number;
  readonly filled?: number;
  readonly side?: 'buy' | 'sell';
}

/** The prices of the orders that give way on the way from the position to the target. */
function leaving(orders: readonly Resting[], way: { held: string; wanted: string }) {
  const resting = orders.map(({ at, of, filled = 0, side = 'sell' }) => ({
    ...{ side, price: at, amount: of, filledAmount: filled },
  })) as readonly unknown[] as readonly LiveOrder[];
  const [held, wanted] = [Decimal.of(way.held), Decimal.of(way.wanted)];
  const side = wanted.compare(held) < 0 ? 'sell' : 'buy';
  return givingWay(resting, { market: MARKET, side, held, wanted }).map((order) => order.price);
}

describe('givingWay', () => {
  it('is what would sell more than an exit leaves, the furthest first', () => {
    const orders = [
      { at: 120, of: 1 },
      { at: 105, of: 1.5, filled: 0.5 },
      { at: 110, of: 1 },
    ];
    expect(leaving(orders, { held: '3', wanted: '0' })).toEqual([105, 110, 120]);
    expect(leaving(orders, { held: '3', wanted: '1' })).toEqual([110, 120]);
    expect(leaving(orders, { held: '3', wanted: '2.5' })).toEqual([120]);
    expect(leaving(orders, { held: '4', wanted: '3' })).toEqual([]);
    expect(leaving(orders, { held: '3', wanted: '-1' })).toEqual([105, 110, 120]);
  });

  it('takes account of what was filled by finer steps than the market has now', () => {
    const orders = [{ at: 110, of: 1.000_000_05, filled: 0.000_000_02 }];
    expect(leaving(orders, { held: '3', wanted: '1.00000003' })).toEqual([]);
    expect(leaving(orders, { held: '3', wanted: '1.00000002' })).toEqual([110]);
  });

  it('is none of the other side, and none where a position grows', () => {
    expect(leaving([{ at: 90, of: 1, side: 'buy' }], { held: '1', wanted: '0' })).toEqual([]);
    expect(leaving([{ at: 90, of: 1, side: 'buy' }], { held: '0', wanted: '1' })).toEqual([]);
    expect(leaving([{ at: 110, of: 1 }], { held: '0', wanted: '-1' })).toEqual([]);
  });

  it('is what would buy back more than is left of a short position', () => {
    const orders = [
      { at: 80, of: 1, side: 'buy' },
      { at: 90, of: 1, side: 'buy' },
    ] as const;
    expect(leaving(orders, { held: '-2', wanted: '-1' })).toEqual([80]);
  });
});

describe('movedTarget', () => {
  const moved = (wanted: number, { from, by }: { from: number; by: number }) =>
    movedTarget(Decimal.of(wanted), {
      held: Decimal.of(from + by),
      moved: Decimal.of(by),
    }).toNumber();

  it('counts what led towards the target, and undoes nothing that led away or beyond', () => {
    expect(moved(10, { from: 4, by: 5 })).toBe(10);
    expect(moved(10, { from: 4, by: 6 })).toBe(10);
    expect(moved(10, { from: 4, by: 8 })).toBe(12);
    expect(moved(10, { from: 4, by: -4 })).toBe(6);
    expect(moved(0, { from: 0, by: 3 })).toBe(3);
  });

  it('never makes the way longer, nor turns it', () => {
    const number = fc.integer({ min: -50, max: 50 });
    fc.assert(
      fc.property(number, number, number, (wanted, from, by) => {
        const before = wanted - from;
        const after = moved(wanted, { from, by }) - (from + by);
        const towards = Math.sign(by) === Math.sign(before) ? Math.abs(by) : 0;
        expect(Math.abs(after)).toBe(Math.max(0, Math.abs(before) - towards));
        if (after !== 0) expect(Math.sign(after)).toBe(Math.sign(before));
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

interface Single {
  readonly tag?: string;
  readonly of?: number;
}

function order(side: 'buy' | 'sell', at: number, { tag = 'mine', of = 2 }: Single = {}): Intent {
  const terms = { side, type: 'limit', price: price(at), amount: amount(of) } as const;
  return { kind: 'order', market: MARKET.id, tag, ...terms };
}

/** A bench on which IOC orders fill completely, and no other order fills by itself. */
function createTaking(options: Parameters<typeof createBench>[0] = {}): Bench {
  const bench = createBench({ ...options, book: [99, 100] });
  bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
  return bench;
}

const wait = (bench: Bench) => bench.clock.advanceBy(10_000);
const traded = (bench: Bench) =>
  bench.model.orders
    .filter(({ record }) => record.filledAmount > 0)
    .map(({ record }) => `${record.side} ${record.filledAmount}`);

describe('Executor.wish: a target beside orders by a tag that rest', () => {
  it('sells all that is held past a profit target, which gives way for good', () => {
    const bench = createTaking();
    bench.wish(target(2));
    wait(bench);
    bench.wish(order('sell', 110));
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([2, [110]]);
    bench.wish(target(0));
    expect(bench.model.of('place')).toHaveLength(2);
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([0, []]);
    expect(traded(bench)).toEqual(['buy 2', 'sell 2']);
  });

  it('sells all that is held and no more where an order by a tag is to leave with it', () => {
    const bench = createTaking();
    bench.wish(target(2));
    wait(bench);
    // No order leaves at once: the timed cancel is called anew.
    bench.clock.advanceBy(120_000);
    bench.wish(order('sell', 110));
    bench.wish(target(0));
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([0, []]);
    expect(bench.model.of('place')).toHaveLength(2);
  });

  it('sells what the profit target has not, where that fills on its way out', () => {
    const bench = createTaking();
    bench.wish(target(2));
    wait(bench);
    bench.wish(order('sell', 110));
    wait(bench);
    bench.wish(target(0));
    bench.model.fill(bench.model.open[0]!, 0.5);
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([0, []]);
    expect(traded(bench)).toEqual(['buy 2', 'sell 0.5', 'sell 1.5']);
  });

  it('leaves one that sells what the target leaves', () => {
    const bench = createTaking();
    bench.wish(target(3));
    wait(bench);
    bench.wish(order('sell', 110));
    wait(bench);
    bench.wish(target(2));
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([2, [110]]);
  });

  it('counts none of them: it buys what it wants, and sells none of what was never held', () => {
    const bench = createTaking();
    bench.wish(order('buy', 90));
    wait(bench);
    bench.wish(target(2));
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([2, [90]]);
    bench.wish(target(0));
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([0, [90]]);
  });
});

describe('Executor.wish: a target that was reached', () => {
  it('buys no crumb that was left out of the target, once an order by a tag has sold all', () => {
    const bench = createTaking();
    bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? 0.9995 : 0);
    bench.wish(target(1));
    wait(bench);
    bench.wish(order('sell', 110, { of: 0.9995 }));
    wait(bench);
    bench.model.fill(bench.model.open[0]!);
    wait(bench);
    expect(bench.held('maker')).toBe(0);
    expect(bench.drafts.map(({ side }) => side)).toEqual(['buy', 'sell']);
  });
});

describe('Executor.wish: a target beside orders by a tag that are to leave', () => {
  it.each([
    ['ahead of it', true],
    ['while its order is on its way', false],
  ])('sells all once where a profit target is priced anew %s', (_, isAhead) => {
    const bench = createTaking();
    bench.wish(target(2));
    wait(bench);
    bench.wish(order('sell', 110));
    wait(bench);
    if (isAhead) bench.wish(order('sell', 108));
    bench.wish(target(0));
    bench.clock.advanceBy(12);
    if (!isAhead) bench.wish(order('sell', 108));
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([0, []]);
    expect(traded(bench)).toEqual(['buy 2', 'sell 2']);
  });

  it('leaves one that sells what the target leaves, whatever another takes at once of the way', () => {
    const bench = createTaking();
    bench.wish(target(4));
    wait(bench);
    bench.model.fate = () => ({ thereMs: 100 });
    bench.wish({ ...order('sell', 99, { tag: 'taking', of: 1 }), type: 'ioc' } as Intent);
    bench.wish(target(2));
    bench.wish(order('sell', 110));
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([2, [110]]);
    expect(traded(bench)).toEqual(['buy 4', 'sell 1', 'sell 1']);
  });

  it('keeps no order in that takes at once, while its own is refused', () => {
    const collar = { code: 'collar', limit: '', observed: '', scope: 'order' } as const;
    const isExit = ({ tag, side }: OrderDraft) => kindOfTag(tag) === 'target' && side === 'sell';
    const bench = createTaking({ refuse: (draft) => (isExit(draft) ? collar : undefined) });
    bench.wish(target(2));
    wait(bench);
    bench.wish(target(0));
    wait(bench);
    bench.wish({ ...order('sell', 99), type: 'ioc' } as Intent);
    wait(bench);
    expect(bench.held('maker')).toBe(0);
  });
});

describe('Executor.wish: a target, and orders by a tag that fill', () => {
  it('is not bought again where a profit target wished with it fills', () => {
    const bench = createTaking();
    bench.wish(target(2));
    bench.wish(order('sell', 110));
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([2, [110]]);
    bench.model.fill(bench.model.open[0]!, 0.5);
    wait(bench);
    bench.model.fill(bench.model.open[0]!);
    wait(bench);
    expect(traded(bench)).toEqual(['buy 2', 'sell 2']);
    bench.wish(target(2));
    wait(bench);
    expect(bench.held('maker')).toBe(2);
  });

  it('undoes no entry behind an exit, until it is wished anew', () => {
    const bench = createTaking();
    bench.wish(target(0));
    bench.wish(order('buy', 90));
    wait(bench);
    expect([bench.held('maker'), bench.openPrices()]).toEqual([0, [90]]);
    bench.model.fill(bench.model.open[0]!);
    wait(bench);
    expect(traded(bench)).toEqual(['buy 2']);
    bench.wish(target(0));
    wait(bench);
    expect(traded(bench)).toEqual(['buy 2', 'sell 2']);
  });

  it('waits for one that may have filled, and trades what it left', () => {
    const bench = createTaking();
    bench.wish(order('buy', 90, { tag: 'far' }));
    wait(bench);
    bench.model.fate = (operation) => (operation === 'place' ? { backMs: 1_000 } : {});
    bench.model.pushDelayMs = undefined;
    bench.wish(order('buy', 101));
    bench.wish(target(2));
    bench.clock.advanceBy(900);
    expect(bench.model.of('place')).toHaveLength(2);
    bench.model.pushDelayMs = 1;
    bench.model.fill(bench.model.open[1]!, 0.75);
    wait(bench);
    expect(traded(bench)).toEqual(['buy 0.75', 'buy 1.25']);
  });
});

/** An order to buy 2 that the next wish takes back, and that fills before its cancel arrives. */
function takingBack(...wishes: readonly Intent[]): Bench {
  const bench = createTaking();
  bench.wish(order('buy', 90));
  wait(bench);
  for (const wish of wishes) bench.wish(wish);
  bench.model.fill(bench.model.open[0]!);
  wait(bench);
  return bench;
}

describe('Executor.wish: a target, and orders by a tag that were taken back', () => {
  const cancel: Intent = { kind: 'cancel', market: MARKET.id, tag: 'mine' };

  it.each<[string, Intent, Intent]>([
    ['cancelled ahead of it', cancel, target(0)],
    ['cancelled at its moment', target(0), cancel],
    ['replaced', order('buy', 80), target(0)],
  ])('sells what one fills on its way out that was %s', (_what, first, second) => {
    const bench = takingBack(first, second);
    expect(traded(bench)).toEqual(['buy 2', 'sell 2']);
    expect(bench.held('maker')).toBe(0);
  });

  it('sells what one fills that risk has sent away', () => {
    let unwelcome: readonly LiveOrder[] = [];
    const bench = createBench({ unwelcome: () => unwelcome, book: [99, 100] });
    bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
    bench.wish(order('buy', 90));
    wait(bench);
    unwelcome = bench.live();
    bench.wish(order('buy', 80, { tag: 'other' }));
    expect(bench.model.of('cancel')).toHaveLength(1);
    bench.wish(target(0));
    bench.model.fill(bench.model.open[0]!);
    wait(bench);
    expect(bench.held('maker')).toBe(0);
  });

  it('keeps what one fills that is taken back later, or is wished again', () => {
    const later = createTaking();
    later.wish(target(0));
    later.wish(order('buy', 90));
    wait(later);
    later.wish(cancel);
    later.model.fill(later.model.open[0]!);
    wait(later);
    expect(later.held('maker')).toBe(2);
    expect(takingBack(target(0), order('buy', 90)).held('maker')).toBe(2);
  });

  it('keeps what one fills that is wished again before its cancel could leave', () => {
    const bench = createTaking();
    bench.wish(order('buy', 80, { tag: 'other' }));
    wait(bench);
    for (const wish of [order('buy', 90), cancel, target(0), order('buy', 90)]) bench.wish(wish);
    wait(bench);
    bench.model.fill(bench.model.open[1]!);
    wait(bench);
    expect([bench.model.of('place').length, bench.held('maker')]).toEqual([2, 2]);
  });

  it('sells what one of an earlier run turns out to have filled', () => {
    const first = createBench();
    first.wish(order('buy', 90));
    wait(first);
    const orders = first.live();
    first.kill();
    const { clock, model } = first;
    model.fill(model.open[0]!);
    model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
    const second = createBench({ clock, model, idPrefix: 'second' });
    second.depths.set(MARKET.id, depthOf(99, 100));
    second.restore({ orders });
    second.executor.reconcile('start');
    second.wish(target(0));
    wait(second);
    expect([second.held('maker'), traded(second)]).toEqual([0, ['buy 2', 'sell 2']]);
  });
});
