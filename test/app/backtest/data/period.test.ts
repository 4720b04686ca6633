import { describe, expect, it } from 'vitest';
import { periodOf } from '../../../../src/app/backtest/data/period.ts';
import { MINUTE, minuteSource, replayed, START_MS, scriptedDeployment } from '../fixture.ts';

describe('periodOf', () => {
  it('is by itself the time that all markets have data for, behind the warm-up', () => {
    const from = (first: number, minutes: number) =>
      minuteSource(Array.from({ length: minutes }, (_, at) => ({ close: 100, at: first + at })));
    const sources = [from(0, 200), from(30, 270)];
    const periodIn = (backtest: object) => {
      const period = periodOf(scriptedDeployment({ script: { 0: 0 }, backtest }), sources);
      const moments = [period.warmFromMs, period.fromMs, period.toMs];
      return moments.map((ms) => (ms - START_MS) / MINUTE);
    };
    expect(periodIn({})).toEqual([30, 30, 200]);
    expect(periodIn({ warmUpHours: 1 })).toEqual([30, 90, 200]);
    expect(periodIn({ from: '2024-01-01T02:00', warmUpHours: 1 })).toEqual([60, 120, 200]);
  });
});

describe('a period that ends in a hole of the data', () => {
  /** Minutes 0 to 9 but for two, then 20 to 29. */
  const at = [0, 1, 2, 5, 6, 7, 8, 9, ...Array.from({ length: 10 }, (_, one) => 20 + one)];
  const minutes = at.map((minute) => ({ at: minute, close: 100 }));
  const until = async (to: string) => {
    const period = { from: '2024-01-01', to };
    const { record } = await replayed({ minutes, script: { 0: 0 }, backtest: period });
    const [{ coverage, to: endMs }] = record.coverage as [(typeof record.coverage)[0]];
    const minute = (ms: number): number => (ms - START_MS) / MINUTE;
    return { coverage, covered: minute(endMs), measured: minute(record.period.to), record };
  };

  it('is measured and covered until the last row, and says so', async () => {
    const { coverage, covered, measured, record } = await until('2024-01-01T00:15');
    expect([coverage, covered, measured]).toEqual([0.8, 10, 10]);
    expect(record.notes).toEqual([
      'The data end at 2024-01-01 00:10 UTC, earlier than asked: the run is measured until then.',
      expect.stringMatching(/^test: 7 candles are missing, in 2 places; the longest hole, of 5 /),
    ]);
  });

  it('counts a hole within it, and says nothing else where rows go on to its end', async () => {
    const { coverage, covered, measured, record } = await until('2024-01-01T00:25');
    expect([coverage, covered, measured]).toEqual([13 / 25, 25, 25]);
    expect(record.notes).toEqual([
      expect.stringMatching(/^test: 12 candles are missing, in 2 places; the longest hole, of 10 /),
    ]);
  });

  it('is none where the last candle is left for its open', async () => {
    const { record } = await replayed({
      ...{ minutes, script: { 0: 0 } },
      backtest: { from: '2024-01-01', to: '2024-01-01T00:10', closeAtEnd: 'open' },
    });
    const note = 'test: 2 candles are missing from 2024-01-01 00:03 to 2024-01-01 00:05 UTC.';
    expect([record.coverage[0]!.coverage, record.notes]).toEqual([0.8, [note]]);
  });
});
