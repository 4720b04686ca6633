import { describe, expect, it } from 'vitest';
import type { LiveOrder, Market, Side } from '../../../src/domain/index.ts';
import { obstaclesTo, Way, withoutOwn } from '../../../src/execution/desk/obstacles.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import type { OrderDraft } from '../../../src/risk/index.ts';
import { quotes as bids, target as exit } from '../../../src/strategy/index.ts';
import { crowdFixture } from '../../simulation/crowd.ts';
import { amount, price } from '../exchange-model.ts';
import { type Bench, createBench, depthOf, MARKET, quotes, target } from '../fixture.ts';

interface OwnOrder {
  readonly price: number;
  readonly tag?: string;
  readonly status?: LiveOrder['status'];
  readonly side?: 'buy' | 'sell';
  readonly exchangeOrderId?: undefined;
}

/** The prices of the quotes that give way to a sale of 1 of 2 held, at 98.8 or better. */
function waysOf(own: readonly OwnOrder[], { held = 2, rests = false } = {}) {
  const live = own.map((order) => ({
    ...{ side: 'buy', status: 'open', tag: 'quotes/bid/0', exchangeOrderId: '1', ...order },
  })) as readonly unknown[] as readonly LiveOrder[];
  const terms = { side: 'sell', type: 'ioc', price: price(98.8), amount: amount(1) } as const;
  const found = obstaclesTo(
    { ...terms, tag: 'target/' },
    { held: Decimal.of(held), live, mayRest: () => rests },
  );
  return found.map((order) => order.price);
}

describe('obstaclesTo', () => {
  it('are own quotes that it would meet, not those behind its limit', () => {
    expect(waysOf([{ price: 99 }, { price: 99.5 }, { price: 98.7 }])).toEqual([99, 99.5]);
    expect(waysOf([{ price: 99 }, { price: 99, side: 'sell' }])).toEqual([99]);
    expect(waysOf([{ price: 99, status: 'cancelling' }])).toEqual([99]);
  });

  it.each<[string, OwnOrder]>([
    ['of which one was asked for by itself', { price: 99, tag: 'mine' }],
    ['of which one pursues a target', { price: 99, tag: 'target/' }],
    ['of which one has not been heard of', { price: 99, status: 'pending' }],
  ])('are none %s: the others would give way in vain', (_what, order) => {
    expect(waysOf([{ price: 99.1 }, order])).toEqual([]);
  });

  it.each([
    ['a quote', 'quotes/bid/0'],
    ['an order that was asked for by itself', 'mine'],
  ])('go by no order in doubt: %s', (_what, tag) => {
    const lost = { status: 'unknown', exchangeOrderId: undefined } as const;
    expect(waysOf([{ price: 99.1 }, { price: 99, tag, ...lost }])).toEqual([99.1]);
    expect(waysOf([{ price: 99, tag, ...lost }])).toEqual([]);
  });

  it('are asks to what buys back', () => {
    const live = [100.9, 101, 101.1].map((at) => ({
      ...{ side: 'sell', status: 'open', tag: 'quotes/ask/0', exchangeOrderId: '1', price: at },
    })) as readonly unknown[] as readonly LiveOrder[];
    const terms = { side: 'buy', type: 'ioc', price: price(101), amount: amount(1) } as const;
    const view = { live, held: Decimal.of(-1), mayRest: () => false };
    const found = obstaclesTo({ ...terms, tag: 'target/' }, view);
    expect(found.map((order) => Number(order.price))).toEqual([100.9, 101]);
  });

  it('are none of what may rest unwished, nor to what does more than shrink a position', () => {
    expect(waysOf([{ price: 99 }], { rests: true })).toEqual([]);
    expect(waysOf([{ price: 99 }], { held: 0.9 })).toEqual([]);
    expect(waysOf([{ price: 99 }], { held: -2 })).toEqual([]);
    expect(waysOf([{ price: 99 }], { held: 1 })).toEqual([99]);
  });
});

const crossed = { code: 'selfCross', limit: '', observed: '', scope: 'account' } as const;

/**
 * A bench that refuses own orders that would trade with each other; the strategy `stop` holds 2.
 */
function holding(): Bench {
  const meets = ({ side, price: at }: OrderDraft) =>
    bench
      .live()
      .some((own) => own.side !== side && (side === 'sell' ? own.price >= at : own.price <= at));
  const bench: Bench = createBench({
    refuse: (draft) => (meets(draft) ? crossed : undefined),
    book: [99, 100],
  });
  // IOC orders are of 2, resting ones of 1.
  bench.model.onPlaced = ({ record }) => (record.amount === 2 ? 2 : 0);
  bench.wish(target(2), 'stop');
  bench.clock.advanceBy(2_000);
  bench.wish(quotes([99], [105]));
  bench.clock.advanceBy(2_000);
  return bench;
}

