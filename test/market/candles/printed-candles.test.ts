import fc from 'fast-check';
import { from, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Candle, Interval, Trade } from '../../../src/domain/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { type Outage, PrintedCandles } from '../../../src/market/candles/printed-candles.ts';
import { MARKET, marketFixture, realTrades, START_MS, tradeOf, venueCandles } from '../fixture.ts';

const MINUTE = 60_000;

interface Told {
  readonly startMs?: number;
  readonly past?: readonly Trade[];
  readonly outages?: readonly Outage[];
  readonly interval?: Interval;
  readonly amountScale?: number;
}

/** Candles of recorded trades on a virtual clock, from `startMs` on. */
function printedFixture({ startMs = START_MS, past = [], outages = [], ...told }: Told = {}) {
  const { interval = '1min', amountScale = 4 } = told;
  const clock = new VirtualClock(startMs);
  const trades = new Subject<Trade>();
  const candles: Candle[] = [];
  const printed = new PrintedCandles({
    ...{ clock, market: MARKET, interval, amountScale, graceMs: 1_000, outages, trades },
    past: from(past),
    publish: (candle) => candles.push(candle),
  });
  printed.start();
  /** A trade at its own time. */
  const play = (trade: Trade): void => {
    clock.advanceTo(trade.exchangeTime);
    trades.next(trade);
  };
  /** Candles as [minute, close, volume]. */
  const brief = () =>
    candles.map(({ openTime, close, volume }) => [(openTime - START_MS) / MINUTE, close, volume]);
  return { clock, printed, candles, play, brief };
}

/** A trade some minutes after the start. */
function tradeAt(minutes: number, price: number): Trade {
  return tradeOf(Math.round(minutes * 1e6), { exchangeTime: START_MS + minutes * MINUTE, price });
}

describe('PrintedCandles', () => {
  it('tells all candles of the past at once, closed, and none of them late', () => {
    const past = [tradeAt(0.5, 1), tradeAt(2.5, 2), tradeAt(4.9, 3)];
    const { candles, brief } = printedFixture({ startMs: START_MS + 5 * MINUTE, past });
    expect(brief()).toEqual([
      [0, 1, 1],
      [1, 1, 0],
      [2, 2, 1],
      [3, 2, 0],
      [4, 3, 1],
    ]);
    for (const { closed, openTime, exchangeTime, receivedTime } of candles) {
      expect([closed, exchangeTime - openTime]).toEqual([true, MINUTE]);
      expect(receivedTime).toBe(START_MS + 5 * MINUTE);
    }
  });

  it('goes on with the candle in which the past ends', () => {
    const startMs = START_MS + 1.5 * MINUTE;
    const { play, brief } = printedFixture({ startMs, past: [tradeAt(1.2, 7)] });
    play(tradeAt(1.7, 9));
    play(tradeAt(2.1, 8));
    expect(brief()).toEqual([[1, 9, 2]]);
  });

  it('closes the candle in which the past ends though nothing is traded any more', () => {
    const startMs = START_MS + 1.5 * MINUTE;
    const { clock, brief } = printedFixture({ startMs, past: [tradeAt(1.2, 7)] });
    clock.advanceBy(1.6 * MINUTE);
    expect(brief()).toEqual([
      [1, 7, 1],
      [2, 7, 0],
    ]);
  });

  it('is silent before the first trade, and keeps no timer till then', () => {
    const { clock, play, brief } = printedFixture();
    expect(clock.nextDueMs).toBeUndefined();
    play(tradeAt(3.5, 4));
    clock.advanceBy(MINUTE);
    expect(brief()).toEqual([[3, 4, 1]]);
  });

  it('ends with its timers', () => {
    const { clock, printed, play, brief } = printedFixture();
    play(tradeAt(0.5, 1));
    printed.stop();
    play(tradeAt(1.5, 1));
    expect([clock.nextDueMs, brief()]).toEqual([undefined, []]);
  });
});

