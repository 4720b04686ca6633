import { describe, expect, it } from 'vitest';
import type { Candle } from '../../../src/domain/index.ts';
import type { MarketConfig } from '../../../src/market/index.ts';
import { candleOf, MARKET, marketFixture, noAnswer, START_MS } from '../fixture.ts';

const MINUTE = 60_000;
const minute = (at: number) => START_MS + at * MINUTE;

function venueFixture(options: { config?: Partial<MarketConfig>; feed?: boolean } = {}) {
  const { config = {}, feed = false } = options;
  const date = { aheadMs: 0 };
  const fixture = marketFixture({
    startMs: minute(10) + 30_000,
    feed,
    config: { candles: 'venue', candleHistory: 3, ...config },
    aheadMs: () => date.aheadMs,
  });
  const { clock, streams, venue } = fixture;
  /** What the venue says of minutes that differ from the common candle. */
  const revised = new Map<number, Partial<Candle>>();
  venue.script.candles = ({ since = minute(0) - 1, size = 1_000 }) => {
    const newest = Math.floor((clock.now() - START_MS) / MINUTE);
    const all = Array.from({ length: newest + 1 }, (_, at) =>
      candleOf(minute(at), { close: at, closed: at < newest, ...revised.get(at) }),
    );
    return all.filter(({ openTime }) => openTime > since).slice(-size);
  };
  const candles: Candle[] = [];
  const subscribe = () =>
    streams
      .candles({ market: MARKET, interval: '1min' })
      .subscribe((candle) => candles.push(candle));
  const brief = () =>
    candles.map(({ openTime, close, closed }) => [
      (openTime - START_MS) / MINUTE,
      closed ? close : `${close} running`,
    ]);
  const push = (at: number, overrides: Partial<Candle> = {}) =>
    venue.pushes.candles.next(candleOf(minute(at), { close: at, closed: false, ...overrides }));
  return { ...fixture, date, revised, subscribe, brief, push, candles };
}

describe('VenueCandles, polled', () => {
  it('publishes the history, then each candle as it closes, once', () => {
    const { clock, subscribe, brief } = venueFixture();
    subscribe();
    clock.advanceBy(2 * MINUTE);
    expect(brief()).toEqual([
      [7, 7],
      [8, 8],
      [9, 9],
      [10, 10],
      [11, 11],
    ]);
  });

  it('publishes a revised candle anew', () => {
    const { clock, subscribe, brief, revised } = venueFixture();
    subscribe();
    clock.advanceBy(MINUTE);
    revised.set(10, { close: 10.5 });
    clock.advanceBy(10_000);
    expect(brief().slice(3)).toEqual([
      [10, 10],
      [10, 10.5],
    ]);
  });

  it('publishes no candle whose interval still runs, however it changes', () => {
    const { clock, subscribe, brief, revised } = venueFixture();
    subscribe();
    clock.advanceBy(10_000);
    revised.set(10, { close: 99 });
    clock.advanceBy(5_000);
    expect(brief().map(([at]) => at)).toEqual([7, 8, 9]);
  });

  it('catches up after an outage', () => {
    const { clock, venue, subscribe, brief, of } = venueFixture();
    subscribe();
    clock.advanceBy(0);
    venue.script.failure = noAnswer;
    clock.advanceBy(20 * MINUTE);
    venue.script.failure = undefined;
    clock.advanceBy(30_000);
    expect(brief().map(([at]) => at)).toEqual(Array.from({ length: 24 }, (_, at) => at + 7));
    expect(of('gap')).toEqual([]);
  });

  it('names the hole that the venue cannot close', () => {
    const { clock, venue, subscribe, of } = venueFixture();
    subscribe();
    clock.advanceBy(0);
    venue.script.failure = noAnswer;
    clock.advanceBy(2_000 * MINUTE);
    venue.script.failure = undefined;
    clock.advanceBy(30_000);
    expect(of('gap')).toMatchObject([{ stream: 'candle', after: String(minute(10)) }]);
  });
});

describe('VenueCandles where the date is wrong', () => {
  it('takes none for closed that only a date calls so which is ahead for a moment', () => {
    const { clock, date, subscribe, brief, revised } = venueFixture();
    subscribe();
    clock.advanceBy(10_000);
    date.aheadMs = 600_000;
    revised.set(10, { close: 99, closed: true });
    clock.advanceBy(10_000);
    expect(brief().map(([at]) => at)).toEqual([7, 8, 9]);
    date.aheadMs = 0;
    revised.delete(10);
    clock.advanceBy(20_000);
    expect(brief().slice(3)).toEqual([[10, 10]]);
  });

  it('publishes each as it closes where the date is behind', () => {
    const { clock, date, subscribe, brief } = venueFixture();
    date.aheadMs = -10 * MINUTE;
    subscribe();
    clock.advanceBy(2 * MINUTE);
    expect(brief().map(([at]) => at)).toEqual([7, 8, 9, 10, 11]);
  });
});

