import { describe, expect, test } from 'vitest';
import { analyse, conventionsOf, reportConfig } from '../../src/report/index.ts';
import {
  annualVolatility,
  downsideRisk,
  momentsOf,
  sharpeRatio,
  sortinoArithmetic,
} from '../../src/report/metrics/series.ts';
import { dataOr } from '../recordings.ts';
import { makeCurve, makeRecord } from './fixture.ts';

interface OracleSeries {
  readonly values: readonly (number | null)[];
}
interface Oracle {
  readonly series: Readonly<Record<string, OracleSeries>>;
  readonly cases: Readonly<Record<string, readonly (readonly unknown[])[]>>;
}

const MIXED = [null, 0.01, 0.1, -0.04, 0.02, 0.03, 0.02, 0.01, -0.1];
const FALLBACK: Oracle = {
  series: {
    mixed_returns: { values: MIXED },
    flat_line_1: { values: new Array(9).fill(0.01) },
  },
  cases: {
    test_cum_returns_final: [[{ series: 'mixed_returns' }, 0, 0.03893]],
    test_max_drawdown: [[{ series: 'mixed_returns' }, -0.1]],
    test_annual_volatility: [[{ series: 'mixed_returns' }, 'DAILY', 0.9136465399704637]],
    test_sharpe_ratio: [[{ series: 'mixed_returns' }, 0, 1.7238613961706866]],
    test_downside_risk: [[{ series: 'mixed_returns' }, 0, 'DAILY', 0.6044832503882965]],
    test_excess_sharpe: [[{ series: 'mixed_returns' }, 0, 0.10859306069076737]],
    test_cagr: [[{ series: 'mixed_returns' }, 'DAILY', 1.9135925373194231]],
  },
};

const PERIODS: Readonly<Record<string, number>> = {
  DAILY: 252,
  WEEKLY: 52,
  MONTHLY: 12,
  yearly: 1,
};

const oracle = dataOr('oracles/metrics.json', FALLBACK);

/** The cases of a name whose expected value is a number, an infinity or none; never no case. */
function casesOf(name: string): readonly (readonly unknown[])[] {
  const cases = oracle.cases[name] ?? [];
  expect(cases.length).toBeGreaterThan(0);
  return cases;
}

/** Returns as the oracle writes them: a named series, a series, or a number alone. */
function returnsOf(value: unknown): Float64Array {
  const text =
    typeof value === 'string' ? undefined : (value as OracleSeries & { series?: string });
  const { values } = text?.series === undefined ? text! : oracle.series[text.series]!;
  return Float64Array.from(values, (one) => one ?? Number.NaN);
}

/** The returns above those of a benchmark, or above a number. */
function excessOf(series: unknown, over: unknown): Float64Array {
  const others = typeof over === 'number' ? undefined : returnsOf(over);
  return returnsOf(series).map((one, at) => one - (others?.[at] ?? (over as number)));
}

function numberOf(value: unknown): number {
  if (value === null) return Number.NaN;
  return value === 'Infinity' ? Number.POSITIVE_INFINITY : (value as number);
}

/**
 * Equal to within `tolerance` of the value (default: 1e-13, thirteen digits: what a power leaves of
 * a double), both infinite, or both without a value.
 */
function expectSame(actual: number, expected: number, tolerance = 1e-13): void {
  if (Number.isFinite(expected)) {
    const error = Math.abs(actual - expected);
    expect(error).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)));
  } else expect(actual).toBe(expected);
}

/** Total returns and printed tables are rounded on the way: their source compares 4 places. */
const PRINTED = 1e-5;

/** The columns of a table printed by the oracle's source. */
function printedColumns(text: string): number[][] {
  if (text.startsWith('Empty')) return [];
  const [, ...rows] = text.split('\n').map((line) => line.trim().split(/\s+/).slice(1).map(Number));
  return rows[0]!.map((_, column) => rows.map((row) => row[column]!));
}

const isPrinted = (value: unknown): value is string => typeof value === 'string';

describe('annualVolatility', () => {
  test('is the sample deviation times the root of 252, 52 or 12', () => {
    for (const [series, period, expected] of casesOf('test_annual_volatility')) {
      const periodsPerYear = PERIODS[period as string]!;
      expectSame(annualVolatility(returnsOf(series), { periodsPerYear }), numberOf(expected));
    }
  });
});

