import { describe, expect, it } from 'vitest';
import type { Candle } from '../../../src/domain/index.ts';
import { ExchangeFailure } from '../../../src/exchange/index.ts';
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
  /** The venue's candles of minutes that differ from the usual one. */
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

describe('VenueCandles, polled beside another bot on the address,', () => {
  it('come between the requests of that one, whose pace is the same', () => {
    const { clock, venue, subscribe, brief } = venueFixture();
    const { candles } = venue.script;
    venue.script.candles = (query) => {
      // Another client asks every five seconds, and for a second after that the venue refuses us.
      if (clock.now() % 5_000 < 1_000) throw new ExchangeFailure('limited', 'too frequent');
      return candles(query);
    };
    clock.advanceBy(40);
    subscribe();
    clock.advanceBy(2 * MINUTE);
    expect(brief().map(([at]) => at)).toEqual([7, 8, 9, 10, 11]);
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

describe('VenueCandles beside one of another time', () => {
  const DAY = 24 * 60;

  it('go on where each answer ends with it, and it is told once', () => {
    const { clock, venue, subscribe, brief, of } = venueFixture();
    const { candles } = venue.script;
    subscribe();
    clock.advanceBy(MINUTE);
    venue.script.candles = (query) => [...candles(query), candleOf(minute(DAY))];
    clock.advanceBy(2 * MINUTE);
    expect(brief().map(([at]) => at)).toEqual([7, 8, 9, 10, 11, 12]);
    expect(of('gap')).toMatchObject([{ stream: 'candle', before: String(minute(DAY)) }]);
  });

  it('go on behind a push of it', () => {
    const { clock, subscribe, brief, push, of } = venueFixture({ feed: true });
    subscribe();
    clock.advanceBy(1_000);
    push(10);
    push(DAY);
    clock.advanceBy(29_000);
    push(11);
    clock.advanceBy(MINUTE);
    push(12);
    clock.advanceBy(2_000);
    expect(brief().map(([at]) => at)).toEqual([7, 8, 9, 10, 11]);
    expect(of('gap')).toHaveLength(1);
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

describe('VenueCandles, from the feed of a market in which nothing trades,', () => {
  it('reads one that is over, though no push of the next tells of its end', () => {
    const { clock, venue, subscribe, brief, push } = venueFixture({ feed: true });
    subscribe();
    clock.advanceBy(1_000);
    push(10);
    clock.advanceBy(29_000);
    const requests = venue.timesOf('candles').length;
    clock.advanceBy(4_999);
    expect(brief().slice(3)).toEqual([]);
    clock.advanceBy(1);
    expect(brief().slice(3)).toEqual([[10, 10]]);
    clock.advanceBy(20_000);
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
    clock.advanceBy(2 * MINUTE + 20_000);
    expect(brief().map(([at]) => at)).toEqual([7, 8, 9, 10, 11, 12]);
    venue.connect(true);
    push(13);
    clock.advanceBy(10_000);
    const requests = venue.timesOf('candles').length;
    clock.advanceBy(20_000);
    expect(venue.timesOf('candles')).toHaveLength(requests);
    clock.advanceBy(4 * MINUTE);
    expect(brief().at(-1)).toEqual([16, 16]);
  });
});

/** A feed that is lost in the middle of a candle, after it has seen a close of 20. */
function lostFixture() {
  const fixture = venueFixture({ feed: true });
  const { clock, venue, subscribe, push, revised } = fixture;
  subscribe();
  clock.advanceBy(1_000);
  push(10, { close: 20 });
  clock.advanceBy(1_000);
  venue.connect(false);
  revised.set(10, { close: 21 });
  /** The feed comes back, and ends its last candle with the numbers that it has seen. */
  const comeBack = (at: number) => {
    venue.connect(true);
    push(10, { close: 20, closed: true });
    push(at);
  };
  return { ...fixture, comeBack };
}

describe('VenueCandles, from a feed that was lost', () => {
  it('are not taken back by what that has seen of a candle', () => {
    const { clock, comeBack, brief } = lostFixture();
    clock.advanceBy(3 * MINUTE);
    comeBack(13);
    clock.advanceBy(20_000);
    expect(brief().slice(3)).toEqual([
      [10, 21],
      [11, 11],
      [12, 12],
    ]);
  });

  it('have the end of a candle that it missed a part of from a request alone', () => {
    const { clock, venue, comeBack, brief } = lostFixture();
    venue.script.failure = noAnswer;
    clock.advanceBy(MINUTE);
    comeBack(11);
    clock.advanceBy(20_000);
    expect(brief().slice(3)).toEqual([]);
    venue.script.failure = undefined;
    clock.advanceBy(MINUTE);
    expect(brief().slice(3)).toEqual([
      [10, 21],
      [11, 11],
    ]);
  });

  it('have all that it went past while requests failed', () => {
    const { clock, venue, comeBack, push, brief } = lostFixture();
    venue.script.failure = noAnswer;
    clock.advanceBy(2 * MINUTE);
    comeBack(12);
    for (const at of [13, 14, 15]) {
      clock.advanceBy(MINUTE);
      push(at);
    }
    venue.script.failure = undefined;
    clock.advanceBy(30_000);
    const newest = new Map(brief().map(([at, close]) => [at, close]));
    expect([...newest].sort(([a], [b]) => Number(a) - Number(b)).slice(3)).toEqual([
      [10, 21],
      [11, 11],
      [12, 12],
      [13, 13],
      [14, 14],
    ]);
  });
});

describe('VenueCandles, behind a feed that was lost', () => {
  it('are over once a later one stands behind them, though our date calls them open', () => {
    const { clock, comeBack, brief, revised } = lostFixture();
    for (const at of [10, 11, 12]) revised.set(at, { closed: false });
    clock.advanceBy(2 * MINUTE);
    comeBack(12);
    clock.advanceBy(10_000);
    expect(brief().slice(3)).toEqual([
      [10, 10],
      [11, 11],
    ]);
  });

  it('close the newest at the next push, where one before it was read later', () => {
    const { clock, venue, comeBack, push, brief } = lostFixture();
    venue.script.failure = noAnswer;
    clock.advanceBy(2 * MINUTE);
    comeBack(12);
    venue.script.failure = undefined;
    clock.advanceBy(MINUTE);
    push(13);
    clock.advanceBy(2_000);
    expect(brief().at(-1)).toEqual([12, 12]);
  });

  it('name the hole that a push came behind', () => {
    const { clock, venue, comeBack, of } = lostFixture();
    venue.script.failure = noAnswer;
    clock.advanceBy(2_000 * MINUTE);
    comeBack(2_010);
    venue.script.failure = undefined;
    clock.advanceBy(30_000);
    expect(of('gap')).toMatchObject([{ stream: 'candle', after: String(minute(10)) }]);
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
