import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/domain/index.ts';
import { CODES, ExchangeFailure, type PlaceRequest } from '../../src/exchange/index.ts';
import { silentLogger } from '../../src/kernel/index.ts';
import { amount, price } from './exchange-model.ts';
import {
  type Bench,
  createBench,
  depthOf,
  MARKET,
  order,
  quotes,
  SECOND_MARKET,
  settle,
  target,
} from './fixture.ts';

const operations = (bench: Bench) => bench.model.calls.map(({ operation }) => operation);
function balanceRefusal(): ExchangeFailure {
  return new ExchangeFailure('rejected', 'Cannot pay', { code: CODES.balance });
}

describe('Executor.wish: quotes', () => {
  it('arms the timed cancel, waits for its confirmation, then places', () => {
    const bench = createBench();
    bench.wish(quotes([100], [101]));
    expect(operations(bench)).toEqual(['cancelAllAfter']);
    bench.clock.advanceBy(10);
    expect(operations(bench)).toEqual(['cancelAllAfter', 'place', 'place']);
    settle(bench);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open']);
  });

  it('sends its order within the call once the market is armed, the journal on disk before', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    const before = bench.events.length;
    bench.wish(quotes([100, 99]));
    expect(bench.model.of('place')).toHaveLength(2);
    const since = bench.events.slice(before);
    expect(since.map(({ kind }) => kind)).toEqual(['order', 'request']);
    expect(bench.commits.at(-1)).toBe(bench.events.length);
  });

  it('replaces a quote: cancel first, place when the cancel is confirmed', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    bench.wish(quotes([99]));
    expect(bench.model.of('cancel')).toHaveLength(1);
    expect(bench.model.of('place')).toHaveLength(1);
    settle(bench);
    expect(bench.openPrices().sort()).toEqual([99]);
  });

  it('leaves an unchanged quote in its place in the queue', () => {
    const bench = createBench();
    bench.wish(quotes([100, 99]));
    settle(bench);
    bench.wish(quotes([99, 98]));
    settle(bench);
    expect(bench.openPrices().sort()).toEqual([98, 99]);
    expect(bench.model.of('cancel')).toHaveLength(1);
    expect(bench.model.of('place')).toHaveLength(3);
  });
});

describe('Executor.wish: quotes over time', () => {
  it('never sends what was superseded while it waited', () => {
    const bench = createBench();
    for (let at = 50; at < 100; at++) bench.wish(quotes([at]));
    settle(bench);
    expect(bench.model.of('place').map(({ what }) => (what as { price: number }).price)).toEqual([
      99,
    ]);
  });

  it('does not fill a quote again that was filled, until it is wished anew', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    bench.model.fill(bench.model.orders[0]!);
    bench.clock.advanceBy(30_000);
    expect(bench.model.of('place')).toHaveLength(1);
    bench.wish(quotes([100]));
    settle(bench);
    expect(bench.model.of('place')).toHaveLength(2);
  });

  it('leaves the rest of a quote that was filled in part', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    bench.model.fill(bench.model.orders[0]!, 0.4);
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('place')).toHaveLength(1);
    expect(bench.model.open).toHaveLength(1);
  });

  it('leaves it also when the same quote is wished again: once filled, it has traded once', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    bench.model.fill(bench.model.orders[0]!, 0.4);
    bench.wish(quotes([100]));
    settle(bench);
    expect(bench.model.of('cancel')).toHaveLength(0);
    bench.model.fill(bench.model.orders[0]!);
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('place')).toHaveLength(1);
    expect(bench.held()).toBe(1);
  });

  it('places the unfilled rest again when someone else cancelled it', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    settle(bench);
    bench.model.fill(bench.model.orders[0]!, 0.4);
    settle(bench);
    bench.model.end(bench.model.orders[0]!);
    bench.clock.advanceBy(2_000);
    expect(bench.model.open.map(({ record }) => Number(record.amount))).toEqual([0.6]);
  });
});

describe('Executor.wish: quotes near an order that rests', () => {
  it.each([
    ['leave it as far as both tolerances allow', [100.1, 1.1], 1],
    ['replace it where the price is farther', [100.2, 1], 2],
    ['replace it where the amount is farther', [100, 1.2], 2],
  ] as const)('%s', (_what, level, orders) => {
    const bench = createBench({ config: { priceTolerance: 0.001, amountTolerance: 0.1 } });
    bench.wish(quotes([100]));
    settle(bench);
    bench.wish(quotes([level]));
    settle(bench);
    expect(bench.model.of('place')).toHaveLength(orders);
    expect(bench.model.open).toHaveLength(1);
  });
});