describe('sharpeRatio', () => {
  test('is mean over sample deviation of the excess, a year of 252 days', () => {
    for (const [series, over, expected] of casesOf('test_sharpe_ratio')) {
      const options = { periodsPerYear: 252 };
      expectSame(sharpeRatio(excessOf(series, over), options), numberOf(expected));
      if (typeof over !== 'number') continue;
      const free = { ...options, riskFree: over };
      expectSame(sharpeRatio(returnsOf(series), free), numberOf(expected));
    }
  });

  test('is the information ratio where a year has one period', () => {
    for (const [series, over, expected] of casesOf('test_excess_sharpe')) {
      const ratio = sharpeRatio(excessOf(series, over), { periodsPerYear: 1 });
      expectSame(ratio, numberOf(expected));
    }
  });
});

describe('downsideRisk', () => {
  test('takes shortfalls over all periods', () => {
    for (const [series, required, period, expected] of casesOf('test_downside_risk')) {
      const options = { periodsPerYear: PERIODS[period as string]! };
      if (!isPrinted(series)) {
        expectSame(downsideRisk(excessOf(series, required), options), numberOf(expected));
        continue;
      }
      printedColumns(series).forEach((column, at) => {
        const wanted = (expected as OracleSeries).values[at]!;
        const asked = { ...options, required: required as number };
        expectSame(downsideRisk(column, asked), wanted, PRINTED);
      });
    }
  });
});

describe('sortinoArithmetic', () => {
  const returns = returnsOf({ values: MIXED });
  const annual = { periodsPerYear: 252 };

  test('is the mean excess a year over downside risk', () => {
    // The known case of the oracle's source for these returns.
    expectSame(sortinoArithmetic(returns, annual), 2.605531251673693);
  });

  test('counts against the required return', () => {
    const strict = { ...annual, required: 0.001 };
    expect(sortinoArithmetic(returns, strict)).toBeLessThan(sortinoArithmetic(returns, annual));
  });
});

describe('momentsOf', () => {
  test('finds no deviation in a flat series, and none in one value', () => {
    expect(momentsOf([0.01, 0.01, 0.01]).deviationOf('sample')).toBe(0);
    expect(momentsOf([0.01]).deviationOf('sample')).toBeNaN();
    expect(momentsOf([]).mean).toBeNaN();
  });
});

describe('the figures of a report', () => {
  /** Those of an account that earned these returns, one a day; an unknown one is none. */
  function figuresOf(returns: Float64Array, periodsPerYear = 252): (id: string) => number {
    let worth = 1000;
    const equity = Array.from(returns, (one) => {
      worth *= 1 + (one || 0);
      return worth;
    });
    const record = makeRecord({ curve: makeCurve([1000, ...equity]) });
    const config = { daysPerYear: 252, cagrYear: 'periods', sampleGates: false };
    const conventions = { ...conventionsOf(reportConfig.parse(config)), periodsPerYear };
    const { figures } = analyse(record, conventions);
    return (id) => figures.find(({ metric }) => metric.id === id)!.measured.value ?? Number.NaN;
  }

  test('have the total return of the oracle', () => {
    for (const [series, start, expected] of casesOf('test_cum_returns_final')) {
      const returns = returnsOf(series);
      if (start !== 0 || returns.length === 0) continue;
      expectSame(figuresOf(returns)('totalReturn'), numberOf(expected), PRINTED);
    }
  });

  test('have its drawdown; losses alone make that the total return', () => {
    for (const [series, expected] of casesOf('test_max_drawdown')) {
      const returns = returnsOf(series);
      if (returns.length === 0) continue;
      const figure = figuresOf(returns);
      const wanted = expected === null ? figure('totalReturn') : numberOf(expected);
      expectSame(figure('maxDrawdown') + 0, wanted + 0, 1e-12);
    }
  });

  test('have its annual return, by the count of periods', () => {
    for (const [series, period, expected] of casesOf('test_cagr')) {
      const figure = figuresOf(returnsOf(series), PERIODS[period as string]!);
      expectSame(figure('annualReturn'), numberOf(expected), 1e-12);
    }
  });

  test('hold it against the drawdown and against downside risk', () => {
    const figure = figuresOf(returnsOf({ values: MIXED }));
    expectSame(figure('calmar'), 19.135925373194233, 1e-12);
    // Of a first return that is known to be none: the oracle has eight of them.
    const risk = downsideRisk([0, ...MIXED.slice(1).map(Number)], { periodsPerYear: 252 });
    expectSame(figure('sortinoGeometric'), 1.9135925373194231 / risk, 1e-12);
  });
});
