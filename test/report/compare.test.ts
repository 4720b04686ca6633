import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/kernel/index.ts';
import {
  analyse,
  type ComparedMetric,
  type Comparison,
  comparedFigures,
  compareMetrics,
  conventionsOf,
  metricsFileOf,
  type RunRecord,
  reportConfig,
} from '../../src/report/index.ts';
import { makeCurve, makeRecord } from './fixture.ts';

const fileOf = (record: RunRecord) => metricsFileOf(analyse(record));
const compare = (a: RunRecord, b: RunRecord): Comparison => compareMetrics(fileOf(a), fileOf(b));

function metricOf(comparison: Comparison, id: string): ComparedMetric | undefined {
  return comparison.metrics.find(({ metric }) => metric.id === id);
}

const a = makeRecord({ name: 'first', curve: makeCurve([100, 90, 110]) });
const b = makeRecord({
  name: 'second',
  curve: makeCurve([100, 95, 120]),
  seed: '2',
  refusals: [{ code: 'collar', count: 9, wishes: 4 }],
  journalHash: 'x',
});

describe('compareMetrics', () => {
  test('sets the metrics side by side and says which run is better by each', () => {
    const comparison = compare(a, b);
    const profit = metricOf(comparison, 'netProfit');
    expect(profit).toMatchObject({ a: { value: 10 }, b: { value: 20 }, difference: 10 });
    expect(profit?.better).toBe('b');
    expect(metricOf(comparison, 'maxDrawdown')?.better).toBe('b');
    expect(metricOf(compare(b, a), 'maxDrawdown')?.better).toBe('a');
    expect(metricOf(comparison, 'trades')?.better).toBeUndefined();
  });

  test('has no difference where one is missing, and keeps the reasons', () => {
    expect(metricOf(compare(a, b), 'sharpe')).toMatchObject({
      a: { reason: '2 periods, at least 30 wanted' },
      difference: undefined,
      better: undefined,
    });
  });

  test('does not subtract money of different currencies', () => {
    const comparison = compare(a, { ...b, quote: 'btc' });
    expect(metricOf(comparison, 'netProfit')?.difference).toBeUndefined();
    expect(metricOf(comparison, 'totalReturn')?.difference).toBeCloseTo(0.1, 12);
  });

  test('has differences without the noise of doubles', () => {
    const noisy = makeRecord({ curve: makeCurve([10_000, 10_000.3]) });
    const other = makeRecord({ curve: makeCurve([10_000, 10_000.1]) });
    expect(metricOf(compare(noisy, other), 'netProfit')).toMatchObject({
      ...{ a: { value: 0.3 }, b: { value: 0.1 }, difference: -0.2 },
    });
    expect(metricOf(compare(noisy, other), 'totalReturn')?.difference).toBe(-0.00002);
  });

  test('counts refused wishes of both, and names what differed before they began', () => {
    const comparison = compare(a, b);
    expect(comparison.refusals).toEqual([{ name: 'collar', a: 0, b: 4, difference: 4 }]);
    expect(comparison.differences).toEqual(['The seed differs: 1 against 2.']);
    expect(comparison.isSame).toBe(false);
    expect(compare(b, b).isSame).toBe(true);
    expect(compare(b, { ...b, journalHash: 'y' }).isSame).toBe(false);
  });
});

describe('what differed before two runs began', () => {
  test.each<[Parameters<typeof makeRecord>[0], string]>([
    [{ period: { from: 0, to: DAY_MS } }, 'The period differs: 1970-01-01T00:00:00.000Z to '],
    [{ quote: 'eur' }, 'The currency of the account differs: eur against usdt.'],
    [{ markets: [] }, 'The markets differ:  against btc_usdt.'],
    [
      { fillModel: { name: 'touch', confession: [] } },
      'The fill model differs: touch against nextOpen.',
    ],
    [{ version: '0.0.9' }, 'The version differs: 0.0.9 against 0.1.0.'],
  ])('is told of %o', (difference, sentence) => {
    const [told, ...others] = compare(makeRecord(difference), makeRecord()).differences;
    expect(told).toContain(sentence);
    expect(others).toEqual([]);
  });

  test('is one sentence each, of conventions those alone that differ', () => {
    const conventions = reportConfig.parse({ returnPeriod: '1hour', cagrYear: 'periods' });
    const other = makeRecord({ name: 'first', strategies: ['one', 'two'] });
    const { differences } = compareMetrics(
      fileOf(makeRecord({ name: 'first', strategies: ['one'] })),
      metricsFileOf(analyse(other, conventionsOf(conventions))),
    );
    expect(differences).toEqual([
      'The strategies differ: one against one, two.',
      'The conventions differ: cagrYear 365 against periods, periodName day against 1hour.',
    ]);
  });
});

describe('comparedFigures', () => {
  test('writes figures of both runs and their difference as reports do', () => {
    const figures = comparedFigures(compare(a, { ...b, quote: 'btc' }));
    const find = (name: string) => figures.find(({ label }) => label === name);
    expect(find('Return')).toEqual({
      label: 'Return',
      a: '10.00 %',
      b: '20.00 %',
      difference: '+10.00 %',
    });
    expect(find('Net profit')).toMatchObject({ a: '10.00 USDT', difference: '' });
    expect(find('Sharpe')).toMatchObject({ a: '–', b: '–', difference: '' });
    expect(find('Max drawdown')!.difference).toBe('+5.00 %');
    const same = comparedFigures(compare(a, a));
    expect(same.find(({ label }) => label === 'Return')!.difference).toBe('0.00 %');
  });
});
