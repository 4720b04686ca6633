import { describe, expect, test } from 'vitest';
import {
  analyse,
  type EquityColumns,
  metricsFileOf,
  metricsTable,
  reportHtml,
} from '../../src/report/index.ts';
import { makeCurve, makeRecord } from './fixture.ts';

const UNPRICED = 'no price in the account currency is known';
const UNKNOWN = Number.NaN;

/** The same account without some of its rows. */
function without(curve: EquityColumns, isLeftOut: (at: number) => boolean): EquityColumns {
  const cut = (column: Float64Array) => column.filter((_, at) => !isLeftOut(at));
  const { time, equity, cash, positionValue } = curve;
  return {
    ...{ time: cut(time), equity: cut(equity), cash: cut(cash) },
    ...{ positionValue: cut(positionValue), positions: new Map() },
  };
}

const figuresOf = (curve: EquityColumns) => metricsFileOf(analyse(makeRecord({ curve })));

describe('a run whose account has no known worth', () => {
  // The first is valued at a price that the data begin with.
  test.each([
    ['at any time', [UNKNOWN, UNKNOWN, UNKNOWN]],
    ['behind its start', [1_000, UNKNOWN, UNKNOWN]],
  ])('%s has no figure that rests on it, and says why of each', (_when, equity) => {
    const curve = { ...makeCurve(equity), positionValue: Float64Array.from(equity) };
    const { metrics, reasons } = figuresOf({ ...curve, buyAndHold: curve.equity });
    const known = Object.keys(metrics).filter((id) => metrics[id] !== null);
    const counted = ['trades', 'fees', 'missedOrders', 'missedValue'];
    expect(known).toEqual(['exposureTime', 'tradedValue', ...counted]);
    expect(metrics.exposureTime).toBe(0);
    const ofWorth = ['totalReturn', 'netProfit', 'annualReturn', 'volatility', 'sharpe', 'calmar'];
    const ofFalls = ['maxDrawdown', 'maxDrawdownLength', 'longestDrawdown'];
    for (const id of [...ofWorth, ...ofFalls, 'meanExposure', 'turnover']) {
      expect(reasons[id], id).toBe(UNPRICED);
    }
  });

  test('has a table and a page that say so, and no number that is none', () => {
    const curve = makeCurve([1_000, UNKNOWN]);
    const analysis = analyse(makeRecord({ curve: { ...curve, buyAndHold: curve.equity } }));
    const table = metricsTable(analysis);
    expect(table).toMatch(/Longest drawdown +– +no price in the account currency is known/);
    expect(table).not.toMatch(/NaN|buy and hold/);
    const page = reportHtml(analysis, '').replace(/<script[\s\S]*?<\/script>/g, '');
    expect(page).toContain('What the account was worth is not known: no price is.');
    expect(page).not.toMatch(/NaN|id="equity-chart"|Monthly returns/);
  });
});

describe('a run whose account has no known worth at first', () => {
  const curve = makeCurve([UNKNOWN, UNKNOWN, 1_000, 900, 1_100, 1_050]);

  test('has the figures of the time from then on, but no return', () => {
    const { metrics, reasons, startingEquity } = figuresOf(curve);
    const later = figuresOf(without(curve, (at) => at < 2)).metrics;
    expect(metrics.maxDrawdown).toBeCloseTo(-0.1, 12);
    for (const id of ['maxDrawdown', 'maxDrawdownAmount', 'longestDrawdown', 'meanExposure']) {
      expect(metrics[id], id).toBe(later[id]);
    }
    expect(startingEquity).toBeNull();
    expect(metrics.totalReturn).toBeNull();
    expect(reasons.totalReturn).toBe('no price was known at the start');
    expect(reasons.netProfit).toBe('no price was known at the start');
    const page = reportHtml(analyse(makeRecord({ curve })), '');
    expect(page).toContain('What the account was worth at the start is not known.');
    expect(page).toContain('Equity went from an unknown worth to 1,050.00\u00a0USDT');
  });
});

describe('a run whose account has no known worth for a while', () => {
  test('has the figures of all other times', () => {
    const curve = makeCurve([1_000, UNKNOWN, UNKNOWN, 900, 950]);
    const { metrics } = figuresOf(curve);
    const others = figuresOf(without(curve, (at) => at === 1 || at === 2)).metrics;
    expect(metrics.longestDrawdown).toBe(4 * 86_400_000);
    for (const id of ['totalReturn', 'maxDrawdown', 'longestDrawdown', 'netProfit']) {
      expect(metrics[id], id).toBe(others[id]);
    }
  });
});
