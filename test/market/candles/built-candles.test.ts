import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candle } from '../../../src/domain/index.ts';
import type { MarketConfig } from '../../../src/market/index.ts';
import { keptLines } from '../../kernel/fixture.ts';
import {
  candleOf,
  type FixtureOptions,
  MARKET,
  marketFixture,
  noAnswer,
  START_MS,
  tradeOf,
  venueCandles,
} from '../fixture.ts';

const MINUTE = 60_000;

type Options = Omit<FixtureOptions, 'config'> & { config?: Partial<MarketConfig> };

function candlesFixture({ config = {}, ...options }: Options = {}) {
  const fixture = marketFixture({
    startMs: START_MS + 10 * MINUTE,
    config: { candleHistory: 5, ...config },
    ...options,
  });
  const { clock, streams, venue } = fixture;
  let id = 0;
  const tradeAt = (time: number, price: number, amount = 1) => {
    venue.script.tape.push(tradeOf(++id, { exchangeTime: time, price, amount }));
  };
  const trade = (price: number, amount = 1) => tradeAt(clock.now(), price, amount);
  if (options.script?.candles === undefined) {
    venue.script.candles = ({ since = Number.NEGATIVE_INFINITY, size = 1_000 }) =>
      venueCandles(venue.script.tape, clock.now())
        .filter(({ openTime }) => openTime > since)
        .slice(-size);
  }
  const candles: Candle[] = [];
  const subscribe = () =>
    streams
      .candles({ market: MARKET, interval: '1min' })
      .subscribe((candle) => candles.push(candle));
  /** Candles as [minute, close, volume]. */
  const brief = () =>
    candles.map(({ openTime, close, volume }) => [(openTime - START_MS) / MINUTE, close, volume]);
  return { ...fixture, trade, tradeAt, subscribe, candles, brief };
}

describe('BuiltCandles, history', () => {
  it('publishes the history in order, closed, before the live candles', () => {
    const { clock, trade, tradeAt, subscribe, candles, brief } = candlesFixture();
    for (let minute = 0; minute < 10; minute++) tradeAt(START_MS + minute * MINUTE, minute + 1);
    subscribe();
    clock.advanceBy(5_000);
    trade(50);
    clock.advanceBy(2 * MINUTE);
    expect(brief()).toEqual([
      [5, 6, 1],
      [6, 7, 1],
      [7, 8, 1],
      [8, 9, 1],
      [9, 10, 1],
      [10, 50, 1],
      [11, 50, 0],
    ]);
    expect(candles.every(({ closed }) => closed)).toBe(true);
  });

  it('serves all who subscribe in the same turn from the history on, by one request', () => {
    const { clock, streams, venue, tradeAt, subscribe, candles } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    const other: Candle[] = [];
    subscribe();
    streams.candles({ market: MARKET, interval: '1min' }).subscribe((candle) => other.push(candle));
    clock.advanceBy(100);
    expect(candles).toHaveLength(1);
    expect(other).toEqual(candles);
    expect(venue.timesOf('candles')).toHaveLength(1);
  });

  it('fills the holes of the history with flat candles', () => {
    const { clock, tradeAt, subscribe, brief } = candlesFixture();
    tradeAt(START_MS + 6 * MINUTE, 7);
    tradeAt(START_MS + 9 * MINUTE, 8);
    subscribe();
    clock.advanceBy(100);
    expect(brief()).toEqual([
      [6, 7, 1],
      [7, 7, 0],
      [8, 7, 0],
      [9, 8, 1],
    ]);
  });
});