const heldBy = (bench: Bench) => bench.positions.position(MARKET.id, 'stop').amount.toString();

describe('withoutOwn', () => {
  it('leaves out levels that are ours alone, and none where all of a side are', () => {
    const own = (side: 'buy' | 'sell', at: number, filledAmount = 0) =>
      ({ side, price: at, amount: 1, filledAmount }) as LiveOrder;
    const depth = {
      ...depthOf(0, 0),
      bids: [
        [99, 2],
        [98, 0.6],
        [97, 3],
      ] as const,
      asks: [[101, 1]] as const,
    };
    const live = [own('buy', 99), own('buy', 99), own('buy', 98, 0.5), own('sell', 101)];
    expect(withoutOwn(depth, live)).toMatchObject({
      bids: [
        [98, 0.6],
        [97, 3],
      ],
      asks: [[101, 1]],
    });
  });
});

/** The way of an exit of that side at 100, and the quotes that it may meet. */
function wayFixture(side: Side = 'sell') {
  const way = new Way();
  const [other, held] = side === 'sell' ? (['buy', 2] as const) : (['sell', -2] as const);
  const depth = depthOf(99, 101);
  const terms = (at: number, of: Side = side) =>
    ({ side: of, type: 'ioc', price: price(at), amount: amount(1), tag: 'target/' }) as const;
  const quote = {
    status: 'open',
    tag: 'quotes/x/0',
    exchangeOrderId: '1',
    side: other,
    price: 100,
  };
  /** Blocks the way by a quote, which goes if `leaves`. */
  const clear = (
    live: readonly object[],
    furthest: ReturnType<typeof terms> | string = terms(100),
  ) =>
    way.clear({
      ...{ held: Decimal.of(held), live: live as readonly LiveOrder[], mayRest: () => false },
      ...{ furthest, depth },
    });
  const clearAll = (nowMs = 0) => {
    way.refused(true, nowMs);
    clear([quote]);
    clear([]);
  };
  /** Sends so many orders on the way, each priced by another book. */
  const miss = (times: number) => {
    for (let i = 0; i < times; i++) way.placed(depthOf(99, 101));
  };
  return { way, other, depth, terms, quote, clear, clearAll, miss };
}

describe('Way', () => {
  it.each<[Side, readonly number[], number]>([
    ['sell', [100, 101], 99],
    ['buy', [100, 99], 101],
  ])('of a %s keeps out what it would meet until it is left', (side, met, beyond) => {
    const { way, other, terms, quote, clear } = wayFixture(side);
    const keptOut = (of: Side) => [...met, beyond].map((at) => way.keepsOut(terms(at, of)));
    way.refused(true, 0);
    expect([way.isBlocked, ...keptOut(other)]).toEqual([true, false, false, false]);
    expect(clear([quote])).toEqual([quote]);
    expect([way.isBlocked, ...keptOut(other)]).toEqual([true, true, true, false]);
    expect(clear([])).toEqual([]);
    expect([way.isBlocked, way.isCleared, ...keptOut(other)]).toEqual([
      ...[false, true],
      ...[true, true, false],
    ]);
    expect(keptOut(side)).toEqual([false, false, false]);
    way.refused(false, 0);
    expect([way.isCleared, ...keptOut(other)]).toEqual([false, false, false, false]);
  });

  it.each<[Side, number, number]>([
    ['sell', 101, 99],
    ['buy', 99, 101],
  ])('of a %s is gone by the book that it was cleared by', (side, nearer, further) => {
    const { way, depth, terms, clearAll } = wayFixture(side);
    const priceOf = (at: number, by = depth) => Number(way.along(terms(at), by).price);
    expect(priceOf(nearer)).toBe(nearer);
    clearAll();
    expect([priceOf(nearer), priceOf(further)]).toEqual([100, further]);
    expect(priceOf(nearer, depthOf(99, 101))).toBe(nearer);
    way.leave();
    expect(priceOf(nearer)).toBe(nearer);
  });

  it('is left where nothing is in it, or nothing can go it', () => {
    const { way, quote, clear } = wayFixture();
    for (const leave of [() => clear([]), () => clear([quote], 'blocked')]) {
      way.refused(true, 0);
      expect(leave()).toEqual([]);
      expect([way.isBlocked, way.isCleared]).toEqual([false, false]);
    }
  });
});

