import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INTERVAL_MS, INTERVALS, type Interval, intervalStart } from '../../src/domain/index.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/index.ts';
import { BARS_KEPT, type Bar, Bars } from '../../src/sim/bars.ts';
import { DaySummaries } from '../../src/sim/day-summary.ts';
import { START_MS } from './fixture.ts';

interface Print {
  readonly time: number;
  readonly price: number;
  readonly amount: number;
}

/** Trades with gaps from seconds to days between them. */
const prints = fc
  .array(
    fc.record({
      gap: fc.oneof(fc.nat(30_000), fc.nat(600_000), fc.nat(3 * DAY_MS)),
      price: fc.integer({ min: 1, max: 1_000 }),
      amount: fc.integer({ min: 1, max: 50 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps) => {
    let time = START_MS;
    return steps.map(({ gap, price, amount }): Print => {
      time += gap;
      return { time, price, amount };
    });
  });

/** Bars by grouping all trades anew. */
function naiveBars(trades: readonly Print[], openTimeAt: (time: number) => number): Bar[] {
  const bars: Bar[] = [];
  for (const { time, price, amount } of trades) {
    const openTime = openTimeAt(time);
    const last = bars.at(-1);
    if (last?.openTime !== openTime) {
      bars.push({ openTime, open: price, high: price, low: price, close: price, volume: amount });
      continue;
    }
    last.high = Math.max(last.high, price);
    last.low = Math.min(last.low, price);
    last.close = price;
    last.volume += amount;
  }
  return bars;
}

function recorded(trades: readonly Print[]): Bars {
  const bars = new Bars();
  for (const trade of trades) bars.record(trade);
  return bars;
}

describe('Bars', () => {
  test('agree with grouping the trades anew, for all intervals', () => {
    fc.assert(
      fc.property(prints, (trades) => {
        const bars = recorded(trades);
        for (const interval of INTERVALS) {
          const naive = naiveBars(trades, (time) => intervalStart(time, interval));
          expect(bars.from(interval, 0)).toEqual(naive);
          const middle = naive[naive.length >> 1]!.openTime;
          expect(bars.from(interval, middle)).toEqual(
            naive.filter(({ openTime }) => openTime >= middle),
          );
        }
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  test.each<[Interval]>([['1min'], ['5min']])('keep the newest 1000 of %s', (interval) => {
    const length = INTERVAL_MS[interval];
    const trades = Array.from({ length: 4_000 }, (_, i) => ({
      time: START_MS + i * length,
      price: i + 1,
      amount: 1,
    }));
    const bars = recorded(trades).from(interval, 0);
    expect(bars).toHaveLength(BARS_KEPT);
    expect(bars[0]!.open).toBe(3_001);
    expect(bars.at(-1)!.open).toBe(4_000);
  });

  test('forget minutes that are long past', () => {
    const bars = new Bars();
    const minute = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
    for (let at = 0; at < 10_000; at++) {
      bars.recordMinute({ ...minute, openTime: START_MS + at * MINUTE_MS });
    }
    expect(bars.endedMinutes.length).toBeLessThan((2 * DAY_MS) / MINUTE_MS);
  });

  test('leave a minute of the past to its owner', () => {
    const bars = new Bars();
    const minute = { openTime: START_MS, open: 5, high: 5, low: 5, close: 5, volume: 1 };
    bars.recordMinute(minute);
    bars.record({ time: START_MS + 1, price: 7, amount: 2 });
    expect(minute).toMatchObject({ high: 5, close: 5, volume: 1 });
    expect(bars.runningMinute).toMatchObject({ high: 7, close: 7, volume: 3 });
  });
});

describe('DaySummaries', () => {
  test('agree with summing up the trades of the last 24 hours by the minute', () => {
    fc.assert(
      fc.property(prints, fc.nat(2 * DAY_MS), (trades, later) => {
        const bars = new Bars();
        const days = new DaySummaries(bars);
        for (const [i, trade] of trades.entries()) {
          bars.record(trade);
          expect(days.at(trade.time)).toEqual(naiveDay(trades.slice(0, i + 1), trade.time));
        }
        const now = trades.at(-1)!.time + later;
        expect(days.at(now)).toEqual(naiveDay(trades, now));
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  test('are all zero before the first trade', () => {
    const empty = { open: 0, high: 0, low: 0, last: 0, volume: 0 };
    expect(new DaySummaries(new Bars()).at(START_MS)).toEqual(empty);
  });
});

function naiveDay(trades: readonly Print[], now: number) {
  const last = trades.at(-1)!.price;
  const minutes = naiveBars(trades, (time) => time - (time % MINUTE_MS));
  // The window moves on with the minute, not with each millisecond.
  const from = Math.floor(now / MINUTE_MS) * MINUTE_MS - DAY_MS;
  const day = minutes.filter(({ openTime }) => openTime > from);
  if (day.length === 0) return { open: last, high: last, low: last, last, volume: 0 };
  return {
    open: day[0]!.open,
    high: Math.max(...day.map(({ high }) => high)),
    low: Math.min(...day.map(({ low }) => low)),
    last,
    volume: day.reduce((sum, { volume }) => sum + volume, 0),
  };
}
