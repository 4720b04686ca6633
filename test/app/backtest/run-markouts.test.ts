import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import type { Markout } from '../../../src/report/index.ts';
import { replayed } from './fixture.ts';
import { tickDataset, tickRun, tradeRows } from './tick-fixture.ts';

/** What fills had gained by each time, milliseconds: how many were looked at, and the sum. */
function gainsOf(markouts: readonly Markout[] = []): Record<number, [fills: number, gain: number]> {
  return Object.fromEntries(
    markouts.map(({ afterMs, fills, gained }) => [afterMs, [fills, gained]]),
  );
}

describe('the markouts of a backtest', () => {
  it('go by the closes of candles, from a candle on, the last one too', async () => {
    const minutes = [100, 103, 101, 100, 100, 107].map((close) => ({ close }));
    const { record } = await replayed({ minutes, script: { 0: 2 } });
    expect(record.markouts).toMatchObject([
      { market: 'btc_usdt', liquidity: 'taker', value: 200 },
      { market: 'btc_usdt', liquidity: 'taker', value: 200 },
    ]);
    expect(gainsOf(record.markouts)).toEqual({ 60000: [1, 6], 300000: [1, 14] });
  });

  it.each([
    ['played', 0, { 1000: [2, 0], 10000: [2, 0], 60000: [2, 1] }],
    ['heard', 38_000, { 1000: [2, 0], 10000: [2, 0], 60000: [1, 1] }],
  ])(
    'hold a fill between two trades against the price before the next is %s',
    async (_, feed, to) => {
      const rows = tradeRows([
        [1, 'buy', 100],
        [40, 'buy', 110],
        [120, 'buy', 120],
      ]);
      const { root } = await tickDataset({ kind: 'trades', rows });
      const latency = { order: 700, answer: 900, feed };
      const deployment = tickRun(
        { root, kind: 'trades' },
        { backtest: { latency, equityEvery: '1hour' } },
      );
      const { record } = await runBacktest({ deployment });
      expect(gainsOf(record.markouts)).toEqual(to);
    },
  );

  it.each(['thisClose', 'nextOpen', 'heardOpen', 'heardPath'])(
    'hold a fill that is heard of in a hole against the price before that, %s',
    async (at) => {
      const minutes = [{ close: 100 }, { close: 100 }, { close: 110, open: 110, at: 20 }];
      const { record, trades } = await replayed({
        minutes: [...minutes, { close: 120, at: 21 }],
        script: { 0: 1 },
        backtest: {
          latency: { order: 1_000, answer: 70_000 },
          equityEvery: '1hour',
          fill: { model: 'candles', volumeCap: null, at },
        },
      });
      expect(trades.map(([, , price]) => price)).toEqual([100]);
      expect(gainsOf(record.markouts)).toEqual({ 60000: [1, 0], 300000: [1, 0] });
    },
  );
});
