import { concat, NEVER, of, take } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import type { Market, TradingEvent } from '../../src/domain/index.ts';
import { Bus, silentLogger } from '../../src/kernel/index.ts';
import { MarketDataError } from '../../src/market/errors.ts';
import { MarketStreams, MarketView, marketConfigSchema } from '../../src/market/index.ts';
import {
  btcUsdt,
  depthOf,
  FakeVenue,
  MARKET,
  marketFixture,
  noAnswer,
  START_MS,
  tradeOf,
} from './fixture.ts';

const ethUsdt: Market = { ...btcUsdt, id: 'eth_usdt', base: 'eth' };

describe('MarketStreams, of what cannot be read,', () => {
  it('says so in one sentence, without a stack', () => {
    const lines: string[] = [];
    const warn = (fields: object, message: string) =>
      void lines.push(`${message} ${JSON.stringify(fields)}`);
    const { clock, streams, venue } = marketFixture({ logger: { ...silentLogger, warn } });
    venue.script.failure = noAnswer;
    streams.depth(MARKET).subscribe();
    clock.advanceBy(0);
    expect(lines).toEqual([`Cannot read depth of ${MARKET}: no answer {"failures":1}`]);
  });

  it('warns of it once a minute, where every other request fails too', () => {
    const told: number[] = [];
    const logger = { ...silentLogger, warn: () => void told.push(clock.now() - START_MS) };
    const { clock, streams, venue } = marketFixture({ logger });
    streams.depth(MARKET).subscribe();
    const { depth } = venue.script;
    let asked = 0;
    venue.script.depth = (market) => {
      if (++asked % 2 === 0) throw noAnswer;
      return depth(market);
    };
    clock.advanceBy(90_000);
    expect(asked).toBeGreaterThan(100);
    expect(told).toEqual([500, 60_500]);
  });
});

describe('MarketStreams, sharing', () => {
  it('serves two subscribers by one poll, in the same order', () => {
    const { clock, streams, venue } = marketFixture();
    const seen: string[] = [];
    streams.depth(MARKET).subscribe(({ receivedTime }) => seen.push(`a${receivedTime}`));
    streams.depth(MARKET).subscribe(({ receivedTime }) => seen.push(`b${receivedTime}`));
    clock.advanceBy(500);
    expect(venue.timesOf('depth')).toEqual([START_MS, START_MS + 500]);
    expect(seen).toEqual([0, 500].flatMap((at) => [`a${START_MS + at}`, `b${START_MS + at}`]));
  });

  it('asks for trades where what is traded is wanted, once for all who do', () => {
    const { clock, streams, venue } = marketFixture();
    const traded = streams.traded(MARKET).subscribe();
    streams.trades(MARKET).subscribe().unsubscribe();
    clock.advanceBy(500);
    expect(venue.timesOf('trades')).toEqual([START_MS, START_MS + 500]);
    traded.unsubscribe();
    expect(clock.nextDueMs).toBeUndefined();
  });

  it('stops the poll with the last subscriber and starts it for the next', () => {
    const { clock, streams, venue } = marketFixture();
    const first = streams.ticker(MARKET).subscribe();
    const second = streams.ticker(MARKET).subscribe();
    clock.advanceBy(1_000);
    first.unsubscribe();
    clock.advanceBy(1_000);
    expect(venue.requests).toHaveLength(3);
    second.unsubscribe();
    expect(clock.nextDueMs).toBeUndefined();
    clock.advanceBy(10_000);
    streams.ticker(MARKET).subscribe();
    clock.advanceBy(0);
    expect(venue.requests).toHaveLength(4);
  });

  it('sends nothing for a subscriber who leaves in the same turn', () => {
    const { clock, streams, venue } = marketFixture();
    streams.depth(MARKET).subscribe().unsubscribe();
    clock.advanceBy(1_000);
    expect(venue.requests).toEqual([]);
  });

  it('gives one who leaves with the first record that record, and asks no more', () => {
    const { clock, streams, venue } = marketFixture();
    const seen: number[] = [];
    const one = streams.depth(MARKET).pipe(take(1));
    one.subscribe(({ receivedTime }) => seen.push(receivedTime));
    clock.advanceBy(5_000);
    expect(seen).toEqual([START_MS]);
    expect(venue.requests).toHaveLength(1);
  });

  it('publishes on the bus what subscribers get, and nothing else reaches them', () => {
    const { clock, bus, streams, of: eventsOf } = marketFixture();
    const seen: unknown[] = [];
    streams.ticker(MARKET).subscribe((ticker) => seen.push(ticker));
    clock.advanceBy(3_000);
    expect(seen).toHaveLength(4);
    expect(seen).toEqual(eventsOf('ticker'));
    bus.publish({ ...eventsOf('ticker')[0]!, last: 7 });
    expect(seen.at(-1)).toMatchObject({ last: 7 });
  });

  it('refuses a market that is none, naming those there are', () => {
    const { streams } = marketFixture();
    expect(() => streams.depth('doge_usdt')).toThrow(MarketDataError);
    expect(() => streams.depth('doge_usdt')).toThrow(/doge_usdt.*btc_usdt/);
    expect(() => streams.candles({ market: 'x_y', interval: '1min' })).toThrow(MarketDataError);
  });
});

