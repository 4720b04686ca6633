import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Curve, CurveMeter } from '../../src/report/curve-meter.ts';

const HOUR = 3_600_000;
/** Periods of four hours, that begin an hour after midnight. */
const PERIODS = {
  periodName: '4hour',
  periodMs: 4 * HOUR,
  offsetMs: HOUR,
  countsEmptyPeriods: true,
};

type Row = readonly [hour: number, value: number];

/** What a meter tells of rows that are handed to it in two parts; times in hours. */
function measured(rows: readonly Row[], { cut = 0, periods = PERIODS } = {}): Curve {
  const meter = new CurveMeter(periods);
  for (const part of [rows.slice(0, cut), rows.slice(cut)]) {
    meter.add({
      time: Float64Array.from(part, ([hour]) => hour * HOUR),
      values: Float64Array.from(part, ([, value]) => value),
    });
  }
  return meter.result();
}

/** The hours in which a curve lies below each of its peaks, the last ones until its end. */
function hoursBelow(rows: readonly Row[]): number[] {
  return rows.flatMap(([from, peak], at) => {
    const behind = rows.slice(at + 1);
    const isPeak = rows.slice(0, at).every(([, value]) => value <= peak);
    if (!isPeak || !(behind.length > 0 && behind[0]![1] < peak)) return [];
    const [until] = behind.find(([, value]) => value >= peak) ?? behind.at(-1)!;
    return [until - from];
  });
}

/** Returns from the last value of a period to that of the next. */
function returnsOf(rows: readonly Row[], countsEmptyPeriods: boolean): number[] {
  const [[begin, opening], ...others] = rows as [Row, ...Row[]];
  const periodOf = (hour: number): number => Math.ceil((hour - 1) / 4);
  const closes = new Map(others.map(([hour, value]) => [periodOf(hour), value]));
  const [first, last] = [Math.floor((begin - 1) / 4) + 1, Math.max(...closes.keys())];
  const returns: number[] = [];
  let before = opening;
  for (let period = first; period <= last; period++) {
    const close = closes.get(period) ?? before;
    if (closes.has(period) || countsEmptyPeriods) returns.push(close / before - 1);
    before = close;
  }
  return returns;
}

describe('CurveMeter by the calendar', () => {
  const day = (text: string) => Date.parse(text) / HOUR;
  const rows: Row[] = [
    [day('2023-12-20'), 100],
    // The end of a month belongs to it.
    [day('2024-01-01'), 110],
    [day('2024-02-29'), 121],
    [day('2024-03-01T01:00'), 242],
    [day('2025-07-01'), 484],
  ];
  const calendar = (periodName: string, countsEmptyPeriods: boolean) => ({
    periods: { ...PERIODS, periodName, countsEmptyPeriods },
  });

  test('takes returns of months, and none of an empty one', () => {
    const returns = [...measured(rows, calendar('month', false)).returns];
    expect(returns.map((value) => value.toFixed(6))).toEqual([
      '0.100000',
      '0.100000',
      '1.000000',
      '1.000000',
    ]);
    expect(measured(rows, calendar('month', true)).returns).toHaveLength(19);
  });

  test('takes returns of years', () => {
    const returns = [...measured(rows, calendar('year', true)).returns];
    expect(returns.map((value) => value.toFixed(6))).toEqual(['0.100000', '1.200000', '1.000000']);
  });
});

describe('CurveMeter', () => {
  const curves = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 20,
    })
    .map((steps) => {
      let hour = 0;
      return steps.map(([gap, value]): Row => {
        hour += gap;
        return [hour, value];
      });
    });

  test('tells what its definitions say, in whatever parts the curve comes', () => {
    const check = fc.property(curves, fc.nat(20), fc.boolean(), (rows, cut, countsEmptyPeriods) => {
      const told = measured(rows, { cut, periods: { ...PERIODS, countsEmptyPeriods } });
      const values = rows.map(([, value]) => value);
      const depths = values.map((value, at) => value / Math.max(...values.slice(0, at + 1)) - 1);
      expect(told.drawdown.depth).toBe(Math.min(...depths));
      expect(told.drawdown.longestMs / HOUR).toBe(Math.max(0, ...hoursBelow(rows)));
      expect(told.lowest).toBe(Math.min(...values));
      expect([...told.returns]).toEqual(returnsOf(rows, countsEmptyPeriods));
      expect([told.first, told.last]).toEqual([values[0], values.at(-1)]);
    });
    fc.assert(check, { seed: 17, numRuns: 500 });
  });

  test('leaves unknown values out, but for the first and the last', () => {
    const none = Number.NaN;
    const told = measured([
      ...([
        [0, none],
        [2, 4],
        [3, 2],
      ] as const),
      ...([
        [4, none],
        [20, none],
      ] as const),
    ]);
    expect(told).toMatchObject({ first: none, last: none, lowest: 2, elapsedMs: 20 * HOUR });
    expect([told.drawdown.longestMs, ...told.returns]).toEqual([HOUR, -0.5]);
  });
});
