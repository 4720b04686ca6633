import { describe, expect, it } from 'vitest';
import type { DataStream, Depth, Ticker, TradingEvent } from '../../src/domain/index.ts';
import { Bus, VirtualClock } from '../../src/kernel/index.ts';
import { MarketView } from '../../src/market/index.ts';
import type { PriceView } from '../../src/risk/ports.ts';
import { depthOf, MARKET, START_MS, tickerOf, tradeOf } from './fixture.ts';

function viewFixture() {
  const clock = new VirtualClock(START_MS);
  const bus = new Bus<TradingEvent>();
  const view = new MarketView({ clock, bus, staleAfterMs: { depth: 1_000, ticker: 3_000 } });
  const received = () => ({ exchangeTime: clock.now(), receivedTime: clock.now() });
  return {
    clock,
    view,
    bus,
    depth: (overrides: Partial<Depth> = {}) =>
      bus.publish({ kind: 'depth', ...depthOf({ ...received(), ...overrides }) }),
    ticker: (overrides: Partial<Ticker> = {}) =>
      bus.publish({ kind: 'ticker', ...tickerOf({ ...received(), ...overrides }) }),
    trade: (id: number, price: number) =>
      bus.publish({ kind: 'trade', ...tradeOf(id, { ...received(), price }) }),
    freshness: (stream: DataStream, fresh: boolean) =>
      bus.publish({ kind: 'freshness', time: 0, market: MARKET, stream, fresh, ageMs: 0 }),
    connection: (connected: boolean, channel: 'market' | 'pushes' = 'market') =>
      bus.publish({ kind: 'connection', time: 0, channel, connected, reason: '' }),
  };
}

describe('MarketView, prices', () => {
  it('is what risk asks for', () => {
    const view: PriceView = viewFixture().view;
    expect(view.depth(MARKET)).toBeUndefined();
    expect(view.last(MARKET)).toBeUndefined();
    expect(view.isFresh(MARKET)).toBe(false);
  });

  it('keeps the newest depth and ticker', () => {
    const { view, depth, ticker } = viewFixture();
    ticker();
    depth();
    depth({ bids: [[98, 1]], asks: [[100, 1]] });
    expect(view.depth(MARKET)?.bids).toEqual([[98, 1]]);
    expect(view.last(MARKET)).toBe(100.5);
  });

  it('gives the price of the newest trade or ticker, late trades aside', () => {
    const { view, ticker, trade } = viewFixture();
    trade(10, 100);
    ticker({ last: 101 });
    expect(view.last(MARKET)).toBe(101);
    trade(11, 102);
    trade(9, 50);
    ticker({ last: 0 });
    expect(view.last(MARKET)).toBe(102);
  });

  it('keeps the last middle while a side is missing', () => {
    const { view, depth } = viewFixture();
    expect(view.lastMiddle(MARKET)).toBeUndefined();
    depth({ bids: [], asks: [] });
    expect(view.lastMiddle(MARKET)).toBeUndefined();
    depth({ bids: [[98, 1]], asks: [[100, 1]] });
    for (const sides of [{ bids: [] }, { bids: [], asks: [] }, { asks: [] }]) {
      depth(sides as Partial<Depth>);
      expect(view.lastMiddle(MARKET)).toBe(99);
    }
    depth({ bids: [[90, 1]], asks: [[92, 1]] });
    expect(view.lastMiddle(MARKET)).toBe(91);
  });
});

describe('MarketView.isFresh', () => {
  it('holds while the depth is young', () => {
    const { clock, view, depth } = viewFixture();
    depth();
    clock.advanceBy(999);
    expect(view.isFresh(MARKET)).toBe(true);
    clock.advanceBy(1);
    expect(view.isFresh(MARKET)).toBe(false);
  });

  it('fails for a young book that is crossed or empty, whatever the ticker says', () => {
    const { view, depth, ticker } = viewFixture();
    ticker();
    depth({ bids: [[101, 1]] });
    expect(view.isFresh(MARKET)).toBe(false);
    depth({ asks: [] });
    expect(view.isFresh(MARKET)).toBe(false);
    depth();
    expect(view.isFresh(MARKET)).toBe(true);
  });

  it('goes by the ticker where depth is not watched', () => {
    const { clock, view, depth, ticker } = viewFixture();
    depth();
    clock.advanceBy(2_000);
    ticker();
    expect(view.isFresh(MARKET)).toBe(true);
    ticker({ bid: 0 });
    expect(view.isFresh(MARKET)).toBe(false);
    ticker({ bid: 102 });
    expect(view.isFresh(MARKET)).toBe(false);
    ticker();
    clock.advanceBy(3_000);
    expect(view.isFresh(MARKET)).toBe(false);
  });

  it('fails while the depth is reported stale, even beside a young ticker', () => {
    const { view, depth, ticker, freshness } = viewFixture();
    depth();
    ticker();
    freshness('depth', false);
    expect(view.isFresh(MARKET)).toBe(false);
    freshness('depth', true);
    freshness('trade', false);
    expect(view.isFresh(MARKET)).toBe(true);
  });

  it('fails while the market channel is disconnected', () => {
    const { view, depth, connection } = viewFixture();
    depth();
    connection(false, 'pushes');
    expect(view.isFresh(MARKET)).toBe(true);
    connection(false);
    expect(view.isFresh(MARKET)).toBe(false);
    connection(true);
    expect(view.isFresh(MARKET)).toBe(true);
  });
});

describe('MarketView.freshUntilMs', () => {
  it('ends at the age of the depth, behind that of the ticker, and at none before either', () => {
    const { clock, view, depth, ticker } = viewFixture();
    const leftMs = () => view.freshUntilMs(MARKET) - clock.now();
    expect(leftMs()).toBe(Number.POSITIVE_INFINITY);
    depth();
    clock.advanceBy(400);
    expect(leftMs()).toBe(600);
    ticker();
    expect(leftMs()).toBe(600);
    clock.advanceBy(600);
    const ofTickerMs = leftMs();
    expect(view.isFresh(MARKET)).toBe(true);
    clock.advanceBy(ofTickerMs);
    expect(view.isFresh(MARKET)).toBe(false);
  });

  it('stays where it ended until a newer record comes', () => {
    const { clock, view, depth, ticker } = viewFixture();
    depth();
    const endedMs = clock.now() + 1_000;
    clock.advanceBy(1_500);
    expect(view.freshUntilMs(MARKET)).toBe(endedMs);
    ticker();
    clock.advanceBy(4_000);
    expect(view.freshUntilMs(MARKET)).toBe(endedMs + 3_500);
  });
});
