import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { type Bench, createBench, depthOf, MARKET, quotes, settle, target } from '../fixture.ts';

describe('Executor.wish: target', () => {
  it('trades to the target, then rests', () => {
    const bench = createBench({ book: [99, 100] });
    bench.model.onPlaced = () => 1.5;
    bench.wish(target(2));
    bench.clock.advanceBy(10_000);
    expect(bench.model.orders.map(({ record }) => [record.amount, record.filledAmount])).toEqual([
      [2, 1.5],
      [0.5, 0.5],
    ]);
    expect(bench.held('maker')).toBe(2);
  });

  it('paces its orders towards the same target, wished however often', () => {
    const bench = createBench({ config: { targetRetryMs: 1_000 }, book: [99, 100] });
    for (let i = 0; i < 300; i++) {
      bench.wish(target(2));
      bench.clock.advanceBy(10);
    }
    expect(bench.model.of('place').length).toBeLessThanOrEqual(3);
    expect(bench.model.of('place').length).toBeGreaterThanOrEqual(2);
  });

  it('goes on towards a target at the very moment that the pace of orders allows it', () => {
    const said = { code: 'orderRate', limit: '1', observed: '2', scope: 'strategy' } as const;
    let opensMs = 0;
    const bench: Bench = createBench({
      refuse: () => (bench.clock.now() < opensMs ? said : undefined),
      paceOpensMs: () => opensMs,
      book: [99, 100],
    });
    opensMs = bench.clock.now() + 60;
    bench.wish(target(2));
    bench.clock.advanceBy(59);
    expect(bench.model.of('place')).toHaveLength(0);
    bench.clock.advanceBy(1);
    expect(bench.model.of('place')).toHaveLength(1);
  });

  it('looks again at a target that no price led to', () => {
    const bench = createBench();
    bench.wish(target(2));
    bench.clock.advanceBy(5_000);
    expect(bench.model.of('place')).toHaveLength(0);
    bench.depths.set(MARKET.id, depthOf(99, 100));
    bench.clock.advanceBy(1_100);
    expect(bench.model.of('place')).toHaveLength(1);
  });

  it('clears away quotes before it pursues a target that replaces them', () => {
    const bench = createBench({ book: [99, 100] });
    bench.wish(quotes([90], [110]));
    settle(bench);
    bench.wish(target(1));
    expect(bench.model.of('cancel')).toHaveLength(2);
    expect(bench.model.of('place')).toHaveLength(2);
    settle(bench);
    expect(bench.model.of('place')).toHaveLength(3);
    expect(bench.model.open).toHaveLength(0);
  });
});

describe('Executor.wish: target, given up', () => {
  it('leaves its pause behind: no exit waits for it', () => {
    const bench = createBench({ config: { targetRetryMs: 60_000 }, book: [99, 100] });
    bench.model.onPlaced = () => 0.5;
    bench.wish(target(2));
    settle(bench);
    expect(bench.executor.isPausing(MARKET.id)).toBe(true);
    bench.wish(target(0));
    expect(bench.model.of('place')).toHaveLength(2);
    settle(bench);
    bench.wish(target(2));
    settle(bench);
    expect(bench.executor.isPausing(MARKET.id)).toBe(true);
    bench.wish(quotes([]));
    // If wished again, the same target would pause until there is new liquidity.
    expect(bench.executor.isPausing(MARKET.id)).toBe(true);
    bench.clock.advanceBy(1);
    bench.executor.endPauses(MARKET.id);
    expect(bench.executor.isPausing(MARKET.id)).toBe(false);
  });
});