describe('PrintedCandles, where trades are missing', () => {
  it('makes none of what is missing, and waits for the trades behind it', () => {
    const outages = [{ from: START_MS + 1.5 * MINUTE, to: START_MS + 5.5 * MINUTE }];
    const { clock, play, brief } = printedFixture({ outages });
    play(tradeAt(0.5, 1));
    play(tradeAt(1.5, 2));
    clock.advanceTo(START_MS + 5.4 * MINUTE);
    expect(brief()).toEqual([[0, 1, 1]]);
    play(tradeAt(5.5, 3));
    clock.advanceBy(1.6 * MINUTE);
    expect(brief().slice(1)).toEqual([
      [1, 2, 1],
      [5, 3, 1],
      [6, 3, 0],
    ]);
  });

  it('makes those without trades between two outages, and none within', () => {
    const outages = [
      { from: START_MS + 0.5 * MINUTE, to: START_MS + 2.5 * MINUTE },
      { from: START_MS + 5.5 * MINUTE, to: START_MS + 7.5 * MINUTE },
    ];
    const { clock, play, brief } = printedFixture({ outages });
    play(tradeAt(0.5, 1));
    play(tradeAt(2.5, 2));
    clock.advanceTo(START_MS + 7.4 * MINUTE);
    const between = [
      [0, 1, 1],
      [2, 2, 1],
      [3, 2, 0],
      [4, 2, 0],
    ];
    expect(brief()).toEqual(between);
    play(tradeAt(7.5, 3));
    clock.advanceBy(1.6 * MINUTE);
    expect(brief()).toEqual([...between, [7, 3, 1], [8, 3, 0]]);
  });

  it('makes none of what is missing in the past', () => {
    const outages = [{ from: START_MS + 0.5 * MINUTE, to: START_MS + 3.5 * MINUTE }];
    const past = [tradeAt(0.5, 1), tradeAt(3.5, 2)];
    const { brief } = printedFixture({ startMs: START_MS + 5 * MINUTE, past, outages });
    expect(brief()).toEqual([
      [0, 1, 1],
      [3, 2, 1],
      [4, 2, 0],
    ]);
  });
});

function shapesOf(candles: readonly Candle[]) {
  return candles.map(({ openTime, open, high, low, close, volume }) =>
    [(openTime - START_MS) / MINUTE, open, high, low, close, volume].join(' '),
  );
}

describe('PrintedCandles, beside those of a live run', () => {
  const steps = fc.array(
    fc.record({
      waitMs: fc.oneof(fc.nat(20_000), fc.nat(200_000)),
      price: fc.integer({ min: 1, max: 50 }),
    }),
    { minLength: 20, maxLength: 60 },
  );

  it('are the same, from the history on', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 3, max: 16 }), fc.nat(59_999), (script, split, ms) => {
        let time = START_MS;
        const tape = script.map(({ waitMs, price }, at) => {
          time += waitMs;
          return tradeOf(at + 1, { exchangeTime: time, price });
        });
        const startMs = Math.min(tape[split]!.exchangeTime + ms, tape[split + 1]!.exchangeTime);
        const past = tape.filter(({ exchangeTime }) => exchangeTime < startMs);
        const rest = tape.slice(past.length);
        const { streams, clock, venue, of } = marketFixture({ startMs, feed: true });
        venue.script.tape = [...past];
        venue.script.candles = ({ since = 0 }) =>
          venueCandles(venue.script.tape, clock.now()).filter(({ openTime }) => openTime > since);
        streams.candles({ market: MARKET, interval: '1min' }).subscribe();
        const { play, clock: recorded, candles } = printedFixture({ startMs, past });
        for (const trade of rest) {
          clock.advanceTo(trade.exchangeTime);
          venue.script.tape.push(trade);
          venue.pushes.trades.next([trade]);
          play(trade);
        }
        for (const each of [clock, recorded]) each.advanceBy(5 * MINUTE);
        const live = shapesOf(of('candle'));
        expect(shapesOf(candles)).toEqual(live);
        expect(live.length).toBeGreaterThan(4);
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  const trades = realTrades();
  it.skipIf(trades === undefined).each([
    ['1min', 2_469],
    ['5min', 706],
  ] as const)('have the known count of %s on two real days', (interval, count) => {
    const { clock, play, candles } = printedFixture({
      ...{ startMs: trades![0]!.exchangeTime, interval, amountScale: 8 },
    });
    for (const trade of trades!) play(trade);
    clock.advanceBy(10 * MINUTE);
    expect(candles.filter(({ volume }) => volume > 0)).toHaveLength(count);
    const times = candles.map(({ openTime }) => openTime);
    expect(new Set(times).size).toBe(times.length);
  });
});