describe('BuiltCandles, closing', () => {
  it('goes on behind the history though nothing is traded any more', () => {
    const history = [candleOf(START_MS + 9 * MINUTE, { close: 7, volume: 3 })];
    const { clock, tradeAt, subscribe, brief } = candlesFixture({
      script: { candles: () => history },
    });
    tradeAt(START_MS, 5);
    subscribe();
    clock.advanceBy(2 * MINUTE + 1_500);
    expect(brief()).toEqual([
      [9, 7, 3],
      [10, 7, 0],
      [11, 7, 0],
    ]);
  });

  it('goes on without history behind a last trade of weeks ago', () => {
    const { clock, tradeAt, subscribe, brief } = candlesFixture({ config: { candleHistory: 0 } });
    tradeAt(START_MS - 20_000 * MINUTE, 7);
    subscribe();
    clock.advanceBy(3 * MINUTE);
    expect(brief()).toEqual([9, 10, 11].map((minute) => [minute, 7, 0]));
  });
});

describe('BuiltCandles, repairs', () => {
  it('reads the candle in which the tape began from the venue, once, at its close', () => {
    const { lines: warnings, logger } = keptLines();
    const { clock, venue, trade, subscribe, brief } = candlesFixture({
      config: { candleHistory: 0 },
      logger,
    });
    venue.script.pageSize = 2;
    for (const price of [10, 20, 30]) trade(price);
    clock.advanceBy(30_000);
    subscribe();
    clock.advanceBy(20_000);
    expect(venue.timesOf('candles')).toEqual([]);
    trade(40);
    clock.advanceBy(2 * MINUTE);
    expect(brief()[0]).toEqual([10, 40, 4]);
    expect([venue.timesOf('candles').length, warnings]).toEqual([1, []]);
  });

  it('needs no such reading where the first page reaches behind the candle', () => {
    const { clock, venue, trade, tradeAt, subscribe, brief } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    trade(2);
    subscribe();
    clock.advanceBy(MINUTE + 1_000);
    expect(brief()).toEqual([
      [9, 1, 1],
      [10, 2, 1],
    ]);
    expect(venue.timesOf('candles')).toHaveLength(1);
  });

  it('reads the candles that a gap of the tape touches from the venue', () => {
    const { clock, venue, trade, tradeAt, subscribe, brief, of } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    trade(1);
    subscribe();
    clock.advanceBy(10_000);
    venue.script.kept = 3;
    for (let price = 2; price <= 10; price++) trade(price);
    clock.advanceBy(MINUTE);
    expect(of('gap')).toHaveLength(1);
    expect(brief().slice(1)).toEqual([[10, 10, 10]]);
    tradeAt(START_MS + 11 * MINUTE - 1, 99);
    clock.advanceBy(5_000);
    expect(brief().slice(1)).toEqual([[10, 10, 10]]);
  });
});

describe('BuiltCandles, revised by trades behind a gap of the tape', () => {
  it('have the candle from the venue', () => {
    const { clock, venue, trade, tradeAt, subscribe, brief, of } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    trade(1);
    subscribe();
    clock.advanceBy(MINUTE + 2_000);
    expect(brief().slice(1)).toEqual([[10, 1, 1]]);
    venue.script.kept = 3;
    for (let price = 2; price <= 10; price++) tradeAt(START_MS + 11 * MINUTE - 1, price);
    clock.advanceBy(10_000);
    expect(of('gap')).toHaveLength(1);
    expect(brief().slice(2)).toEqual([[10, 10, 10]]);
  });
});

describe('BuiltCandles, without trades behind a gap of the tape', () => {
  it("carries the close of the venue's candle", () => {
    const { clock, venue, trade, tradeAt, subscribe, brief } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    trade(1);
    subscribe();
    clock.advanceBy(10_000);
    venue.script.kept = 3;
    for (let price = 2; price <= 10; price++) trade(price);
    venue.script.candles = () => [candleOf(START_MS + 10 * MINUTE, { close: 42, volume: 12 })];
    clock.advanceBy(2 * MINUTE);
    expect(brief().slice(1)).toEqual([
      [10, 42, 12],
      [11, 42, 0],
    ]);
  });

  it('takes a candle that the venue leaves out among others as one without trades', () => {
    const { clock, venue, trade, tradeAt, subscribe, brief, of } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    trade(1);
    subscribe();
    clock.advanceBy(10_000);
    venue.script.failure = noAnswer;
    clock.advanceBy(2 * MINUTE);
    venue.script.kept = 3;
    for (let price = 2; price <= 10; price++) trade(price);
    venue.script.failure = undefined;
    clock.advanceBy(2 * MINUTE);
    expect(brief().slice(1, 4)).toEqual([
      [10, 1, 1],
      [11, 1, 0],
      [12, 10, 9],
    ]);
    expect(of('gap').map(({ stream }) => stream)).toEqual(['trade']);
  });
});

