import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Charts } from '../../../../src/app/backtest/record/charts.ts';

const MINUTE = 60_000;

function tradesOf(rows: readonly (readonly [time: number, price: number])[]) {
  return {
    time: Float64Array.from(rows, ([time]) => time),
    price: Float64Array.from(rows, ([, price]) => price),
  };
}

/** The chart of btc_usdt, a candle a row: time, open, high, low, close. */
function candlesOf(charts: Charts): number[][] {
  const { time, open, high, low, close } = charts.columns().get('btc_usdt')!;
  return Array.from(time, (ms, at) => [ms, open[at]!, high[at]!, low[at]!, close[at]!]);
}

describe('Charts', () => {
  it('makes candles of trades, and leaves those before the period out', () => {
    const charts = new Charts({ fromMs: MINUTE, toMs: 10 * MINUTE, stepMs: MINUTE, markets: 1 });
    charts.addTrades(
      'btc_usdt',
      tradesOf([
        [5, 1],
        [MINUTE, 10],
        [MINUTE + 1, 12],
      ]),
    );
    charts.addTrades(
      'btc_usdt',
      tradesOf([
        [MINUTE + 2, 9],
        [4 * MINUTE - 1, 11],
      ]),
    );
    expect(candlesOf(charts)).toEqual([
      [MINUTE, 10, 12, 9, 9],
      [3 * MINUTE, 11, 11, 11, 11],
    ]);
  });

  it('goes on with the last candle after it was looked at', () => {
    const charts = new Charts({ fromMs: 0, toMs: MINUTE, stepMs: MINUTE, markets: 1 });
    charts.addTrades('btc_usdt', tradesOf([[1, 10]]));
    expect(candlesOf(charts)).toEqual([[0, 10, 10, 10, 10]]);
    charts.addTrades('btc_usdt', tradesOf([[2, 11]]));
    expect(candlesOf(charts)).toEqual([[0, 10, 11, 10, 11]]);
  });

  it.each([
    [40_000, 1],
    [20_000, 3],
  ])('joins candles where charts would have more than they show: %i of %i', (minutes, markets) => {
    const charts = new Charts({ fromMs: 0, toMs: minutes * MINUTE, stepMs: MINUTE, markets });
    charts.addCandles('btc_usdt', {
      time: Float64Array.of(0, MINUTE, 2 * MINUTE),
      open: Float64Array.of(10, 11, 12),
      high: Float64Array.of(15, 14, 13),
      low: Float64Array.of(9, 8, 7),
      close: Float64Array.of(11, 12, 12.5),
      volume: Float64Array.of(1, 1, 1),
    });
    expect(candlesOf(charts)).toEqual([
      [0, 10, 15, 8, 12],
      [2 * MINUTE, 12, 13, 7, 12.5],
    ]);
  });

  it('equals a sort into buckets, however the trades are cut into chunks', () => {
    const gaps = fc.array(fc.tuple(fc.nat(3 * MINUTE), fc.integer({ min: 1, max: 99 })));
    fc.assert(
      fc.property(gaps, fc.nat(5), (steps, cut) => {
        const charts = new Charts({ fromMs: 0, toMs: 10 * MINUTE, stepMs: MINUTE, markets: 1 });
        let ms = 0;
        const rows = steps.map(([gap, price]) => {
          ms += gap;
          return [ms, price] as const;
        });
        for (const chunk of [rows.slice(0, cut), rows.slice(cut)]) {
          charts.addTrades('btc_usdt', tradesOf(chunk));
        }
        const buckets = Map.groupBy(rows, ([time]) => Math.floor(time / MINUTE) * MINUTE);
        const wanted = Array.from(buckets, ([start, trades]) => {
          const prices = trades.map(([, price]) => price);
          return [start, prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)];
        });
        expect(candlesOf(charts)).toEqual(wanted);
      }),
      { seed: 7 },
    );
  });
});