describe('Executor.wish: a target beyond flat that risk refuses', () => {
  const said = { code: 'aboveMaximum', limit: '2', observed: '3', scope: 'order' } as const;

  function holding() {
    const bench = createBench({
      refuse: (draft) => (draft.amount > 2 ? said : undefined),
      book: [99, 100],
    });
    bench.model.onPlaced = ({ record }) => record.amount;
    bench.wish(target(2));
    bench.clock.advanceBy(2_000);
    return bench;
  }
  const traded = (bench: Bench) =>
    bench.model.orders.map(({ record }) => `${record.side} ${record.filledAmount}`);

  it('goes to flat first, then on', () => {
    const bench = holding();
    bench.wish(target(-1));
    bench.clock.advanceBy(10_000);
    expect(traded(bench)).toEqual(['buy 2', 'sell 2', 'sell 1']);
    bench.wish(target(0.5));
    bench.clock.advanceBy(10_000);
    expect(traded(bench).slice(3)).toEqual(['buy 1.5']);
  });

  it('goes to flat in the moment in which all of it is refused', () => {
    const bench = holding();
    bench.wish(target(-2.5));
    settle(bench);
    expect(traded(bench)).toEqual(['buy 2', 'sell 2']);
  });

  it.each([
    ['own orders in its way', 'selfCross'],
    ['the pace of orders', 'orderRate'],
  ])('waits with the part to flat too for %s', (_what, code) => {
    let isHeld = false;
    const bench: Bench = createBench({
      refuse: () => (isHeld ? { ...said, code } : undefined),
      paceOpensMs: () => bench.clock.now() + 1_000,
      book: [99, 100],
    });
    bench.model.onPlaced = ({ record }) => record.amount;
    bench.wish(target(2));
    bench.clock.advanceBy(2_000);
    isHeld = true;
    const { length } = bench.drafts;
    bench.wish(target(-2.5));
    settle(bench);
    expect(bench.drafts.slice(length).map(({ amount }) => Number(amount))).toEqual([4.5]);
  });

  it('goes to flat though it is wished anew at every tick, and stays there if need be', () => {
    const bench = holding();
    for (let tick = 0; tick < 300; tick++) {
      bench.wish(target(-2.5));
      bench.clock.advanceBy(100);
    }
    expect(traded(bench)).toEqual(['buy 2', 'sell 2']);
  });
});

describe('Executor.wish: a target that risk refuses', () => {
  const said = { code: 'collar', limit: '1', scope: 'order' } as const;

  /** A strategy that holds 2 and whose wish was refused for more than a minute. */
  function refused(wish: Intent, config: Record<string, unknown> = {}) {
    let isRefused = false;
    const bench: Bench = createBench({
      config,
      refuse: ({ price }) => (isRefused ? { ...said, observed: `${price}` } : undefined),
      book: [99, 100],
    });
    bench.model.onPlaced = ({ record }) => record.amount;
    bench.wish(target(2));
    bench.clock.advanceBy(2_000);
    isRefused = true;
    for (let second = 0; second < 70; second++) {
      const bid = 99 - second / 100;
      bench.depths.set(MARKET.id, depthOf(bid, bid + 1));
      bench.wish(wish);
      bench.clock.advanceBy(1_000);
    }
    isRefused = false;
    const since = bench.clock.now();
    bench.clock.advanceBy(60_000);
    const [, next] = bench.model.of('place');
    return { bench, waitedMs: next!.sentMs - since };
  }

  it('is tried again each second where it shrinks what is held, wished anew or not', () => {
    expect(refused(target(0)).waitedMs).toBeLessThanOrEqual(1_000);
    expect(refused(target(-1)).waitedMs).toBeLessThanOrEqual(1_000);
    expect(refused(target(0), { targetRetryMs: 3_000 }).waitedMs).toBeLessThanOrEqual(3_000);
    const slow = { targetRetryMs: 10, refusalRetryMs: 4_000 };
    expect(refused(target(0), slow).bench.drafts.length).toBeLessThan(21);
  });

  it('is tried less and less often where it opens', () => {
    expect(refused(target(3)).waitedMs).toBeGreaterThan(10_000);
  });

  it('says so less and less often', () => {
    const { bench } = refused(target(0));
    expect(bench.drafts.length).toBeGreaterThan(70);
    expect(bench.ofKind('refusal')).toHaveLength(7);
  });
});