describe('BuiltCandles, lateness and outages', () => {
  it('makes no flat candles of an outage: it waits for the trades and builds them then', () => {
    const { clock, venue, trade, tradeAt, subscribe, brief } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    subscribe();
    clock.advanceBy(1_000);
    venue.script.failure = noAnswer;
    for (let minute = 10; minute < 14; minute++) {
      trade(minute);
      clock.advanceBy(MINUTE);
    }
    expect(brief()).toEqual([[9, 1, 1]]);
    venue.script.failure = undefined;
    clock.advanceBy(45_000);
    expect(brief()).toEqual([
      [9, 1, 1],
      [10, 10, 1],
      [11, 11, 1],
      [12, 12, 1],
      [13, 13, 1],
    ]);
  });

  it('publishes a candle anew, closed, when a late trade changes it', () => {
    const { clock, trade, tradeAt, subscribe, brief } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    trade(2);
    subscribe();
    clock.advanceBy(MINUTE + 1_500);
    tradeAt(START_MS + 11 * MINUTE - 1, 5);
    clock.advanceBy(500);
    expect(brief().slice(1)).toEqual([
      [10, 2, 1],
      [10, 5, 2],
    ]);
    clock.advanceBy(MINUTE);
    expect(brief().at(-1)).toEqual([11, 5, 0]);
  });
});

describe('BuiltCandles, on a machine whose date is wrong for a moment', () => {
  /** Candles around a moment when the date was so far ahead, with an outage afterwards. */
  function candlesAround(aheadMs: number, feed: boolean) {
    const date = { aheadMs: 0 };
    const options = { feed, aheadMs: () => date.aheadMs };
    const { clock, venue, trade, tradeAt, subscribe, brief } = candlesFixture(options);
    const print = (price: number): void => {
      trade(price);
      if (feed && venue.script.failure === undefined) {
        venue.pushes.trades.next(venue.script.tape.slice(-1));
      }
    };
    tradeAt(START_MS + 9 * MINUTE, 1);
    subscribe();
    clock.advanceBy(10_000);
    print(2);
    date.aheadMs = aheadMs;
    clock.advanceBy(5_000);
    date.aheadMs = 0;
    clock.advanceBy(15_000);
    print(3);
    clock.advanceBy(2 * MINUTE);
    print(4);
    clock.advanceBy(1_000);
    const before = brief();
    venue.script.failure = noAnswer;
    venue.connect(false);
    clock.advanceBy(MINUTE);
    print(5);
    clock.advanceBy(3 * MINUTE);
    const meanwhile = brief().slice(before.length);
    venue.script.failure = undefined;
    clock.advanceBy(MINUTE);
    return { before, meanwhile, after: brief() };
  }

  it.each([
    ['polled', false],
    ['pushed', true],
  ])('closes as with a right one, waiting for trades of an outage too (%s)', (_, feed) => {
    const right = candlesAround(0, feed);
    expect(right.before).toEqual([
      [9, 1, 1],
      [10, 3, 2],
      [11, 3, 0],
    ]);
    expect(right.meanwhile).toEqual([]);
    for (const aheadMs of [600_000, -600_000]) expect(candlesAround(aheadMs, feed)).toEqual(right);
  });
});