describe('MarketStreams, cadence', () => {
  it('polls each kind at its own', () => {
    const { clock, streams, venue } = marketFixture({
      config: { tickerPollMs: 300, depthPollMs: 200, tradesPollMs: 100 },
    });
    streams.ticker(MARKET).subscribe();
    streams.depth(MARKET).subscribe();
    streams.trades(MARKET).subscribe();
    clock.advanceBy(599);
    expect(venue.timesOf('ticker')).toHaveLength(2);
    expect(venue.timesOf('depth')).toHaveLength(3);
    expect(venue.timesOf('trades')).toHaveLength(6);
  });

  it('backs off while requests fail and reports the silence', () => {
    const { clock, streams, venue, of: eventsOf } = marketFixture();
    streams.depth(MARKET).subscribe();
    clock.advanceBy(1_000);
    venue.script.failure = noAnswer;
    clock.advanceBy(100_000);
    expect(venue.timesOf('depth').length).toBeLessThan(15);
    expect(eventsOf('freshness')).toMatchObject([
      { stream: 'depth', market: MARKET, fresh: false, ageMs: 5_000 },
    ]);
    expect(eventsOf('connection').map(({ connected }) => connected)).toEqual([true, false]);
    venue.script.failure = undefined;
    clock.advanceBy(30_000);
    expect(eventsOf('freshness').at(-1)).toMatchObject({ fresh: true });
    expect(eventsOf('connection').at(-1)).toMatchObject({ channel: 'market', connected: true });
  });

  it.each(['trades', 'venue'] as const)('spaces candle requests of all markets (%s)', (candles) => {
    const { clock, streams, venue } = marketFixture({
      markets: [btcUsdt, ethUsdt],
      config: { candles, candlesPollMs: 1_500 },
    });
    for (const market of [MARKET, ethUsdt.id]) {
      streams.candles({ market, interval: '1min' }).subscribe();
      streams.candles({ market, interval: '5min' }).subscribe();
    }
    clock.advanceBy(60_000);
    const times = venue.timesOf('candles');
    expect(times.length).toBeGreaterThanOrEqual(4);
    times.slice(1).forEach((time, at) => {
      expect(time - times[at]!).toBeGreaterThanOrEqual(1_000);
    });
  });
});

describe('MarketStreams, on marbles', () => {
  it('follows the feed, polls while it is down or silent, and follows it again', () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
    scheduler.run(({ hot, cold, expectObservable }) => {
      const bids = [...'fghpqr'].map((name, at) => [name, at] as const);
      const values = Object.fromEntries(
        bids.map(([name, at]) => [name, depthOf({ bids: [[at + 1, 1]], exchangeTime: 0 })]),
      );
      const answers = ['p', 'q', 'r'];
      const { data, feed } = new FakeVenue(scheduler as never);
      const bus = new Bus<TradingEvent>();
      const streams = new MarketStreams({
        clock: scheduler,
        bus,
        data: { ...data, depth: () => cold(`-(${answers.shift()}|)`, values) },
        feed: {
          ...feed,
          connection: () => concat(of({ connected: true, reason: '' }), NEVER),
          depth: () => hot('   --f--g---------------h------', values),
        },
        markets: new Map([[MARKET, btcUsdt]]),
        config: marketConfigSchema.parse({ feedSilenceMs: 6, depthPollMs: 5 }),
        logger: silentLogger,
      });
      const asEvent = ([name]: readonly [string, number]) =>
        [name, { kind: 'depth', ...values[name]! }] as const;
      expectObservable(streams.depth(MARKET), '------------------------!').toBe(
        '                                       -pf--g------q----r---h--',
        Object.fromEntries(bids.map(asEvent)),
      );
    });
  });
});