describe('Executor.wish: target, less a fee', () => {
  it('buys no fee again, until another target is wished', () => {
    const bench = createBench({ feeRates: { maker: 0.01, taker: 0.01 }, book: [99, 100] });
    const held = () => bench.positions.position(MARKET.id, 'maker').amount.toString();
    const bought = (intent: Intent) => {
      const { length } = bench.model.orders;
      bench.wish(intent);
      bench.clock.advanceBy(10_000);
      return bench.model.orders.slice(length).map(({ record }) => Number(record.amount));
    };
    bench.model.onPlaced = () => 1.5;
    // The amount left open by the first order plus its fee; the second order's fee is not bought
    // again.
    expect(bought(target(2))).toEqual([2, 0.515]);
    expect(held()).toBe('1.99485');
    expect(bought(quotes([]))).toEqual([]);
    expect(bought(target(2))).toEqual([]);
    expect(bought(target(2.1))).toEqual([0.1051]);
    expect(bought(target(0))).toEqual([2.0988, 0.5988]);
    expect(bought(target(1.5))).toEqual([1.4999]);
    expect(held()).toBe('1.485');
    // Less than the fee that the former target cost, but bought: this is another target.
    expect(bought(target(1.497))).toEqual([0.012]);
  });

  it('buys no fee again that turns out as more than what was guessed', () => {
    const bench = createBench({ feeRates: { maker: 0.01, taker: 0.01 }, book: [99, 100] });
    bench.model.feeOf = ({ filledAmount }) => Decimal.of(filledAmount).times(Decimal.of('0.02'));
    bench.model.onPlaced = ({ record }) => record.amount;
    bench.wish(target(2));
    bench.clock.advanceBy(10_000);
    const held = () => bench.positions.position(MARKET.id, 'maker').amount.toString();
    expect(held()).toBe('1.98');
    bench.executor.reconcile('asked');
    bench.clock.advanceBy(30_000);
    expect([held(), bench.model.of('place').length]).toEqual(['1.96', 1]);
  });

  it('buys the rest where the fee was taken in the quote currency, however much that is', () => {
    const bench = createBench({
      feeRates: { maker: 0.01, taker: 0.01, in: 'quote' },
      book: [99, 100],
    });
    bench.model.onPlaced = () => 1.5;
    bench.wish(target(2));
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('place')).toHaveLength(2);
  });
});

/** A bench that holds 2, on which the order of `wish` gets lost, by default on its way there. */
function doubting(wish: Intent, loss: 'lost' | 'silent' = 'lost'): Bench {
  const bench = createBench({ book: [99, 100] });
  bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
  bench.wish(target(2));
  bench.clock.advanceBy(2_000);
  bench.model.fate = (operation) => (operation === 'place' ? { loss } : {});
  bench.model.readLagMs = 20_000;
  bench.model.pushDelayMs = undefined;
  bench.wish(wish);
  bench.clock.advanceBy(2_000);
  expect(bench.live().map(({ status }) => status)).toEqual(['unknown']);
  bench.model.fate = () => ({});
  bench.model.pushDelayMs = 1;
  return bench;
}

