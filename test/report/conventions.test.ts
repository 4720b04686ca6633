import { describe, expect, test } from 'vitest';
import { INTERVAL_MS, INTERVALS } from '../../src/domain/index.ts';
import {
  analyse,
  conventionsOf,
  type Measured,
  metricsFileOf,
  type RunRecord,
  reportConfig,
  reportHtml,
} from '../../src/report/index.ts';
import { sharpeRatio } from '../../src/report/metrics/series.ts';
import { DAY, makeCurve, makeFill, makeRecord } from './fixture.ts';

function analysed(record: RunRecord, config: object) {
  return analyse(record, conventionsOf(reportConfig.parse({ sampleGates: false, ...config })));
}

function measure(id: string, record: RunRecord, config: object = {}): Measured {
  return analysed(record, config).figures.find(({ metric }) => metric.id === id)!.measured;
}

const EQUITY = Array.from({ length: 61 }, (_, at) => 1000 + 30 * Math.sin(at) + 2 * at);
const RETURNS = EQUITY.slice(1).map((value, at) => value / EQUITY[at]! - 1);

describe('returnPeriod', () => {
  test.each(INTERVALS)('takes returns of each candle: %s', (interval) => {
    const stepMs = INTERVAL_MS[interval];
    // A curve that begins where a period does: on a Monday, at a whole one since the epoch.
    const curve = makeCurve(EQUITY, stepMs);
    const whole = 3 * INTERVAL_MS['1week'];
    const origin = (interval === '1week' ? 4 * DAY : 0) + 900 * whole;
    const time = curve.time.map((_, at) => origin + at * stepMs);
    const record = makeRecord({ curve: { ...curve, time } });
    const expected = sharpeRatio(RETURNS, { periodsPerYear: (365 * DAY) / stepMs });
    expect(measure('sharpe', record, { returnPeriod: interval }).value).toBeCloseTo(expected, 9);
  });

  test.each([
    ['1hour', 'hour'],
    ['1day', 'day'],
    ['1week', 'week'],
  ])('%s is %s', (interval, name) => {
    const { periodName: _, ...own } = conventionsOf(reportConfig.parse({ returnPeriod: interval }));
    expect(conventionsOf(reportConfig.parse({ returnPeriod: name }))).toMatchObject(own);
  });

  test('has weeks that begin on Monday, and all else at whole ones since the epoch', () => {
    const offsets = ['3day', '4hour', 'week', '1week'].map(
      (returnPeriod) => conventionsOf(reportConfig.parse({ returnPeriod })).offsetMs,
    );
    expect(offsets).toEqual([0, 0, 4 * DAY, 4 * DAY]);
  });

  test('goes by the days of a year, of several days by all of them', () => {
    const periods = (config: object) => conventionsOf(reportConfig.parse(config)).periodsPerYear;
    expect(periods({ returnPeriod: '4hour', daysPerYear: 365.25 })).toBe(365.25 * 6);
    expect(periods({ returnPeriod: '1day', daysPerYear: 252 })).toBe(252);
    expect(periods({ returnPeriod: '3day', daysPerYear: 252 })).toBe(365 / 3);
    expect(periods({ returnPeriod: 'week', daysPerYear: 252 })).toBe(365 / 7);
    expect(periods({ returnPeriod: 'month', daysPerYear: 252 })).toBe(12);
    expect(periods({ returnPeriod: 'year', daysPerYear: 365.25 })).toBe(1);
  });

  test.each(['hour', '4hour', '1min'])(
    'shorter than a day is refused where not every day is traded: %s',
    (returnPeriod) => {
      const { error } = reportConfig.safeParse({ returnPeriod, daysPerYear: 252 });
      expect(error?.issues).toMatchObject([{ path: ['returnPeriod'] }]);
      expect(error?.issues[0]?.message).toContain('day or week is wanted');
    },
  );

  test('names how many periods there are where they are too few', () => {
    const record = makeRecord({ curve: makeCurve([1, 2, 3], DAY / 6) });
    const config = { returnPeriod: '4hour', sampleGates: true };
    expect(measure('sharpe', record, config).reason).toBe('2 periods, at least 30 wanted');
  });
});

