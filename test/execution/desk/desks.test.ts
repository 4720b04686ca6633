import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/domain/index.ts';
import { Desks } from '../../../src/execution/desk/desks.ts';
import type { OrderDraft } from '../../../src/risk/index.ts';
import { createBench, MARKET, quotes, target } from '../fixture.ts';

const COLLAR: Refusal = { code: 'collar', limit: '', observed: '', scope: 'order' };

describe('Desks.wake: an exit that was refused', () => {
  /** The strategy `one` holds 1, and its way out was refused for five seconds. */
  function refusedExit(config: Record<string, unknown> = {}) {
    let isRefused = false;
    const refuse = ({ strategy }: OrderDraft) =>
      isRefused && strategy === 'one' ? COLLAR : undefined;
    const bench = createBench({ config, refuse, book: [99, 100] });
    bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
    bench.wish(target(1), 'one');
    bench.wish(quotes([90]), 'other');
    bench.clock.advanceBy(2_000);
    isRefused = true;
    bench.wish(target(0), 'one');
    const held = () => bench.held('one');
    const passes = () => {
      isRefused = false;
    };
    return { bench, held, passes };
  }

  it.each([
    ['takes its quotes away', quotes([])],
    ['moves them', quotes([89])],
  ])('is tried again soon where another strategy %s', (_what, wish) => {
    const { bench, held, passes } = refusedExit();
    bench.clock.advanceBy(5_000);
    bench.wish(wish, 'other');
    bench.clock.advanceBy(500);
    passes();
    bench.clock.advanceBy(2_000);
    expect(held()).toBe(0);
  });

  it('is tried again soon where quotes of another have rested long enough', () => {
    const { bench, held, passes } = refusedExit({ orderLifetimeMinMs: 7_500 });
    bench.wish(quotes([89]), 'other');
    bench.clock.advanceBy(5_700);
    passes();
    bench.clock.advanceBy(2_000);
    expect(held()).toBe(0);
  });
});

function createDesks(): Desks {
  const { clock, orders, positions, config } = createBench();
  const prices = { showsOwn: true, depth: () => undefined, last: () => undefined };
  return new Desks(new Map([[MARKET.id, MARKET]]), {
    ...{ clock, orders, positions, prices, config },
    ...{
      mayRest: () => false,
      endGrace: () => {},
      mayOpen: () => true,
      gate: { roomTakers: () => [] },
    },
  });
}

describe('Desks.served', () => {
  it('puts the desk at the end of the line, which waking it again does not', () => {
    const desks = createDesks();
    const [one, other] = ['one', 'other'].map((strategy) => desks.of(strategy, MARKET.id));
    desks.wakeAll();
    desks.wake(one!);
    const planned = desks.busy;
    desks.served(one!);
    expect([planned, desks.busy]).toEqual([
      [one, other],
      [other, one],
    ]);
  });
});

describe('Desks.wake', () => {
  it('keeps a desk busy until it is planned again, whatever the plan of this round found', () => {
    const desks = createDesks();
    const desk = desks.of('one', MARKET.id);
    desk.plan(0);
    expect(desk.isBusy).toBe(false);
    desks.wake(desk);
    expect(desks.busy).toEqual([desk]);
    expect(desk.isBusy).toBe(true);
    desk.plan(0);
    expect(desk.isBusy).toBe(false);
  });
});

describe('Desks.retire', () => {
  it('lets go of the desks alone that have nothing to do', () => {
    const desks = createDesks();
    const [one, other] = ['one', 'other'].map((strategy) => desks.of(strategy, MARKET.id));
    desks.wakeAll();
    one!.plan(0);
    desks.retire();
    expect(desks.busy).toEqual([other]);
  });
});