describe('MarketStreams, feed and requests for the same snapshots', () => {
  it('drops what is older than the last record or repeats it where one takes over', () => {
    const { clock, streams, venue, of: eventsOf } = marketFixture({ feed: true });
    streams.depth(MARKET).subscribe();
    clock.advanceBy(0);
    const [polled] = eventsOf('depth');
    venue.pushes.depth.next(depthOf({ exchangeTime: polled!.exchangeTime - 1, bids: [[1, 1]] }));
    venue.pushes.depth.next(depthOf({ ...polled!, receivedTime: START_MS + 1 }));
    expect(eventsOf('depth')).toHaveLength(1);
    venue.pushes.depth.next(depthOf({ exchangeTime: polled!.exchangeTime, bids: [[100.5, 2]] }));
    venue.pushes.depth.next(depthOf({ exchangeTime: polled!.exchangeTime, bids: [[100.5, 2]] }));
    expect(eventsOf('depth')).toHaveLength(3);
  });

  it('drops the answer to a request under way when the feed speaks first', () => {
    const {
      clock,
      streams,
      venue,
      of: eventsOf,
    } = marketFixture({
      feed: true,
      script: { latencyMs: 50 },
    });
    streams.depth(MARKET).subscribe();
    clock.advanceBy(20);
    venue.pushes.depth.next(depthOf({ exchangeTime: START_MS + 20 }));
    clock.advanceBy(1_000);
    expect(eventsOf('depth')).toHaveLength(1);
    expect(venue.requests).toHaveLength(1);
  });

  it('polls kinds that are not taken from the feed', () => {
    const {
      clock,
      streams,
      venue,
      of: eventsOf,
    } = marketFixture({
      feed: true,
      config: { feeds: { ticker: false } },
    });
    streams.ticker(MARKET).subscribe();
    clock.advanceBy(2_000);
    expect(venue.pushes.ticker.observed).toBe(false);
    expect(eventsOf('ticker')).toHaveLength(3);
  });

  it('delivers a push before the feed has it back: no turn of the clock between', () => {
    const { clock, streams, venue } = marketFixture({ feed: true });
    const seen: string[] = [];
    streams.depth(MARKET).subscribe(({ bids }) => seen.push(`depth ${bids[0]?.[0]}`));
    streams.trades(MARKET).subscribe(({ id }) => seen.push(`trade ${id}`));
    venue.script.tape.push(tradeOf(1));
    clock.advanceBy(0);
    seen.length = 0;
    venue.pushes.depth.next(depthOf({ bids: [[99, 1]] }));
    venue.pushes.trades.next([tradeOf(2), tradeOf(3)]);
    expect(seen).toEqual(['depth 99', 'trade 2', 'trade 3']);
  });

  it('leaves the feed with the last subscriber', () => {
    const { clock, streams, venue } = marketFixture({ feed: true });
    const subscription = streams.depth(MARKET).subscribe();
    clock.advanceBy(0);
    expect(venue.pushes.depth.observed && venue.pushes.connection.observed).toBe(true);
    subscription.unsubscribe();
    expect(venue.pushes.depth.observed || venue.pushes.connection.observed).toBe(false);
    expect(clock.nextDueMs).toBeUndefined();
  });
});

