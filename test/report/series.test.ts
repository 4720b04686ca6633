import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import {
  analyse,
  annualVolatility,
  calmarRatio,
  compoundAnnualReturn,
  conventionsOf,
  cumulativeReturns,
  downsideRisk,
  informationRatio,
  maxDrawdown,
  momentsOf,
  reportConfig,
  sharpeRatio,
  sortinoArithmetic,
  sortinoGeometric,
  totalReturn,
} from '../../src/report/index.ts';
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
    test_cum_returns: [
      [
        { series: 'mixed_returns' },
        0,
        [0, 0.01, 0.111, 0.066559, 0.08789, 0.12052, 0.14293, 0.15436, 0.03893],
      ],
    ],
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

function overOf(value: unknown): Float64Array | number {
  return typeof value === 'number' ? value : returnsOf(value);
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

/** Cumulative returns and printed tables are rounded on the way: their source compares 4 places. */
const PRINTED = 1e-5;

/** The columns of a table printed by the oracle's source. */
function printedColumns(text: string): number[][] {
  if (text.startsWith('Empty')) return [];
  const [, ...rows] = text.split('\n').map((line) => line.trim().split(/\s+/).slice(1).map(Number));
  return rows[0]!.map((_, column) => rows.map((row) => row[column]!));
}

const isPrinted = (value: unknown): value is string => typeof value === 'string';

describe('cumulativeReturns', () => {
  test('compounds simple returns, an unknown one counting as none', () => {
    for (const [series, start, expected] of casesOf('test_cum_returns')) {
      const actual = cumulativeReturns(returnsOf(series), start as number);
      const values = expected as readonly number[];
      expect(actual).toHaveLength(values.length);
      values.forEach((value, at) => {
        expectSame(actual[at]!, value, PRINTED);
      });
    }
  });

  test('is the product of exact decimals to the last digits', () => {
    const permille = fc.array(fc.integer({ min: -200, max: 200 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(permille, (steps) => {
        const exact = steps.reduce(
          (growth, step) => growth.times(new Decimal(BigInt(1000 + step), 3)),
          Decimal.of(1),
        );
        const actual = cumulativeReturns(steps.map((step) => step / 1000)).at(-1)!;
        expectSame(actual, exact.toNumber() - 1);
      }),
      { seed: 4 },
    );
  });

  test('agrees with the printed tables to their last digit', () => {
    for (const [table, start, expected] of oracle.cases.test_cum_returns_df ?? []) {
      const wanted = printedColumns(expected as string);
      printedColumns(table as string).forEach((column, at) => {
        const actual = cumulativeReturns(column, start as number);
        wanted[at]?.forEach((value, row) => {
          expectSame(actual[row]!, value, PRINTED);
        });
      });
    }
  });
});

describe('totalReturn', () => {
  test('is the last cumulative return, none without any', () => {
    for (const [series, start, expected] of casesOf('test_cum_returns_final')) {
      expectSame(totalReturn(returnsOf(series), start as number), numberOf(expected), PRINTED);
    }
  });
});

describe('maxDrawdown', () => {
  test('is taken from the start or a later peak; losses alone make it the total return', () => {
    for (const [series, expected] of casesOf('test_max_drawdown')) {
      const returns = returnsOf(series);
      const isWholeLoss = expected === null && returns.length > 0;
      const wanted = isWholeLoss ? totalReturn(returns) : numberOf(expected);
      expectSame(maxDrawdown(returns) + 0, wanted + 0);
    }
  });
});

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
      const options = { periodsPerYear: 252, riskFree: overOf(over) };
      expectSame(sharpeRatio(returnsOf(series), options), numberOf(expected));
    }
  });
});

describe('informationRatio', () => {
  test('is the same, not annualised', () => {
    for (const [series, over, expected] of casesOf('test_excess_sharpe')) {
      expectSame(informationRatio(returnsOf(series), overOf(over)), numberOf(expected));
    }
  });
});

