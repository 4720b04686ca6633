import { EMPTY, NEVER, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type Candle,
  INTERVAL_MS,
  type Interval,
  type TradingEvent,
} from '../../src/domain/index.ts';
import { Bus, VirtualClock } from '../../src/kernel/index.ts';
import { MarketDataError } from '../../src/market/errors.ts';
import {
  DirectStreams,
  type PastQuery,
  type PastRecords,
  type RecordedData,
} from '../../src/market/index.ts';
import { candleOf, START_MS, tradeOf } from './fixture.ts';

const MINUTES: RecordedData = { name: 'mine.1min', kinds: new Set(['candle']), interval: '1min' };

function fixture(data: Partial<RecordedData> = {}) {
  const bus = new Bus<TradingEvent>();
  const recorded = new Map([['btc_usdt', { ...MINUTES, ...data }]]);
  const streams = new DirectStreams({ bus, recorded });
  const candle = (minute: number, numbers: Partial<Candle> = {}): void => {
    const openTime = minute * 60_000;
    const closeTime = openTime + 60_000;
    bus.publish({
      ...{ kind: 'candle', market: 'btc_usdt', interval: '1min', openTime, closed: true },
      ...{ open: 10, high: 12, low: 9, close: 11, volume: 1 },
      ...{ exchangeTime: closeTime, receivedTime: closeTime + 5 },
      ...numbers,
    });
  };
  const heard = (interval: Interval) => {
    const candles: Candle[] = [];
    streams.candles({ market: 'btc_usdt', interval }).subscribe((one) => candles.push(one));
    return candles;
  };
  return { bus, streams, candle, heard };
}

describe('DirectStreams', () => {
  it('lets candles of the recorded length through as they are published', () => {
    const { candle, heard } = fixture();
    const candles = heard('1min');
    candle(0);
    candle(1);
    expect(candles.map(({ openTime }) => openTime)).toEqual([0, 60_000]);
  });

  it('builds coarser candles, told with the last of their minutes', () => {
    const { candle, heard } = fixture();
    const candles = heard('3min');
    for (let minute = 0; minute < 5; minute++) {
      candle(minute, { open: minute, close: minute + 1, high: 10 + minute, low: 5 - minute });
    }
    expect(candles).toEqual([
      expect.objectContaining({
        ...{ interval: '3min', openTime: 0, open: 0, close: 3, high: 12, low: 3, volume: 3 },
        ...{ exchangeTime: 180_000, receivedTime: 180_005, closed: true },
      }),
    ]);
  });

  it('adds volumes up to the last digit', () => {
    const { candle, heard } = fixture();
    const candles = heard('3min');
    for (const [minute, volume] of [0.1, 0.2, 0.3].entries()) candle(minute, { volume });
    expect(candles.map(({ volume }) => volume)).toEqual([0.6]);
  });

  it('leaves out a first candle whose beginning was not heard', () => {
    const { candle, heard } = fixture();
    const candles = heard('3min');
    for (let minute = 1; minute < 6; minute++) candle(minute);
    expect(candles.map(({ openTime }) => openTime)).toEqual([180_000]);
  });

  it.each([1, 2])('counts one whose first minute is missing, heard from minute %s on', (first) => {
    const { candle, heard } = fixture();
    const candles = heard('3min');
    for (const minute of [first, 4, 5]) candle(minute);
    expect(candles.map(({ openTime, volume }) => [openTime, volume])).toEqual([[180_000, 2]]);
  });

  it('tells a candle without its last minute when the next minute comes', () => {
    const { candle, heard } = fixture();
    const candles = heard('3min');
    candle(0);
    candle(1);
    candle(7, { open: 20, high: 25, low: 20, close: 24 });
    candle(8);
    expect(candles).toMatchObject([
      { openTime: 0, volume: 2, exchangeTime: 480_000 },
      { openTime: 360_000, open: 20, high: 25, volume: 2 },
    ]);
  });

  it('begins weeks on Monday', () => {
    const { candle, heard } = fixture();
    const candles = heard('1week');
    const monday = 4 * 1_440;
    for (let day = 0; day < 8; day++) candle(monday + day * 1_440);
    expect(candles.map(({ openTime }) => openTime)).toEqual([monday * 60_000]);
    expect(INTERVAL_MS['1week']).toBe(604_800_000);
  });
});

/** Streams that begin at two minutes past, with a history of three candles. */
function historyFixture({ past, ...data }: Partial<RecordedData> & { past: Partial<PastRecords> }) {
  const bus = new Bus<TradingEvent>();
  const clock = new VirtualClock(START_MS + 120_000);
  const queries: PastQuery[] = [];
  const asked =
    <T>(tell: (query: PastQuery) => T) =>
    (query: PastQuery): T => {
      queries.push(query);
      return tell(query);
    };
  const streams = new DirectStreams({
    ...{ bus, recorded: new Map([['btc_usdt', { ...MINUTES, ...data }]]) },
    history: {
      ...{ clock, config: { candleHistory: 3, candleGraceMs: 1_000 } },
      past: {
        candles: asked(past.candles ?? (() => EMPTY)),
        prints: asked(past.prints ?? (() => EMPTY)),
      },
    },
  });
  const heard = (interval: Interval) => {
    const minutes: number[] = [];
    const subscription = streams
      .candles({ market: 'btc_usdt', interval })
      .subscribe(({ openTime }) => minutes.push((openTime - START_MS) / 60_000));
    return { minutes, subscription };
  };
  const trade = (minute: number): void => {
    clock.advanceTo(START_MS + minute * 60_000);
    bus.publish({ kind: 'trade', ...tradeOf(minute, { exchangeTime: clock.now() }) });
  };
  return { bus, clock, queries, heard, trade };
}