describe('BuiltCandles, on a machine whose date was behind', () => {
  it.each([
    ['from the start', true],
    ['since an outage', false],
  ])('reads what a gap of the tape touches from the venue all the same (%s)', (_, fromStart) => {
    const date = { aheadMs: fromStart ? -600_000 : 0 };
    const { clock, venue, trade, tradeAt, subscribe, brief, of } = candlesFixture({
      ...{ script: { kept: 20 }, aheadMs: () => date.aheadMs },
    });
    const tradesFor = (minutes: number) => {
      for (let at = 0; at < minutes * 12; at++) {
        trade((clock.now() - START_MS) / MINUTE);
        clock.advanceBy(5_000);
      }
    };
    tradeAt(START_MS + 9 * MINUTE, 9);
    tradesFor(1);
    subscribe();
    tradesFor(1.5);
    venue.script.failure = noAnswer;
    date.aheadMs = -600_000;
    tradesFor(5);
    venue.script.failure = undefined;
    tradesFor(0.5);
    date.aheadMs = 0;
    tradesFor(2);
    expect(of('gap').map(({ stream }) => stream)).toEqual(['trade']);
    const minutes = [11, 12, 13, 14, 15, 16, 17, 18];
    const closes = minutes.map((minute) => [minute, minute + 55 / 60, 12]);
    expect(brief().filter(([minute]) => minute! > 10)).toEqual(closes);
  });

  it('closes in time once it is set right and a trade has shown it', () => {
    const date = { aheadMs: -600_000 };
    const { clock, trade, tradeAt, subscribe, brief } = candlesFixture({
      aheadMs: () => date.aheadMs,
    });
    tradeAt(START_MS + 9 * MINUTE, 1);
    subscribe();
    clock.advanceBy(10_000);
    date.aheadMs = 0;
    trade(2);
    clock.advanceBy(2 * MINUTE);
    expect(brief()).toEqual([
      [9, 1, 1],
      [10, 2, 1],
      [11, 2, 0],
    ]);
  });
});

describe('BuiltCandles, where the venue gives no candles', () => {
  const refuse = () => {
    throw noAnswer;
  };

  it.each([
    ['leaves it out', () => []],
    ['does not answer', refuse],
  ])('publishes what was built, behind a gap, where the venue %s', (_, given) => {
    const { clock, trade, subscribe, brief, of } = candlesFixture({
      config: { candleHistory: 0 },
      script: { candles: given },
    });
    trade(2);
    subscribe();
    clock.advanceBy(MINUTE);
    trade(3);
    clock.advanceBy(45_000);
    expect(brief()).toEqual([[10, 2, 1]]);
    expect(of('gap')).toMatchObject([
      {
        stream: 'candle',
        after: String(START_MS + 10 * MINUTE),
        before: String(START_MS + 11 * MINUTE),
      },
    ]);
  });

  it('holds live candles back until the history could be read', () => {
    const { clock, venue, trade, tradeAt, subscribe, brief } = candlesFixture();
    const candles = venue.script.candles;
    venue.script.candles = refuse;
    tradeAt(START_MS + 9 * MINUTE, 1);
    subscribe();
    clock.advanceBy(20_000);
    trade(2);
    clock.advanceBy(MINUTE);
    expect(brief()).toEqual([]);
    venue.script.candles = candles;
    clock.advanceBy(31_000);
    expect(brief()).toEqual([
      [9, 1, 1],
      [10, 2, 1],
    ]);
  });
});