describe('Executor.wish: quotes that risk refused', () => {
  it('leave in the moment in which a balance changes, which may be what they waited for', () => {
    let isPoor = true;
    const poor = { code: 'balance', limit: '0', observed: '1', scope: 'account' } as const;
    const bench = createBench({ refuse: () => (isPoor ? poor : undefined) });
    bench.wish(quotes([100]));
    settle(bench);
    isPoor = false;
    expect(bench.model.of('place')).toHaveLength(0);
    bench.bus.publish({ kind: 'balance', time: bench.clock.now(), balances: [] });
    expect(bench.model.of('place')).toHaveLength(1);
  });

  it('wait for the pace of orders, whatever changes before, and for a pause at least', () => {
    const said = { limit: '1', observed: '2', scope: 'strategy' } as const;
    let opensMs = 0;
    const bench: Bench = createBench({
      refuse: (draft) => {
        if (draft.price === 100 || bench.clock.now() >= opensMs) return undefined;
        return { code: bench.drafts.length < 3 ? 'balance' : 'orderRate', ...said };
      },
      paceOpensMs: () => opensMs,
    });
    const { bus, clock, drafts, model } = bench;
    clock.advanceBy(50);
    opensMs = clock.now() + 7_123;
    bench.wish(quotes([100, 99]));
    clock.advanceBy(3_000);
    expect(drafts.map(({ price }) => price)).toEqual([100, 99, 99]);
    bus.publish({ kind: 'balance', time: clock.now(), balances: [] });
    bus.publish({ kind: 'tradingState', time: clock.now(), state: 'ACTIVE', reason: 'a test' });
    bench.executor.endPauses(MARKET.id);
    model.fill(model.orders[0]!, 0.4);
    clock.advanceBy(4_122);
    expect(drafts).toHaveLength(3);
    clock.advanceBy(1);
    expect(drafts).toHaveLength(4);
    opensMs = clock.now() + 60;
    bench.wish(quotes([100, 98]));
    settle(bench);
    expect(drafts).toHaveLength(5);
    clock.advanceBy(900);
    expect(drafts).toHaveLength(5);
    clock.advanceBy(150);
    expect(drafts).toHaveLength(6);
    expect(model.of('place')).toHaveLength(3);
  });
});

describe('Executor.wish: quotes that do not stand', () => {
  it('tries a quote that the exchange sent back a few times, then waits for a new wish', () => {
    const bench = createBench({ config: { retriesMax: 2 } });
    bench.model.fate = (operation) => (operation === 'place' ? { refusal: balanceRefusal() } : {});
    bench.wish(quotes([100]));
    bench.clock.advanceBy(400);
    expect(bench.model.of('place')).toHaveLength(1);
    bench.clock.advanceBy(30_000);
    expect(bench.model.of('place')).toHaveLength(3);
    bench.wish(quotes([101]));
    settle(bench);
    expect(bench.model.of('place')).toHaveLength(4);
  });

  it('cancels the orders of a strategy that is withdrawn, and no others', () => {
    const bench = createBench();
    bench.wish(quotes([100]), 'one');
    bench.wish(quotes([99]), 'two');
    settle(bench);
    bench.executor.withdraw('one');
    settle(bench);
    expect(bench.openPrices().sort()).toEqual([99]);
    bench.executor.withdrawAll();
    settle(bench);
    expect(bench.openPrices().sort()).toEqual([]);
  });
});