describe('VenueCandles, from the feed', () => {
  it('closes a candle when the next is pushed, as a request then finds it', () => {
    const { clock, venue, subscribe, brief, push, revised } = venueFixture({ feed: true });
    subscribe();
    clock.advanceBy(1_000);
    revised.set(10, { close: 20 });
    push(10, { close: 20 });
    clock.advanceBy(29_000);
    const requests = venue.timesOf('candles').length;
    revised.set(10, { close: 21 });
    push(11);
    expect(brief().slice(3)).toEqual([]);
    clock.advanceBy(2_000);
    expect(brief().slice(3)).toEqual([[10, 21]]);
    clock.advanceBy(20_000);
    expect(brief().slice(3)).toEqual([[10, 21]]);
    expect(venue.timesOf('candles')).toHaveLength(requests + 1);
  });

  it('takes it for closed that a request finds with the next one, whatever that calls it', () => {
    const { clock, subscribe, brief, push, revised } = venueFixture({ feed: true });
    subscribe();
    clock.advanceBy(1_000);
    push(10);
    clock.advanceBy(29_000);
    revised.set(10, { close: 21, closed: false });
    push(11);
    clock.advanceBy(2_000);
    expect(brief().slice(3)).toEqual([[10, 21]]);
  });

  it('closes it as it was pushed where no request finds it in time', () => {
    const { clock, venue, subscribe, brief, push } = venueFixture({ feed: true });
    subscribe();
    clock.advanceBy(1_000);
    push(10);
    clock.advanceBy(29_000);
    venue.script.failure = noAnswer;
    push(10, { close: 20 });
    push(11);
    clock.advanceBy(4_999);
    expect(brief().slice(3)).toEqual([]);
    clock.advanceBy(1);
    expect(brief().slice(3)).toEqual([[10, 20]]);
    venue.script.failure = undefined;
    clock.advanceBy(20_000);
    expect(brief().slice(3)).toEqual([
      [10, 20],
      [10, 10],
    ]);
  });

  it('closes what it calls closed at its end, as a request then finds it', () => {
    const { clock, venue, subscribe, brief, push, revised, candles } = venueFixture({ feed: true });
    subscribe();
    clock.advanceBy(1_000);
    push(10);
    clock.advanceBy(29_000);
    const requests = venue.timesOf('candles').length;
    revised.set(10, { volume: 2 });
    push(10, { closed: true });
    push(10, { closed: true });
    clock.advanceBy(2_000);
    expect(brief().slice(3)).toEqual([[10, 10]]);
    expect(candles.at(-1)?.volume).toBe(2);
    expect(venue.timesOf('candles')).toHaveLength(requests + 1);
  });
});

describe('VenueCandles, where the feed is lost', () => {
  it('polls while the feed is silent or down', () => {
    const { clock, venue, subscribe, brief, push } = venueFixture({ feed: true });
    subscribe();
    clock.advanceBy(1_000);
    push(10);
    clock.advanceBy(20_000);
    venue.connect(false);
    clock.advanceBy(3 * MINUTE);
    expect(brief().map(([at]) => at)).toEqual([7, 8, 9, 10, 11, 12]);
    venue.connect(true);
    push(13);
    clock.advanceBy(10_000);
    const requests = venue.timesOf('candles').length;
    clock.advanceBy(20_000);
    expect(venue.timesOf('candles')).toHaveLength(requests);
    clock.advanceBy(4 * MINUTE);
    expect(brief().at(-1)).toEqual([17, 17]);
  });
});

describe('VenueCandles, from beginning to end', () => {
  it('closes nothing any more once nobody is left', () => {
    const { clock, venue, subscribe, brief, push } = venueFixture({ feed: true });
    const subscription = subscribe();
    clock.advanceBy(1_000);
    push(10);
    clock.advanceBy(29_000);
    venue.script.failure = noAnswer;
    push(11);
    subscription.unsubscribe();
    clock.advanceBy(20_000);
    expect(brief()).toHaveLength(3);
  });

  it('takes what is pushed ahead of its history for none of it', () => {
    const { clock, venue, subscribe, brief, push } = venueFixture({ feed: true });
    venue.script.latencyMs = 1_000;
    subscribe();
    clock.advanceBy(500);
    push(10);
    clock.advanceBy(1_000);
    expect(brief()).toEqual([
      [7, 7],
      [8, 8],
      [9, 9],
    ]);
  });

  it('rest once nobody is left, and give their history to who comes back', () => {
    const { clock, venue, subscribe, brief, of } = venueFixture({ feed: true });
    subscribe().unsubscribe();
    const subscription = subscribe();
    clock.advanceBy(1_000);
    subscription.unsubscribe();
    expect(venue.pushes.candles.observed).toBe(false);
    expect(clock.nextDueMs).toBeUndefined();
    subscribe();
    clock.advanceBy(1_000);
    expect(brief().map(([at]) => at)).toEqual([7, 8, 9, 7, 8, 9]);
    expect(of('gap')).toEqual([]);
  });

  it('are stale when nothing was told for longer than one lasts, by request or push', () => {
    const { clock, venue, subscribe, push, of } = venueFixture({ feed: true });
    subscribe();
    clock.advanceBy(1_000);
    venue.script.failure = noAnswer;
    for (let at = 10; at < 14; at++) {
      push(at);
      clock.advanceBy(MINUTE);
    }
    expect(of('freshness')).toEqual([]);
    clock.advanceBy(2 * MINUTE);
    expect(of('freshness')).toMatchObject([{ stream: 'candle', fresh: false }]);
    venue.script.failure = undefined;
    clock.advanceBy(2 * MINUTE);
    expect(of('freshness').map(({ fresh }) => fresh)).toEqual([false, true]);
  });
});