describe('BuiltCandles, life', () => {
  it('publishes no candle whose interval still runs', () => {
    const { clock, trade, tradeAt, subscribe, candles } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    subscribe();
    clock.advanceBy(1_000);
    trade(2);
    clock.advanceBy(1_000);
    trade(3);
    clock.advanceBy(1_000);
    expect(candles.map(({ close, closed }) => [close, closed])).toEqual([[1, true]]);
  });

  it('stops its requests and timers with the last subscriber, and warms up anew for the next', () => {
    const { clock, venue, tradeAt, subscribe, brief } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    const subscription = subscribe();
    clock.advanceBy(1_000);
    subscription.unsubscribe();
    const requests = venue.requests.length;
    expect(clock.nextDueMs).toBeUndefined();
    clock.advanceBy(10 * MINUTE);
    expect(venue.requests).toHaveLength(requests);
    subscribe();
    clock.advanceBy(1_000);
    expect(brief()).toEqual([
      [9, 1, 1],
      [9, 1, 1],
    ]);
  });

  it.each([
    ['the history', 5],
    ['the candle in which the tape began', 0],
  ])('stops asking for what it did not get: %s', (_, candleHistory) => {
    const { clock, venue, trade, subscribe } = candlesFixture({
      config: { candleHistory },
      script: {
        candles: () => {
          throw noAnswer;
        },
      },
    });
    trade(2);
    const subscription = subscribe();
    clock.advanceBy(MINUTE);
    trade(3);
    clock.advanceBy(1_000);
    expect(venue.timesOf('candles').length).toBeGreaterThan(0);
    subscription.unsubscribe();
    expect(clock.nextDueMs).toBeUndefined();
  });

  it('reports candles that fail to come as stale', () => {
    const { clock, venue, tradeAt, subscribe, of } = candlesFixture();
    tradeAt(START_MS + 9 * MINUTE, 1);
    subscribe();
    clock.advanceBy(1_000);
    venue.script.failure = noAnswer;
    clock.advanceBy(2 * MINUTE);
    expect(of('freshness').filter(({ stream }) => stream === 'candle')).toMatchObject([
      { fresh: false, ageMs: 2 * MINUTE },
    ]);
  });
});

describe('BuiltCandles, against an oracle', () => {
  it('agrees with a naive resample whatever the latency and the moment of subscription', () => {
    const steps = fc.array(
      fc.record({
        waitMs: fc.oneof(fc.nat(3_000), fc.nat(150_000)),
        price: fc.integer({ min: 1, max: 50 }),
        fails: fc.boolean(),
      }),
      { minLength: 2, maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, fc.nat(30), fc.nat(1_500), (script, quietSteps, latencyMs) => {
        const fixture = candlesFixture({ config: { candleHistory: 3 }, script: { latencyMs } });
        const { clock, venue, trade, subscribe, candles } = fixture;
        for (const [at, { waitMs, price, fails }] of script.entries()) {
          if (at === Math.min(quietSteps, script.length - 1)) subscribe();
          venue.script.failure = fails ? noAnswer : undefined;
          clock.advanceBy(waitMs);
          trade(price);
        }
        venue.script.failure = undefined;
        clock.advanceBy(10 * MINUTE);
        const newest = new Map(candles.map((candle) => [candle.openTime, candle]));
        const shape = ({ openTime, open, high, low, close, volume }: Candle) =>
          JSON.stringify({ openTime, open, high, low, close, volume });
        const built = [...newest.values()].filter(({ volume }) => volume > 0).map(shape);
        const first = candles[0]?.openTime ?? 0;
        const expected = venueCandles(venue.script.tape, clock.now())
          .filter(({ openTime, closed }) => closed && openTime >= first)
          .map(shape);
        expect(built).toEqual(expected);
        const times = [...newest.keys()];
        times.slice(1).forEach((openTime, at) => {
          expect(openTime - times[at]!).toBe(MINUTE);
        });
      }),
      { seed: 17, numRuns: 150 },
    );
  });
});

describe('BuiltCandles beside a trade of another time', () => {
  it('go on, and the candle in which it came is read from the venue', () => {
    const { clock, trade, tradeAt, subscribe, brief, of, venue } = candlesFixture();
    subscribe();
    clock.advanceBy(2 * MINUTE);
    trade(50);
    clock.advanceBy(10_000);
    tradeAt(clock.now() + 24 * 60 * MINUTE, 51);
    venue.script.candles = () => [
      candleOf(START_MS + 12 * MINUTE, { close: 51, volume: 2 }),
      candleOf(START_MS + 13 * MINUTE, { close: 52 }),
    ];
    clock.advanceBy(MINUTE);
    trade(52);
    clock.advanceBy(MINUTE);
    expect(brief().slice(-2)).toEqual([
      [12, 51, 2],
      [13, 52, 1],
    ]);
    expect(of('gap')).toMatchObject([{ stream: 'trade', after: '1', before: '2' }]);
    expect(of('trade').map(({ id }) => id)).toEqual(['1', '3']);
  });
});