describe('Way.wait', () => {
  it('leaves it when no order could leave on it twice in a row, and counts no miss', () => {
    const { way, clearAll, miss } = wayFixture();
    clearAll();
    way.wait();
    miss(1);
    way.judge(0, 1_000);
    way.wait();
    expect(way.isCleared).toBe(true);
    way.wait();
    expect(way.isCleared).toBe(false);
    clearAll();
    expect(way.isCleared).toBe(true);
  });
});

describe('Way.judge', () => {
  it('gives it up when two orders in a row met nobody, for longer each time', () => {
    const { way, depth, clearAll, miss } = wayFixture();
    const RETRY_MS = 1_000;
    let nowMs = 0;
    // The way was not cleared for these.
    miss(9);
    /** How long the way stays given up; 0: it is not given up. */
    const pauseMs = (retryMs = RETRY_MS) => {
      way.judge(nowMs, retryMs);
      if (way.isCleared) return 0;
      const beganMs = nowMs;
      for (; !way.isBlocked; nowMs += RETRY_MS / 2) way.refused(true, nowMs);
      nowMs -= RETRY_MS / 2;
      return nowMs - beganMs;
    };
    const pausesMs = Array.from({ length: 8 }, () => {
      clearAll(nowMs);
      miss(1);
      way.placed(depth);
      expect(pauseMs()).toBe(0);
      miss(1);
      return pauseMs();
    });
    expect(pausesMs).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
    clearAll(nowMs);
    miss(1);
    way.filled();
    miss(1);
    expect(pauseMs()).toBe(0);
    miss(1);
    expect(pauseMs()).toBe(1_000);
    clearAll(nowMs);
    miss(2);
    expect(pauseMs(90_000)).toBe(90_000);
    clearAll(nowMs);
    miss(2);
    way.judge(nowMs, RETRY_MS);
    way.endPause();
    expect(pauseMs()).toBe(0);
  });
});

describe('Executor.wish: a target beside own quotes that are the best of the book', () => {
  it('leaves as soon as they have given way, and they come back', () => {
    const bench = holding();
    expect(heldBy(bench)).toBe('2');
    expect(bench.openPrices()).toEqual([99, 105]);
    bench.wish(target(0), 'stop');
    bench.clock.advanceBy(500);
    expect(heldBy(bench)).toBe('0');
    expect(bench.openPrices()).toEqual([105]);
    expect(bench.ofKind('refusal').map(({ refusal }) => refusal.code)).toEqual(['selfCross']);
    bench.clock.advanceBy(5_000);
    expect(bench.openPrices()).toEqual([105, 99]);
    expect(bench.model.of('cancel')).toHaveLength(1);
  });

  it('leaves though it is wished anew at every tick, and the quotes are too', () => {
    const bench = holding();
    expect(heldBy(bench)).toBe('2');
    for (let tick = 0; tick < 30; tick++) {
      bench.wish(target(0), 'stop');
      bench.wish(quotes([99 + (tick % 2) / 10], [105]));
      bench.clock.advanceBy(100);
    }
    expect(heldBy(bench)).toBe('0');
  });

  it('comes back however often it gave way', () => {
    const bench = holding();
    bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
    for (let left = 9; left >= 0; left--) {
      bench.wish(target(left / 5), 'stop');
      bench.clock.advanceBy(3_000);
    }
    expect(heldBy(bench)).toBe('0');
    expect(bench.model.of('cancel')).toHaveLength(10);
    expect(bench.openPrices()).toEqual([105, 99]);
  });

  it('gives way once to all parts of an exit', () => {
    const bench = holding();
    bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? 0.2 : 0);
    bench.wish(target(0), 'stop');
    bench.clock.advanceBy(30_000);
    expect(heldBy(bench)).toBe('0');
    expect(bench.model.of('cancel')).toHaveLength(1);
    expect(bench.openPrices()).toEqual([105, 99]);
  });

  it('leaves though the book still shows what has gone, ahead of more of ours', () => {
    const bench = holding();
    bench.wish(quotes([99, 98.95, 98.9], [105]));
    bench.clock.advanceBy(2_000);
    bench.wish(target(0), 'stop');
    bench.clock.advanceBy(500);
    expect(heldBy(bench)).toBe('0');
    expect(bench.model.of('place').at(-1)?.what).toMatchObject({ price: 98.81 });
    expect(bench.model.of('cancel')).toHaveLength(3);
  });
});