describe('downsideRisk', () => {
  test('takes shortfalls over all periods', () => {
    for (const [series, required, period, expected] of casesOf('test_downside_risk')) {
      const options = { periodsPerYear: PERIODS[period as string]!, required: overOf(required) };
      if (!isPrinted(series)) {
        expectSame(downsideRisk(returnsOf(series), options), numberOf(expected));
        continue;
      }
      printedColumns(series).forEach((column, at) => {
        const wanted = (expected as OracleSeries).values[at]!;
        expectSame(downsideRisk(column, options), wanted, PRINTED);
      });
    }
  });
});

describe('compoundAnnualReturn', () => {
  test('compounds the whole to a year by the count of periods', () => {
    for (const [series, period, expected] of casesOf('test_cagr')) {
      const periodsPerYear = PERIODS[period as string]!;
      expectSame(compoundAnnualReturn(returnsOf(series), { periodsPerYear }), numberOf(expected));
    }
  });
});

describe('calmarRatio', () => {
  test('is the annual return over the depth of the drawdown', () => {
    const returns = returnsOf({ values: MIXED });
    expectSame(calmarRatio(returns, { periodsPerYear: 252 }), 19.135925373194233);
  });
});

describe('sortino', () => {
  const returns = returnsOf({ values: MIXED });
  const annual = { periodsPerYear: 252 };

  test('arithmetic is the mean excess a year over downside risk', () => {
    // The known case of the oracle's source for these returns.
    expectSame(sortinoArithmetic(returns, annual), 2.605531251673693);
  });

  test('geometric puts the compound annual return in its place', () => {
    expectSame(sortinoGeometric(returns, annual), 1.9135925373194231 / 0.6044832503882965);
  });

  test('both count against the required return', () => {
    const free = { ...annual, required: 0 };
    const strict = { ...annual, required: 0.001 };
    expect(sortinoArithmetic(returns, strict)).toBeLessThan(sortinoArithmetic(returns, free));
    expect(sortinoGeometric(returns, strict)).toBeLessThan(sortinoGeometric(returns, free));
  });
});

describe('momentsOf', () => {
  test('finds no deviation in a flat series, and none in one value', () => {
    expect(momentsOf([0.01, 0.01, 0.01]).deviation).toBe(0);
    expect(momentsOf([0.01]).deviation).toBeNaN();
    expect(momentsOf([]).mean).toBeNaN();
  });
});

describe('the figures of a report', () => {
  const YEAR = { periodsPerYear: 252 };

  /** Those of an account that earned these returns, one a day of a year of 252. */
  function figuresOf(returns: readonly number[]): (id: string) => number {
    let worth = 1000;
    const equity = returns.map((one) => {
      worth *= 1 + one;
      return worth;
    });
    const record = makeRecord({ curve: makeCurve([1000, ...equity]) });
    const config = { daysPerYear: 252, cagrYear: 'periods', sampleGates: false };
    const { figures } = analyse(record, conventionsOf(reportConfig.parse(config)));
    return (id) => figures.find(({ metric }) => metric.id === id)!.measured.value ?? Number.NaN;
  }

  test('are those of its returns', () => {
    for (const { values } of Object.values(oracle.series)) {
      const returns = values.map((one) => one ?? 0);
      if (returns.length < 2) continue;
      const figure = figuresOf(returns);
      expectSame(figure('totalReturn'), totalReturn(returns), 1e-12);
      expectSame(figure('maxDrawdown'), maxDrawdown(returns), 1e-12);
      expectSame(figure('annualReturn'), compoundAnnualReturn(returns, YEAR), 1e-12);
      expectSame(figure('volatility'), annualVolatility(returns, YEAR), 1e-12);
      if (maxDrawdown(returns) === 0) continue;
      expectSame(figure('calmar'), calmarRatio(returns, YEAR), 1e-12);
      expectSame(figure('sortinoGeometric'), sortinoGeometric(returns, YEAR), 1e-12);
    }
  });
});