describe('emptyPeriods', () => {
  const whole = makeCurve(EQUITY);
  const isTraded = (_: number, day: number): boolean => day % 7 < 5;
  const equity = EQUITY.filter(isTraded);
  const record = makeRecord({ curve: { ...makeCurve(equity), time: whole.time.filter(isTraded) } });
  const rows = equity.slice(1).map((value, at) => value / equity[at]! - 1);

  test('leftOut takes a return a row in a year of 365 days', () => {
    const { value } = measure('sharpe', record, { emptyPeriods: 'leftOut' });
    expect(value).toBeCloseTo(sharpeRatio(rows, { periodsPerYear: 365 }), 12);
    expect(measure('sharpe', record).value).not.toBeCloseTo(value!, 3);
  });

  test('earnNothing counts every day in a year of 252', () => {
    const { value } = measure('sharpe', record, { emptyPeriods: 'earnNothing', daysPerYear: 252 });
    expect(value! / measure('sharpe', record).value!).toBeCloseTo(Math.sqrt(252 / 365), 12);
  });

  test('counts those ahead of the second valuation like all others', () => {
    const late = (_: number, day: number): boolean => day === 0 || day > 3;
    const values = EQUITY.filter(late);
    const seldom = makeRecord({ curve: { ...makeCurve(values), time: whole.time.filter(late) } });
    const known = values.slice(1).map((value, at) => value / values[at]! - 1);
    const sharpe = (returns: number[]) => sharpeRatio(returns, { periodsPerYear: 365 });
    const { value } = measure('sharpe', seldom);
    expect(value).toBeCloseTo(sharpe([0, 0, 0, ...known]), 12);
    const leftOut = measure('sharpe', seldom, { emptyPeriods: 'leftOut' }).value;
    expect(leftOut).toBeCloseTo(sharpe(known), 12);
  });

  test('is told by the report, whichever it is', () => {
    const pageOf = (config: object) =>
      reportHtml(analysed(record, config), '').replaceAll(/\s+/g, ' ');
    expect(pageOf({})).toContain('A period without data counts as one that earned nothing.');
    for (const config of [{ emptyPeriods: 'leftOut' }, { daysPerYear: 252 }]) {
      expect(pageOf(config)).toContain('A period without data is left out.');
    }
  });
});

describe('cagrYear', () => {
  const record = makeRecord({ curve: makeCurve(EQUITY) });
  const growth = EQUITY.at(-1)! / EQUITY[0]!;

  test.each([365, 365.25, 360])('is how many days it compounds to: %d', (cagrYear) => {
    const annual = growth ** (cagrYear / 60) - 1;
    expect(measure('annualReturn', record, { cagrYear }).value).toBeCloseTo(annual, 12);
    const depth = -measure('maxDrawdown', record).value!;
    expect(measure('calmar', record, { cagrYear }).value).toBeCloseTo(annual / depth, 10);
  });

  test('goes by the count of returns where that is wanted', () => {
    // Sixty days of trading, one every second day.
    const sparse = makeRecord({ curve: makeCurve(EQUITY, 2 * DAY) });
    const config = { cagrYear: 'periods', daysPerYear: 252 };
    const annual = growth ** (252 / 60) - 1;
    expect(measure('annualReturn', sparse, config).value).toBeCloseTo(annual, 12);
  });
});

describe('deviation', () => {
  test('divides by n - 1 or by n, for Sharpe, volatility and SQN alike', () => {
    const fills = [5, -2, 3, -1].flatMap((profit) => [
      makeFill({ price: 100 }),
      makeFill({ price: 100 + profit, side: 'sell' }),
    ]);
    const record = makeRecord({ curve: makeCurve(EQUITY), fills });
    const ratio = (id: string): number =>
      measure(id, record, { deviation: 'population' }).value! / measure(id, record).value!;
    expect(ratio('volatility')).toBeCloseTo(Math.sqrt(59 / 60), 12);
    expect(ratio('sharpe')).toBeCloseTo(Math.sqrt(60 / 59), 12);
    expect(ratio('sqn')).toBeCloseTo(Math.sqrt(4 / 3), 12);
    expect(ratio('sortinoArithmetic')).toBe(1);
  });
});

describe('the conventions', () => {
  const config = {
    returnPeriod: '4hour',
    cagrYear: 'periods',
    deviation: 'population',
    buyAndHold: 'firstClose',
  };
  const analysis = analysed(makeRecord(), config);

  test('stand in metrics.json, each by its name', () => {
    const { returnPeriod: periodName, ...named } = config;
    expect(metricsFileOf(analysis).conventions).toMatchObject({ periodName, ...named });
  });

  test('are told in words by the report', () => {
    const page = reportHtml(analysis, '').replaceAll(/\s+/g, ' ');
    expect(page).toContain('Returns are taken over each 4 h, a year has 365 days');
    expect(page).toContain(
      'The annual return compounds by the count of returns, deviations divide by n, ' +
        'buying and holding begins at the first close.',
    );
    expect(reportHtml(analysed(makeRecord(), {}), '').replaceAll(/\s+/g, ' ')).toContain(
      'The annual return compounds to a year of 365 days, deviations divide by n - 1, ' +
        'buying and holding begins at the first open.',
    );
  });
});