describe('Executor.wish: a target beside orders in doubt', () => {
  const held = (bench: Bench) => bench.positions.position(MARKET.id, 'maker').amount.toString();

  it.each([
    ['a quote that buys', quotes([90])],
    ['an earlier target that buys', target(3)],
  ])('leaves whole where it shrinks what is held: %s', (_what, wish) => {
    const bench = doubting(wish);
    bench.wish(target(0));
    settle(bench);
    expect(held(bench)).toBe('0');
  });

  it('leaves less what those of its own side may have traded, until their end is known', () => {
    const bench = doubting(quotes([], [[110, 0.5]]));
    bench.wish(target(0));
    bench.clock.advanceBy(60_000);
    expect(held(bench)).toBe('0.5');
    bench.clock.advanceBy(120_000);
    expect(held(bench)).toBe('0');
  });

  it('sells no more than is held where one of its own side turns out as filled', () => {
    const bench = doubting(quotes([], [[110, 0.5]]), 'silent');
    bench.model.fill(bench.model.open[0]!);
    bench.wish(target(0));
    bench.clock.advanceBy(60_000);
    const sold = bench.model.orders.filter(({ record }) => record.side === 'sell');
    expect(sold.map(({ record }) => Number(record.filledAmount))).toEqual([0.5, 1.5]);
    expect(held(bench)).toBe('0');
  });

  it('goes on beside a lost order of its own, as much as that leaves', () => {
    const bench = doubting(quotes([[90, 2]]), 'silent');
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'lost' } : {});
    bench.wish(target(0));
    bench.clock.advanceBy(2_000);
    bench.model.fate = () => ({});
    bench.model.pushDelayMs = undefined;
    bench.model.fill(bench.model.open[0]!);
    bench.model.pushDelayMs = 1;
    bench.clock.advanceBy(30_000);
    expect(held(bench)).toBe('2');
    bench.clock.advanceBy(150_000);
    expect(held(bench)).toBe('0');
  });

  it('waits with what opens, and goes to flat of what turns', () => {
    const bench = doubting(quotes([90]));
    bench.wish(target(3));
    bench.clock.advanceBy(20_000);
    expect(held(bench)).toBe('2');
    bench.wish(target(-1));
    bench.clock.advanceBy(20_000);
    expect(held(bench)).toBe('0');
    bench.clock.advanceBy(150_000);
    expect(held(bench)).toBe('-1');
  });
});

describe('Executor.wish: a target that made room and goes nowhere any more', () => {
  /** A strategy that holds what it wished, beside an ask that takes the room of its exit. */
  function beside(held: number) {
    const asks = () => bench.live().filter(({ tag }) => tag.startsWith('quotes/ask'));
    const lacking = { code: 'position', limit: '', observed: '', scope: 'market' } as const;
    const bench: Bench = createBench({
      refuse: ({ type, side }) =>
        type === 'ioc' && side === 'sell' && asks().length > 0 ? lacking : undefined,
      roomTakers: asks,
      book: [99, 100],
    });
    bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
    bench.wish(target(held), 'stop');
    bench.wish(quotes([], [105]));
    settle(bench);
    return { asks, bench };
  }

  it.each<[string, number, (bench: Bench) => void]>([
    ['no more than dust is left', 2, () => {}],
    [
      'more is wanted that nobody sells',
      1,
      ({ depths, wish }) => {
        depths.set(MARKET.id, { ...depthOf(99, 100), bids: [], asks: [] });
        wish(target(3), 'stop');
      },
    ],
  ])('lets what opens come back at once where %s', (_what, sold, next) => {
    const { asks, bench } = beside(2.0005);
    bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? sold : 0);
    bench.wish(target(0), 'stop');
    expect(asks().map(({ status }) => status)).toEqual(['cancelling']);
    settle(bench);
    next(bench);
    bench.clock.advanceBy(2_000);
    expect(asks().map(({ status }) => status)).toEqual(['open']);
  });

  it('lets what opens come back, though an order of it is in doubt', () => {
    const { asks, bench } = beside(2);
    bench.model.readLagMs = 60_000;
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'lost' } : {});
    bench.wish(quotes([90]), 'stop');
    settle(bench);
    bench.model.fate = () => ({});
    bench.wish(target(0), 'stop');
    expect(asks().map(({ status }) => status)).toEqual(['cancelling']);
    bench.wish(target(2), 'stop');
    bench.clock.advanceBy(2_000);
    expect(bench.live().map(({ strategy, status }) => [strategy, status])).toEqual([
      ['stop', 'unknown'],
      ['maker', 'open'],
    ]);
  });
});