describe('Executor.wish, where an order that is only to take rests', () => {
  const LAG_MS = 2_000;

  function resting(intent: Intent) {
    const bench = createBench({ config: { readLagMs: LAG_MS } });
    bench.depths.set(MARKET.id, depthOf(99, 100));
    bench.model.iocRests = true;
    bench.wish(intent);
    settle(bench);
    expect(bench.model.open).toHaveLength(1);
    return bench;
  }

  it('cancels it and goes on towards the target', () => {
    const bench = resting(target(2));
    bench.clock.advanceBy(LAG_MS);
    expect(bench.model.of('cancel')).toHaveLength(0);
    bench.clock.advanceBy(LAG_MS);
    expect(bench.model.of('cancel')).toHaveLength(1);
    bench.model.onPlaced = () => 2;
    bench.clock.advanceBy(LAG_MS);
    expect(bench.held('maker')).toBe(2);
    expect(bench.model.open).toEqual([]);
  });

  it('goes on towards a new target too, without any news of the order', () => {
    const bench = resting(target(2));
    bench.model.fate = (operation) => (operation === 'order' ? { loss: 'lost' } : {});
    bench.wish(target(-1));
    bench.clock.advanceBy(3 * LAG_MS);
    expect(bench.model.orders.slice(1)).toMatchObject([{ record: { side: 'sell', amount: 1 } }]);
  });

  it('cancels a single order too, and does not keep it by the timed cancel', () => {
    const bench = resting({
      ...{ kind: 'order', market: MARKET.id, side: 'buy', type: 'ioc', tag: 'entry' },
      ...{ price: price(100), amount: amount(1) },
    });
    bench.model.fate = (operation) => (operation === 'cancel' ? { loss: 'lost' } : {});
    bench.clock.advanceBy(2 * LAG_MS);
    expect(bench.model.of('cancel')).toHaveLength(1);
    bench.clock.advanceBy(70_000);
    expect(bench.model.of('cancelAllAfter')).toHaveLength(1);
    expect(bench.model.open).toEqual([]);
  });

  it('cancels each in its time, though an older one lives on', () => {
    const entry = (tag: string): Intent => ({
      ...{ kind: 'order', market: MARKET.id, side: 'buy', type: 'ioc', tag },
      ...{ price: price(100), amount: amount(1) },
    });
    const bench = resting(entry('first'));
    bench.model.fate = (operation) => (operation === 'place' ? {} : { loss: 'dead' });
    bench.clock.advanceBy(2 * LAG_MS - 1_000);
    bench.wish(entry('second'));
    bench.clock.advanceBy(1_000);
    expect(bench.model.of('cancel')).toHaveLength(1);
    bench.clock.advanceBy(2 * LAG_MS - 1_000);
    expect(bench.model.of('cancel')).toHaveLength(2);
  });
});

describe('Executor.endPauses', () => {
  /** A target in the second market of which a part is missing still, and a quote that was sent back. */
  function pausing() {
    const long = { targetRetryMs: 60_000, postOnlyRetryMs: 60_000, refusalRetryMs: 60_000 };
    const bench = createBench({ config: long });
    bench.depths.set(SECOND_MARKET.id, depthOf(99, 100, SECOND_MARKET.id));
    bench.model.onPlaced = () => 0.5;
    bench.wish(target(2, { market: SECOND_MARKET.id }));
    settle(bench);
    bench.model.fate = (operation) => (operation === 'place' ? { refusal: balanceRefusal() } : {});
    bench.wish(quotes([90]));
    settle(bench);
    bench.model.fate = () => ({});
    const placed = () => bench.model.of('place').map(({ what }) => (what as PlaceRequest).market);
    return { bench, placed };
  }

  it('has what pauses in that market tried now', () => {
    const { bench, placed } = pausing();
    bench.clock.advanceBy(10_000);
    expect(placed()).toEqual([SECOND_MARKET.id, MARKET.id]);
    bench.executor.endPauses(MARKET.id);
    expect(placed().slice(2)).toEqual([MARKET.id]);
    bench.executor.endPauses(SECOND_MARKET.id);
    expect(placed().slice(3)).toEqual([SECOND_MARKET.id]);
    settle(bench);
    expect(bench.executor.isPausing(MARKET.id)).toBe(false);
  });

  it('leaves an order that is under way the pause behind it', () => {
    const bench = createBench({ config: { targetRetryMs: 60_000 } });
    bench.depths.set(MARKET.id, depthOf(99, 100));
    bench.model.onPlaced = () => 0.5;
    bench.wish(target(2));
    while (bench.live().length === 0) bench.clock.advanceBy(1);
    bench.clock.advanceBy(3);
    bench.executor.endPauses(MARKET.id);
    bench.depths.set(MARKET.id, depthOf(98, 99));
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('place')).toHaveLength(1);
  });

  it('leaves what pauses since that very moment', () => {
    const { bench, placed } = pausing();
    const { length } = placed();
    const isOver = () => bench.live().every(({ market }) => market !== SECOND_MARKET.id);
    bench.clock.advanceBy(10_000);
    bench.executor.endPauses(SECOND_MARKET.id);
    while (!isOver()) bench.clock.advanceBy(1);
    expect(bench.executor.isPausing(SECOND_MARKET.id)).toBe(true);
    bench.executor.endPauses(SECOND_MARKET.id);
    expect(placed()).toHaveLength(length + 1);
    bench.clock.advanceBy(1);
    bench.executor.endPauses(SECOND_MARKET.id);
    expect(placed()).toHaveLength(length + 2);
  });
});

