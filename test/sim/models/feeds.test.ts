import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Depth, TradingEvent } from '../../../src/domain/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { DepthFeed } from '../../../src/sim/models/depth-feed.ts';
import { TradesFeed } from '../../../src/sim/models/trades-feed.ts';
import { MARKET, START_MS } from '../fixture.ts';
import { type DepthRow, depthColumns, snapshotRows, tradeColumns } from './model-fixture.ts';

function depthFeedFixture(options: { levels?: number } = {}) {
  const clock = new VirtualClock(START_MS);
  const events: TradingEvent[] = [];
  const feed = new DepthFeed({
    ...{ clock, market: MARKET, ...options },
    publish: (event) => events.push(event),
  });
  const hear = (...rows: readonly DepthRow[]): void => {
    const columns = depthColumns(rows);
    for (let at = 0; at < rows.length; at++) feed.hear(columns, { at, end: at + 1 });
  };
  const depths = () => events.filter((event) => event.kind === 'depth');
  return { clock, feed, events, hear, depths };
}

const WHOLE = snapshotRows({
  bids: [
    [99.9, 2],
    [99.8, 5],
  ],
  asks: [
    [100, 1],
    [100.1, 3],
  ],
});

function change(side: 'buy' | 'sell', [price, amount]: readonly [number, number], update: number) {
  return { event: 'change', side, price, amount, update } as const;
}

describe('DepthFeed', () => {
  test('is complete before a row of another update happens, and waits for trades', () => {
    const { feed, hear, depths } = depthFeedFixture();
    hear(...WHOLE);
    const rows = depthColumns([
      { event: 'trade', side: 'buy', price: 100, amount: 1, update: 2 },
      change('sell', [100, 2], 1),
      change('sell', [100, 2], 3),
    ]);
    const heard = [0, 1, 2, 2].map((at) => {
      feed.before(rows, at);
      return depths().length;
    });
    expect(heard).toEqual([0, 0, 1, 1]);
  });

  test('tells of an update once it is complete', () => {
    const { clock, feed, hear, depths } = depthFeedFixture();
    hear(...WHOLE);
    expect(depths()).toEqual([]);
    feed.complete();
    feed.complete();
    clock.advanceBy(7);
    expect(depths()).toMatchObject([
      { market: MARKET.id, exchangeTime: START_MS, receivedTime: START_MS },
    ]);
    hear(change('buy', [99.9, 0], 2), change('buy', [99.95, 1], 2), change('sell', [100, 2], 3));
    expect(depths()).toHaveLength(2);
    expect(depths()[1]).toMatchObject({
      bids: [
        [99.95, 1],
        [99.8, 5],
      ],
      receivedTime: START_MS + 7,
    });
  });

  test('shows so many levels, and the same objects where nothing changed', () => {
    const { feed, hear, depths } = depthFeedFixture({ levels: 1 });
    hear(...WHOLE, change('buy', [99.8, 1], 2), change('sell', [99.95, 4], 3));
    feed.complete();
    const [first, second, third] = depths() as Depth[] as [Depth, Depth, Depth];
    expect(first.bids).toEqual([[99.9, 2]]);
    expect(second.bids).toBe(first.bids);
    expect(second.asks).toBe(first.asks);
    expect(third.asks).toEqual([[99.95, 4]]);
  });

  test('keeps what it told as it was', () => {
    const { feed, hear, depths } = depthFeedFixture();
    hear(...WHOLE, change('buy', [99.95, 1], 2), change('buy', [99.9, 7], 3));
    feed.complete();
    const [first, second, third] = depths() as Depth[] as [Depth, Depth, Depth];
    expect(first.bids[0]).toEqual([99.9, 2]);
    expect(second.bids[1]).toBe(first.bids[0]);
    expect(third.bids[1]).toEqual([99.9, 7]);
  });
});

describe('DepthFeed: all but the book', () => {
  test('tells of trades at once', () => {
    const trade = { event: 'trade', side: 'sell', price: 99.9, amount: 1 } as const;
    const { hear, events } = depthFeedFixture();
    hear(trade, trade);
    expect(events).toMatchObject([
      { kind: 'trade', id: '1', side: 'sell', price: 99.9, amount: 1 },
      { kind: 'trade', id: '2' },
    ]);
  });

  test('a gap is stale data until the next whole book, then both its sides are told', () => {
    const { clock, feed, hear, events } = depthFeedFixture();
    hear(...WHOLE);
    feed.complete();
    clock.advanceBy(500);
    hear({ event: 'gap', update: 2, afterMs: 500 }, change('buy', [1, 1], 3));
    feed.complete();
    hear({ event: 'gap', update: 4, afterMs: 600 });
    clock.advanceBy(500);
    const later = snapshotRows({ bids: [[90, 1]], asks: [[91, 1]] }, 5);
    hear(...later.map((row) => ({ ...row, afterMs: 1_000 })));
    feed.complete();
    const told = { market: MARKET.id, stream: 'depth' };
    expect(events.slice(1)).toMatchObject([
      { kind: 'freshness', ...told, fresh: false, ageMs: 500, time: START_MS + 500 },
      { kind: 'depth', bids: [[90, 1]] },
      {
        ...{ kind: 'gap', ...told, time: START_MS + 1_000 },
        ...{ after: String(START_MS), before: String(START_MS + 1_000) },
      },
      { kind: 'freshness', ...told, fresh: true, ageMs: 0, time: START_MS + 1_000 },
    ]);
  });
});

describe('DepthFeed: its levels', () => {
  test('show the top of what a sorted map holds, whatever the changes', () => {
    const step = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      price: fc.integer({ min: 1, max: 40 }),
      amount: fc.integer({ min: 0, max: 3 }),
      update: fc.integer({ min: 0, max: 1 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 120 }), (steps) => {
        const { feed, hear, depths } = depthFeedFixture({ levels: 3 });
        hear(...snapshotRows({ bids: [[20, 1]], asks: [[21, 1]] }, 0));
        const naive = { buy: new Map([[20, 1]]), sell: new Map([[21, 1]]) };
        let update = 1;
        for (const { side, price, amount, ...more } of steps) {
          update += more.update;
          hear(change(side, [price, amount], update));
          naive[side].delete(price);
          if (amount > 0) naive[side].set(price, amount);
        }
        feed.complete();
        const top = (side: 'buy' | 'sell') => {
          const sign = side === 'buy' ? -1 : 1;
          return [...naive[side]].sort(([a], [b]) => sign * (a - b)).slice(0, 3);
        };
        expect(depths().at(-1)).toMatchObject({ bids: top('buy'), asks: top('sell') });
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});

describe('TradesFeed', () => {
  test('tells of each row, stamped with when it is heard', () => {
    const clock = new VirtualClock(START_MS);
    const events: TradingEvent[] = [];
    const publish = (event: TradingEvent) => events.push(event);
    const feed = new TradesFeed({ clock, market: MARKET, publish });
    const rows = tradeColumns([
      { side: 'buy', price: 100, amount: 0.5 },
      { side: 'sell', price: 99, amount: 1, afterMs: 5 },
    ]);
    clock.advanceBy(20);
    feed.hear(rows, 0);
    feed.hear(rows, 1);
    const shared = { kind: 'trade', market: MARKET.id, receivedTime: START_MS + 20 };
    expect(events).toEqual([
      { ...shared, id: '1', side: 'buy', price: 100, amount: 0.5, exchangeTime: START_MS },
      { ...shared, id: '2', side: 'sell', price: 99, amount: 1, exchangeTime: START_MS + 5 },
    ]);
  });
});