const PRINTED: Partial<RecordedData> = {
  ...{ kinds: new Set(['trade', 'candle'] as const), interval: undefined },
  prints: { amountScale: 4, outages: [] },
};

describe('DirectStreams with a history', () => {
  it('begin with the candles of the past that the wanted ones are made of', () => {
    const past = { candles: () => of(candleOf(START_MS), candleOf(START_MS + 60_000)) };
    const { bus, queries, heard } = historyFixture({ past });
    const minutes = heard('1min');
    const coarse = heard('3min');
    bus.publish({ kind: 'candle', ...candleOf(START_MS + 120_000) });
    expect(minutes.minutes).toEqual([0, 1, 2]);
    expect(coarse.minutes).toEqual([0]);
    expect(queries.map(({ fromMs }) => (fromMs - START_MS) / 60_000)).toEqual([-1, -9]);
  });

  it('hear nothing of the present before the past is told, nor when they are let go of', () => {
    const candles = new Subject<Candle>();
    const { bus, heard } = historyFixture({ past: { candles: () => candles } });
    const { minutes, subscription } = heard('1min');
    bus.publish({ kind: 'candle', ...candleOf(START_MS) });
    expect(minutes).toEqual([]);
    candles.complete();
    bus.publish({ kind: 'candle', ...candleOf(START_MS) });
    subscription.unsubscribe();
    bus.publish({ kind: 'candle', ...candleOf(START_MS) });
    expect(minutes).toEqual([0]);
  });

  it('let the past go with the last subscriber', () => {
    const candles = new Subject<Candle>();
    const { heard } = historyFixture({ past: { candles: () => candles } });
    heard('1min').subscription.unsubscribe();
    expect(candles.observed).toBe(false);
  });

  it('build candles of trades, once however many listen', () => {
    const past = { prints: () => of(tradeOf(1, { exchangeTime: START_MS + 30_000 })) };
    const { bus, queries, heard, trade } = historyFixture({ past, ...PRINTED });
    const published: string[] = [];
    bus.on('candle').subscribe(({ interval }) => published.push(interval));
    const first = heard('1min');
    const second = heard('1min');
    const coarse = heard('3min');
    for (const minute of [2.5, 3.5, 4.5]) trade(minute);
    expect(first.minutes).toEqual([0, 1, 2, 3]);
    expect(second.minutes).toEqual([2, 3]);
    expect(coarse.minutes).toEqual([0]);
    expect(published).toHaveLength(5);
    expect(queries).toHaveLength(2);
  });

  it('build none for nobody', () => {
    const { bus, clock, heard, trade } = historyFixture({ past: {}, ...PRINTED });
    const published: number[] = [];
    bus.on('candle').subscribe(({ openTime }) => published.push(openTime));
    trade(2.5);
    trade(3.5);
    expect(clock.nextDueMs).toBeUndefined();
    const { subscription } = heard('1min');
    trade(4.5);
    subscription.unsubscribe();
    trade(5.5);
    expect([published, clock.nextDueMs]).toEqual([[], undefined]);
  });

  it('hold back built candles until the past is told', () => {
    const { heard, trade } = historyFixture({ past: { prints: () => NEVER }, ...PRINTED });
    const { minutes } = heard('1min');
    trade(2.5);
    trade(3.5);
    expect(minutes).toEqual([]);
  });
});

describe('DirectStreams without trades', () => {
  it('build candles of the middles of depth, each of which counts one', () => {
    const prints = { of: 'depth', amountScale: 0, outages: [] } as const;
    const { bus, clock, heard } = historyFixture({ past: {}, ...PRINTED, prints });
    const candles: Candle[] = [];
    bus.on('candle').subscribe((candle) => candles.push(candle));
    heard('1min');
    const levels = [[99, 101], [99, 102], [], [97, 100], [99, 100]];
    for (const [at, [bid, ask]] of levels.entries()) {
      clock.advanceTo(START_MS + (2 + at / 4) * 60_000);
      const bids = bid === undefined ? [] : [[bid, 1] as const];
      const asks = ask === undefined ? [] : [[ask, 1] as const];
      const told = { bids, asks, exchangeTime: clock.now(), receivedTime: clock.now() };
      bus.publish({ kind: 'depth', market: 'btc_usdt', ...told });
    }
    expect(candles).toMatchObject([
      { openTime: START_MS + 120_000, open: 100, high: 100.5, low: 98.5, close: 98.5, volume: 3 },
    ]);
  });
});

describe('what DirectStreams refuse', () => {
  it('refuses candles that are finer than the data, naming both', () => {
    const { heard } = fixture({ interval: '1hour' });
    expect(() => heard('15min')).toThrow(
      new MarketDataError(
        'Cannot stream candles of 15min in btc_usdt: mine.1min has candles of 1hour, an interval ' +
          'that is a multiple of these is wanted',
      ),
    );
  });

  it('refuses what was not recorded, and markets that are not there', () => {
    const { streams } = fixture();
    expect(() => streams.trades('btc_usdt')).toThrow('mine.1min has candle alone');
    expect(() => streams.ticker('btc_usdt')).toThrow(
      'Cannot stream ticker of btc_usdt: mine.1min has candle alone, of which no summary of 24 hours ' +
        'is made, one of these is wanted',
    );
    expect(() => streams.depth('eth_usdt')).toThrow('one of btc_usdt is wanted');
  });

  it('knows whether anybody reads a depth', () => {
    const { streams } = fixture({ kinds: new Set(['depth']) });
    const reader = streams.depth('btc_usdt').subscribe();
    expect(streams.hasDepthReaders('btc_usdt')).toBe(true);
    reader.unsubscribe();
    expect(streams.hasDepthReaders('btc_usdt')).toBe(false);
  });
});