describe('Executor.wish: single orders', () => {
  it('asks for the end of an IOC order whose push does not come', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.wish(order({ type: 'ioc' }));
    bench.clock.advanceBy(3_000);
    expect(bench.live()).toEqual([]);
    expect(bench.model.of('order').length).toBeGreaterThan(0);
  });

  it('places an order once: sent back, it is over', () => {
    const bench = createBench();
    bench.model.fate = (operation) => (operation === 'place' ? { refusal: balanceRefusal() } : {});
    bench.wish(order());
    bench.clock.advanceBy(60_000);
    expect(bench.model.of('place')).toHaveLength(1);
  });

  it('keeps an order that is wished again as it is, and replaces one that differs', () => {
    const bench = createBench();
    bench.wish(order());
    settle(bench);
    bench.wish(order());
    settle(bench);
    expect(bench.model.of('place')).toHaveLength(1);
    bench.wish(order({ at: 101 }));
    settle(bench);
    expect(bench.openPrices().sort()).toEqual([101]);
  });

  it('cancels by tag', () => {
    const bench = createBench();
    bench.wish(order({ tag: 'a' }));
    bench.wish(order({ tag: 'b', at: 90 }));
    settle(bench);
    bench.wish({ kind: 'cancel', market: MARKET.id, tag: 'a' });
    settle(bench);
    expect(bench.openPrices().sort()).toEqual([90]);
  });

  it('says at debug level that there is nothing to cancel', () => {
    const debugs: object[] = [];
    const logger = { ...silentLogger, debug: (fields: object) => debugs.push(fields) };
    const bench = createBench({ logger });
    bench.wish(order());
    settle(bench);
    for (const tag of ['entry', 'nothing']) bench.wish({ kind: 'cancel', market: MARKET.id, tag });
    expect(debugs).toEqual([{ strategy: 'maker', market: MARKET.id, tag: 'nothing' }]);
  });

  it('tells of each that is refused, in the same words too, and of its tag', () => {
    const refusal = { code: 'orderSize', limit: '5', observed: '7', scope: 'order' } as const;
    const bench = createBench({ refuse: () => refusal });
    for (const tag of ['a', 'b']) bench.wish(order({ tag }));
    settle(bench);
    expect(bench.ofKind('refusal').map(({ tag }) => tag)).toEqual(['a', 'b']);
  });

  it('refuses a tag that is kept for quotes and targets', () => {
    const bench = createBench();
    bench.wish(order({ tag: 'quotes/bid/0' }));
    expect(bench.ofKind('refusal').map(({ refusal }) => refusal.code)).toEqual(['reservedTag']);
    bench.clock.advanceBy(5_000);
    expect(bench.model.of('place')).toHaveLength(0);
  });
});

describe('Executor.wish, of several kinds in one market', () => {
  it('moves quotes beside an order by a tag, which stays', () => {
    const bench = createBench();
    bench.wish(order({ tag: 'mine', at: 95 }));
    bench.wish(quotes([100]));
    settle(bench);
    bench.wish(quotes([99]));
    settle(bench);
    expect(bench.openPrices().sort()).toEqual([95, 99]);
  });

  it('gives a target up that is withdrawn, whatever of it is missing', () => {
    const bench = createBench();
    bench.depths.set(MARKET.id, depthOf(99, 100));
    bench.model.onPlaced = () => 0.5;
    bench.wish(target(2));
    settle(bench);
    bench.executor.withdraw('maker');
    bench.clock.advanceBy(10_000);
    expect(bench.model.of('place')).toHaveLength(1);
  });
});