describe('Executor.wish: a target beside own quotes that alone are near', () => {
  const OTHERS = 97;
  const exits = (bench: Bench) =>
    bench.model.orders.filter(({ record }) => record.side === 'sell' && record.type === 'ioc');

  /** Others bid far below the maker: `shown` is the book that the exchange tells. */
  function behind(shown: readonly (readonly [number, number])[]) {
    const bench = holding();
    const told = () => ({ ...depthOf(99, 100), bids: shown });
    bench.model.onPlaced = ({ record: { type, price: limit, amount: all } }) =>
      type === 'ioc' && limit <= OTHERS ? all : 0;
    bench.depths.set(MARKET.id, told());
    bench.wish(target(0), 'stop');
    return { bench, told };
  }

  it('leaves at the price of the others, though the book still shows what has gone', () => {
    const { bench } = behind([
      [99, 1],
      [OTHERS, 5],
    ]);
    bench.clock.advanceBy(500);
    expect(exits(bench).map(({ record }) => Number(record.price))).toEqual([96.81]);
    expect(heldBy(bench)).toBe('0');
    bench.clock.advanceBy(5_000);
    expect(bench.openPrices()).toEqual([105, 99]);
    expect(bench.model.of('cancel')).toHaveLength(1);
  });

  it.each([10, 200, 900])('leaves by a book that shows them %i ms later', (lagMs) => {
    const { bench } = behind([[99, 1]]);
    for (let ms = 0; ms < 10_000; ms += lagMs) {
      bench.clock.advanceBy(lagMs);
      const best = Math.max(OTHERS, ...bench.openPrices().filter((at) => at < 100));
      bench.depths.set(MARKET.id, depthOf(best, 100));
    }
    expect(heldBy(bench)).toBe('0');
    expect(bench.model.of('cancel')).toHaveLength(1);
    expect(bench.openPrices()).toEqual([105, 99]);
  });

  it('gives up for longer each time where nobody is behind them: they come back', () => {
    const { bench, told } = behind([[99, 1]]);
    let restingMs = 0;
    for (let ms = 0; ms < 600_000; ms += 500) {
      bench.clock.advanceBy(500);
      bench.depths.set(MARKET.id, told());
      if (bench.openPrices().includes(price(99))) restingMs += 500;
    }
    expect(bench.model.of('cancel').length).toBeLessThan(18);
    expect(restingMs).toBeGreaterThan(540_000);
  });

  it('keeps out what it would meet alone, until it is wished no more', () => {
    const { bench } = behind([[99, 1]]);
    bench.clock.advanceBy(500);
    bench.wish(quotes([98.9, 90], [104]));
    bench.clock.advanceBy(600);
    expect(bench.openPrices().toSorted()).toEqual([104, 90]);
    bench.wish(quotes([]), 'stop');
    bench.clock.advanceBy(100);
    expect(bench.openPrices().toSorted()).toEqual([104, 90, 98.9]);
  });
});

describe('Executor.wish: a target that empties the book beside own quotes', () => {
  it('has them give way once', async () => {
    const bid = { atMs: 5_000, of: (market: Market) => bids(market, [[99.95, 1]], []) };
    const bot = await crowdFixture({
      wishes: {
        stop: [
          { atMs: 1_000, of: (market) => exit(market, 2) },
          { atMs: 10_000, of: (market) => exit(market, 0) },
        ],
        maker: [bid],
      },
      risk: { orderValueMax: 1e4, openValueMax: 1e5, positionValueMax: 1e5 },
      latencyMs: 50,
    });
    for (let atMs = 0; atMs < 30_000; atMs += 100) {
      bot.book([[99.9, atMs < 9_000 ? 50 : 0.01]], [[100.1, 50]]);
      await bot.run(100);
    }
    const left = bot.events.flatMap((event) =>
      event.kind === 'order' && event.order.status === 'pending' ? [event.order.strategy] : [],
    );
    expect(left.filter((strategy) => strategy === 'maker')).toHaveLength(1);
    expect(left.length).toBeGreaterThan(10);
  });
});

describe('Executor.wish: own quotes in the way of a target', () => {
  it('do not give way to what buys more', () => {
    const bench = holding();
    bench.depths.set(MARKET.id, depthOf(99, 105));
    bench.wish(target(3), 'stop');
    bench.clock.advanceBy(5_000);
    expect(bench.model.of('cancel')).toHaveLength(0);
    expect(bench.openPrices()).toEqual([99, 105]);
  });

  it('leave it waiting a second at a time where one of them does not give way', () => {
    const bench = holding();
    const order = { side: 'buy', price: price(99), amount: amount(1), type: 'limit' } as const;
    bench.wish({ kind: 'order', market: MARKET.id, tag: 'mine', ...order }, 'third');
    bench.clock.advanceBy(1_000);
    const before = bench.drafts.length;
    bench.wish(target(0), 'stop');
    bench.clock.advanceBy(4_000);
    expect(bench.drafts.length - before).toBe(5);
    expect(bench.model.of('cancel')).toHaveLength(0);
    expect(heldBy(bench)).toBe('2');
  });
});