describe('MarketStreams, a book that the exchange stamped long ago', () => {
  it('is none: the market turns stale, until it is stamped anew, whatever the clocks say', () => {
    for (const skewMs of [-3_600_000, 0, 3_600_000]) {
      const frozenMs = START_MS + 10_000;
      let thawed = false;
      const { clock, bus, streams, venue, of } = marketFixture();
      const view = new MarketView({ clock, bus, staleAfterMs: { depth: 5_000, ticker: 5_000 } });
      venue.script.depth = () => {
        const stamp = thawed ? clock.now() : Math.min(clock.now(), frozenMs);
        return depthOf({ exchangeTime: stamp + skewMs, receivedTime: clock.now() });
      };
      streams.depth(MARKET).subscribe();
      clock.advanceTo(frozenMs + 60_000);
      expect(view.isFresh(MARKET)).toBe(true);
      clock.advanceBy(5_500);
      expect(view.isFresh(MARKET)).toBe(false);
      expect(view.depth(MARKET)?.receivedTime).toBe(frozenMs + 60_000);
      thawed = true;
      clock.advanceBy(500);
      expect(view.isFresh(MARKET)).toBe(true);
      expect(of('freshness').map(({ fresh }) => fresh)).toEqual([false, true]);
    }
  });

  it('is none from the start on, and turns stale', () => {
    const { clock, streams, venue, of } = marketFixture();
    const exchangeTime = START_MS - 3_600_000;
    venue.script.depth = () => depthOf({ exchangeTime, receivedTime: clock.now() });
    streams.depth(MARKET).subscribe();
    clock.advanceBy(600_000);
    expect(of('depth')).toEqual([]);
    expect(of('freshness').map(({ time, fresh }) => [time - START_MS, fresh])).toEqual([
      [5_000, false],
    ]);
  });

  it('is judged by time that passes, not by a date that jumped ahead', () => {
    const { clock, bus, streams, venue } = marketFixture();
    const aheadMs = 600_000;
    const view = new MarketView({ clock, bus, staleAfterMs: { depth: 5_000, ticker: 5_000 } });
    let isAhead = false;
    // The run's clock stays ahead with the date for good; the market's clock does not.
    const venueMs = (): number => clock.now() - (isAhead ? aheadMs : 0);
    Object.assign(clock, { elapsedMs: venueMs });
    venue.script.depth = () => depthOf({ exchangeTime: venueMs(), receivedTime: clock.now() });
    streams.depth(MARKET).subscribe();
    clock.advanceBy(20_000);
    isAhead = true;
    clock.advanceBy(aheadMs);
    clock.advanceBy(120_000);
    expect(view.isFresh(MARKET)).toBe(true);
  });
});

describe('MarketStreams, an empty book', () => {
  it('is no sign of life: the market turns stale, until there is a level again', () => {
    const { clock, streams, venue, of } = marketFixture();
    let isEmpty = false;
    venue.script.depth = () => {
      const stamps = { exchangeTime: clock.now(), receivedTime: clock.now() };
      return depthOf(isEmpty ? { ...stamps, bids: [], asks: [] } : { ...stamps, asks: [] });
    };
    streams.depth(MARKET).subscribe();
    clock.advanceBy(60_000);
    expect(of('freshness')).toEqual([]);
    isEmpty = true;
    clock.advanceBy(60_000);
    expect(of('depth').at(-1)).toMatchObject({ bids: [], receivedTime: START_MS + 120_000 });
    isEmpty = false;
    clock.advanceBy(500);
    expect(of('freshness').map(({ fresh }) => fresh)).toEqual([false, true]);
  });
});

describe('MarketStreams, snapshots of a quiet or silent venue', () => {
  it('asks a quiet feed before its silence counts as staleness, and takes a repetition', () => {
    const { clock, streams, venue, of: eventsOf } = marketFixture({ feed: true });
    venue.script.depth = () => depthOf({ receivedTime: clock.now() });
    streams.depth(MARKET).subscribe();
    clock.advanceBy(0);
    venue.pushes.depth.next(depthOf());
    clock.advanceBy(60_000);
    expect(eventsOf('freshness')).toEqual([]);
    expect(eventsOf('depth').at(-1)!.receivedTime).toBeGreaterThan(START_MS + 59_000);
  });

  it('publishes the record before the word that it is fresh again', () => {
    const { clock, streams, venue, bus } = marketFixture();
    const told: string[] = [];
    bus.on('depth').subscribe(({ bids }) => told.push(`depth ${bids[0]![0]}`));
    bus.on('freshness').subscribe(({ fresh }) => told.push(`fresh ${fresh}`));
    streams.depth(MARKET).subscribe();
    clock.advanceBy(100);
    venue.script.failure = noAnswer;
    clock.advanceBy(20_000);
    told.length = 0;
    venue.script.failure = undefined;
    venue.script.depth = () => depthOf({ bids: [[98, 1]], exchangeTime: START_MS + 20_000 });
    clock.advanceBy(20_000);
    expect(told.slice(0, 2)).toEqual(['depth 98', 'fresh true']);
  });
});
