import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVAL_MS, type Interval, intervalStart } from '../../../src/domain/index.ts';
import {
  type Bar,
  CandleBuilder,
  fillHoles,
  flatBar,
  type Print,
} from '../../../src/market/candles/candle-builder.ts';
import { START_MS } from '../fixture.ts';

const MINUTE = 60_000;
const print = (seconds: number, price: number, amount = 1): Print => ({
  exchangeTime: START_MS + seconds * 1_000,
  price,
  amount,
});
const builderOf = (interval: Interval = '1min') => new CandleBuilder({ interval, amountScale: 4 });

/** The bars with trades, by plain grouping: the builder must agree. */
function resample(prints: readonly Print[], interval: Interval): Bar[] {
  const groups = Map.groupBy(prints, ({ exchangeTime }) => intervalStart(exchangeTime, interval));
  return [...groups].map(([openTime, group]) => {
    const prices = group.map(({ price }) => price);
    return {
      openTime,
      open: prices[0]!,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1)!,
      volume: Number(group.reduce((sum, { amount }) => sum + amount, 0).toFixed(4)),
    };
  });
}

describe('fillHoles', () => {
  const bar = (minute: number, close: number): Bar => ({
    ...flatBar(minute * MINUTE, close),
    volume: 1,
  });
  const filled = (bars: readonly Bar[], most = 10) => fillHoles(bars, { lengthMs: MINUTE, most });

  it('puts flat candles where an interval is left out', () => {
    expect(filled([bar(0, 5), bar(3, 7)])).toEqual([
      bar(0, 5),
      flatBar(MINUTE, 5),
      flatBar(2 * MINUTE, 5),
      bar(3, 7),
    ]);
    expect(filled([])).toEqual([]);
  });

  it('makes no more than are wanted, however far a wrong stamp lies back', () => {
    const all = filled([bar(0, 5), bar(2, 6), bar(5, 7)], 100);
    for (let most = 0; most <= 6; most++) {
      expect(filled([bar(0, 5), bar(2, 6), bar(5, 7)], most)).toEqual(all.slice(6 - most));
    }
    const now = START_MS / MINUTE;
    const long = filled([bar(0, 5), bar(now, 7)], 3);
    expect(long.map(({ openTime }) => openTime / MINUTE)).toEqual([now - 2, now - 1, now]);
  });
});

describe('CandleBuilder, behind its first trade,', () => {
  it.each([
    ['the next trade', (builder: CandleBuilder) => builder.add(print(0, 7))],
    ['its time is over', (builder: CandleBuilder) => builder.closeUntil(START_MS)],
  ])('closes nothing behind a first trade stamped 1970 when %s comes', (_, next) => {
    const builder = builderOf();
    builder.add({ ...print(0, 5), exchangeTime: 0 });
    expect(next(builder)).toEqual([]);
    builder.add(print(1, 8));
    expect(builder.closeUntil(START_MS + MINUTE)).toMatchObject([{ openTime: START_MS, close: 8 }]);
    expect(builder.closeUntil(START_MS + 20_000 * MINUTE)).toHaveLength(19_999);
  });

  it('fills a week of minutes behind a first trade, and none behind what is older', () => {
    const week = 10_080;
    for (const [minutes, closed] of [
      [week, week],
      [week + 1, 0],
    ] as const) {
      const builder = builderOf();
      builder.add(print(0, 5));
      expect(builder.add(print(60 * minutes, 6))).toHaveLength(closed);
    }
  });
});

describe('CandleBuilder', () => {
  it('closes what its time is over when told', () => {
    const builder = builderOf();
    expect(builder.closeUntil(START_MS)).toEqual([]);
    builder.add(print(5, 10));
    expect(builder.closeUntil(START_MS + MINUTE - 1)).toEqual([]);
    expect(builder.closeUntil(START_MS + 2 * MINUTE)).toHaveLength(2);
  });

  it('revises the last closed candle by a late trade, and the flat one that carries its close', () => {
    const builder = builderOf();
    builder.add(print(5, 10));
    builder.closeUntil(START_MS + MINUTE);
    expect(builder.add(print(59, 14))).toEqual([
      { openTime: START_MS, open: 10, high: 14, low: 10, close: 14, volume: 2 },
    ]);
    expect(builder.running).toEqual(flatBar(START_MS + MINUTE, 14));
  });

  it('leaves out a trade that is older than the last closed candle', () => {
    const builder = builderOf();
    builder.add(print(5, 10));
    builder.closeUntil(START_MS + 2 * MINUTE);
    expect(builder.add(print(59, 14))).toEqual([]);
    expect(builder.running).toEqual(flatBar(START_MS + 2 * MINUTE, 10));
  });

  it('counts intervals from the candle that it begins behind', () => {
    const builder = builderOf('1week');
    const thursday = Date.UTC(2024, 0, 4);
    builder.begin(flatBar(thursday, 7));
    const trade = { exchangeTime: Date.UTC(2024, 0, 19), price: 8, amount: 1 };
    expect(builder.add(trade)).toEqual([flatBar(Date.UTC(2024, 0, 11), 7)]);
    expect(builder.running?.openTime).toBe(Date.UTC(2024, 0, 18));
  });
});

describe('CandleBuilder, against oracles', () => {
  it('agrees with a naive resample on random trades and random closing times', () => {
    const gaps = fc.array(
      fc.record({
        waitMs: fc.oneof(fc.nat(20_000), fc.nat(400_000)),
        price: fc.integer({ min: 1, max: 50 }),
        amount: fc.integer({ min: 1, max: 99_999 }),
        tells: fc.boolean(),
      }),
      { minLength: 1, maxLength: 80 },
    );
    fc.assert(
      fc.property(gaps, fc.constantFrom<Interval>('1min', '3min', '5min'), (script, interval) => {
        const builder = builderOf(interval);
        const prints: Print[] = [];
        const built: Bar[] = [];
        let time = START_MS;
        for (const { waitMs, price, amount, tells } of script) {
          time += waitMs;
          if (tells) built.push(...builder.closeUntil(time));
          const made = { exchangeTime: time, price, amount: amount / 10_000 };
          prints.push(made);
          built.push(...builder.add(made));
        }
        built.push(...builder.closeUntil(time + INTERVAL_MS[interval]));
        expect(built.filter(({ volume }) => volume > 0)).toEqual(resample(prints, interval));
        const times = built.map(({ openTime }) => openTime);
        times.slice(1).forEach((openTime, at) => {
          expect(openTime - times[at]!).toBe(INTERVAL_MS[interval]);
        });
        for (const [at, bar] of built.entries()) {
          if (bar.volume === 0) expect(bar).toEqual(flatBar(bar.openTime, built[at - 1]!.close));
        }
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
