import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import {
  analyse,
  conventionsOf,
  type EquityColumns,
  METRICS,
  type Measured,
  type RunRecord,
  reportConfig,
} from '../../src/report/index.ts';
import { downsideRisk, sharpeRatio, sortinoArithmetic } from '../../src/report/metrics/series.ts';
import {
  DAY,
  MINUTE,
  makeCurve,
  makeFill,
  makeRealisticRecord,
  makeRecord,
  wholeCurve,
} from './fixture.ts';

function measure(id: string, record: RunRecord, config: object = {}): Measured {
  const { figures } = analyse(record, conventionsOf(reportConfig.parse(config)));
  const figure = figures.find(({ metric }) => metric.id === id);
  if (figure === undefined) throw new Error(`no metric ${id}`);
  return figure.measured;
}

/** Returns of each day of a daily curve: 0 on days that it has no value of. */
function periodReturnsWithZeros({ time, equity }: EquityColumns): number[] {
  return Array.from(equity.slice(1)).flatMap((value, at) => {
    const days = (time[at + 1]! - time[at]!) / DAY;
    return [...new Array<number>(days - 1).fill(0), value / equity[at]! - 1];
  });
}

/** An equity that rises and falls. */
const WAVES = Array.from({ length: 41 }, (_, at) => 1000 + 30 * Math.sin(at) + 2 * at);

/** A record of daily equity. */
const daily = (...equity: number[]): RunRecord => makeRecord({ curve: makeCurve(equity) });

/** Trips bought at 100 and sold for each of the profits, without fees. */
function tradesOf(...profits: number[]): RunRecord {
  const fills = profits.flatMap((profit) => [
    makeFill({ side: 'buy', price: 100 }),
    makeFill({ side: 'sell', price: 100 + profit }),
  ]);
  return makeRecord({ fills });
}

describe('METRICS', () => {
  test('have keys of their own and a definition in whole sentences', () => {
    expect(new Set(METRICS.map(({ id }) => id)).size).toBe(METRICS.length);
    for (const { definition } of METRICS) expect(definition).toMatch(/^[A-Z].*\.$/s);
  });

  test('have a value that some test asks for, each', () => {
    const tests = globSync('test/report/*.test.ts').map((file) => readFileSync(file, 'utf8'));
    const isAsked = (id: string): boolean =>
      tests.some((text) => text.includes(`('${id}'`) || text.includes(`=== '${id}')`));
    expect(METRICS.map(({ id }) => id).filter((id) => !isAsked(id))).toEqual([]);
  });

  test('of a run in which nothing happened are numbers or reasons, never NaN', () => {
    for (const record of [makeRecord(), daily(), daily(5), daily(0, 0), daily(1, 0, -1)]) {
      for (const { metric, measured } of analyse(record).figures) {
        const shown = measured.value ?? measured.reason;
        expect(shown, metric.id).toSatisfy((it) => typeof it === 'string' || Number.isFinite(it));
      }
    }
  });
});

describe('return', () => {
  test('totalReturn and netProfit compare the last equity with the first', () => {
    expect(measure('totalReturn', daily(1000, 700, 1100)).value).toBeCloseTo(0.1, 12);
    expect(measure('netProfit', daily(1000, 700, 1100)).value).toBe(100);
  });

  test('annualReturn compounds by the time taken, and wants 28 days', () => {
    const half = daily(...new Array(73).fill(100), 121);
    expect(measure('annualReturn', half).value).toBeCloseTo(1.21 ** 5 - 1, 10);
    expect(measure('annualReturn', half, { daysPerYear: 252 }).value).toBeCloseTo(
      1.21 ** 5 - 1,
      10,
    );
    expect(measure('annualReturn', daily(1, 2), { sampleGates: false }).value).toBe(2 ** 365 - 1);
  });

  test.each(['annualReturn', 'calmar'])('%s is none of fewer days than that', (id) => {
    expect(measure(id, daily(1, 2, 3))).toEqual({ reason: '2 days, at least 28 wanted' });
  });

  test('none is given for an account that was ruined on the way', () => {
    const ruined = daily(100, -5, ...new Array(40).fill(120));
    for (const id of ['annualReturn', 'volatility', 'sharpe', 'sortinoGeometric', 'calmar']) {
      expect(measure(id, ruined).reason).toBe('the equity was zero or below');
    }
  });
});

describe('returns of weeks', () => {
  test('begin on Monday', () => {
    // Eleven weeks of days from a Monday on; what is earned is earned on Fridays.
    const start = Date.UTC(2024, 0, 1);
    const worth = Array.from({ length: 78 }, (_, day) => 1_000 + 7 * Math.floor((day + 2) / 7));
    const curve = makeCurve(worth);
    const time = curve.time.map((_, day) => start + day * DAY);
    const weekly = worth.filter((_, day) => day % 7 === 0);
    const returns = weekly.slice(1).map((value, week) => value / weekly[week]! - 1);
    const record = makeRecord({ curve: { ...curve, time } });
    const config = { returnPeriod: 'week', sampleGates: false };
    const expected = sharpeRatio(returns, { periodsPerYear: 365 / 7 });
    expect(measure('sharpe', record, config).value).toBeCloseTo(expected, 10);
  });

  test('vary by the weeks of a year, however many of its days are traded', () => {
    const curve = makeCurve(WAVES, 7 * DAY);
    const monday = Date.UTC(2021, 3, 19);
    const weeks = makeRecord({
      curve: { ...curve, time: curve.time.map((_, week) => monday + week * 7 * DAY) },
    });
    const of = (daysPerYear: number) =>
      measure('volatility', weeks, { returnPeriod: 'week', daysPerYear }).value;
    expect(of(252)).toBe(of(365));
  });
});

describe('risk', () => {
  test('sharpe takes the returns of whole days, however fine the curve is', () => {
    const returns = WAVES.slice(1).map((value, at) => value / WAVES[at]! - 1);
    const expected = sharpeRatio(returns, { periodsPerYear: 365 });
    expect(measure('sharpe', daily(...WAVES)).value).toBeCloseTo(expected, 12);
    const hourly = makeCurve(
      Array.from({ length: 40 * 24 + 1 }, (_, hour) =>
        hour % 24 === 0 ? WAVES[hour / 24]! : 1000 + hour,
      ),
      DAY / 24,
    );
    expect(measure('sharpe', makeRecord({ curve: hourly })).value).toBeCloseTo(expected, 12);
  });

  test('sharpe leaves out the days without trading of a year of 252', () => {
    const whole = makeCurve(WAVES);
    const isTraded = (_: number, day: number): boolean => day % 7 < 5;
    const weekdays = {
      ...makeCurve(WAVES.filter(isTraded)),
      time: whole.time.filter(isTraded),
    };
    const values = [...weekdays.equity];
    const returns = values.slice(1).map((value, at) => value / values[at]! - 1);
    const record = makeRecord({ curve: weekdays });
    expect(measure('sharpe', record, { daysPerYear: 252, sampleGates: false }).value).toBeCloseTo(
      sharpeRatio(returns, { periodsPerYear: 252 }),
      12,
    );
    const sevenDays = sharpeRatio(periodReturnsWithZeros(weekdays), { periodsPerYear: 365 });
    expect(measure('sharpe', record).value).toBeCloseTo(sevenDays, 12);
  });

  test('sharpe takes the risk-free rate off, sortino the required return', () => {
    const record = daily(...WAVES);
    const returns = WAVES.slice(1).map((value, at) => value / WAVES[at]! - 1);
    const [periodsPerYear, required] = [365, 0.1 / 365];
    const sharpe = sharpeRatio(returns, { periodsPerYear, riskFree: required });
    expect(measure('sharpe', record, { riskFreeRate: 0.1 }).value).toBeCloseTo(sharpe, 10);
    const sortino = (id: string) => measure(id, record, { requiredReturn: 0.1 }).value;
    const arithmetic = sortinoArithmetic(returns, { periodsPerYear, required });
    expect(sortino('sortinoArithmetic')).toBeCloseTo(arithmetic, 10);
    const annual = measure('annualReturn', record).value! - 0.1;
    const risk = downsideRisk(returns, { periodsPerYear, required });
    expect(sortino('sortinoGeometric')).toBeCloseTo(annual / risk, 10);
  });

  test('of less than a day the reason says so', () => {
    const curve = makeCurve([1, 2, 3], DAY / 24);
    expect(measure('annualReturn', makeRecord({ curve }))).toEqual({
      reason: 'less than a day, at least 28 wanted',
    });
  });

  test('below 30 periods the reason names how many there are', () => {
    expect(measure('sharpe', daily(1, 2, 3, 2, 3))).toEqual({
      reason: '4 periods, at least 30 wanted',
    });
    const hours = { returnPeriod: 'hour' };
    expect(measure('sharpe', daily(1, 2, 3, 2, 3), hours).value).toBeGreaterThan(0);
  });

  test('what does not vary, or never fell, has a reason in place of a number', () => {
    const flat = daily(...new Array(40).fill(1000));
    expect(measure('sharpe', flat).reason).toBe('the returns do not vary');
    expect(measure('sortinoArithmetic', flat).reason).toBe('no period fell short');
    expect(measure('calmar', flat).reason).toBe('there was no drawdown');
    expect(measure('maxDrawdownAmount', flat).value).toBe(0);
  });
});

describe('drawdown', () => {
  const record = daily(100, 120, 90, 110, 130, 125, 131, 100, 100);

  test('has depth, money, length and recovery of the deepest, and the longest of all', () => {
    const deepest = daily(100, 120, 90, 110, 130, 125, 131);
    expect(measure('maxDrawdown', deepest).value).toBe(90 / 120 - 1);
    expect(measure('maxDrawdownAmount', deepest).value).toBe(-30);
    expect(measure('maxDrawdownLength', deepest).value).toBe(3 * DAY);
    expect(measure('maxDrawdownRecovery', deepest).value).toBe(2 * DAY);
    expect(measure('longestDrawdown', deepest).value).toBe(3 * DAY);
  });

  test('a later, shallower one does not change the deepest', () => {
    expect(measure('maxDrawdown', record).value).toBe(90 / 120 - 1);
    expect(measure('maxDrawdownRecovery', record).value).toBe(2 * DAY);
  });

  test('that never recovers lasts until the end, and says so', () => {
    const lost = daily(100, 120, 90, 95);
    expect(measure('maxDrawdownLength', lost).value).toBe(2 * DAY);
    expect(measure('maxDrawdownRecovery', lost).reason).toBe('not recovered by the end');
  });

  test.each(['maxDrawdown', 'maxDrawdownAmount', 'maxDrawdownLength', 'maxDrawdownRecovery'])(
    '%s is none where a fall began at nothing',
    (id) => {
      const reason = 'the equity was zero or below';
      expect(measure(id, daily(0, -5, -90, 10))).toEqual({ reason });
      expect(measure(id, daily(-10, -20, 30))).toEqual({ reason });
      expect(measure(id, daily(0, 100, 90, 100)).value).toBeDefined();
    },
  );

  test('goes beyond the whole of a peak where the equity went below zero', () => {
    expect(measure('maxDrawdown', daily(100, 20, -5, -10)).value).toBe(-1.1);
    expect(measure('longestDrawdown', daily(0, -5, 10)).value).toBe(2 * DAY);
  });

  test.each(['maxDrawdownLength', 'maxDrawdownRecovery'])('%s is none where nothing fell', (id) => {
    expect(measure(id, daily(100, 110, 120))).toEqual({ reason: 'there was no drawdown' });
  });

  test('counts no time in which the equity rose', () => {
    expect(measure('longestDrawdown', daily(100, 110, 120)).value).toBe(0);
    const gap = makeCurve([100, 90, 100, 130]);
    const time = gap.time.with(3, gap.time[2]! + 9 * DAY);
    const rising = makeRecord({ curve: { ...gap, time } });
    expect(measure('longestDrawdown', rising).value).toBe(2 * DAY);
  });

  test('is what looking at every pair of samples finds', () => {
    const values = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, (equity) => {
        const naive = equity.flatMap((peak, at) => equity.slice(at).map((low) => low / peak - 1));
        expect(measure('maxDrawdown', daily(...equity)).value).toBe(Math.min(...naive));
      }),
      { seed: 11 },
    );
  });
});

describe('exposure', () => {
  test('weighs what is owned by the time that it was owned', () => {
    const curve = {
      ...makeCurve([1000, 1000, 1000, 1000, 1000]),
      positionValue: Float64Array.of(0, 500, -250, 0.5, 0),
    };
    const record = makeRecord({ curve, fills: [makeFill({ price: 500 })] });
    expect(measure('meanExposure', record).value).toBeCloseTo(0.750_5 / 4, 12);
    expect(measure('turnover', record).value).toBe(0.5);
  });

  test('is no share of an equity that was zero or below', () => {
    const curve = { ...makeCurve([1000, -500, -3000]), positionValue: Float64Array.of(0, -400, 0) };
    const record = makeRecord({ curve, fills: [makeFill({ price: 500 })] });
    for (const id of ['meanExposure', 'turnover']) {
      expect(measure(id, record).reason, id).toBe('the equity was zero or below');
    }
  });

  test('leaves out the time in which the account had no value yet', () => {
    const curve = {
      ...makeCurve([Number.NaN, 1000, 1000, 1000]),
      positionValue: Float64Array.of(Number.NaN, 500, 0, 0),
    };
    expect(measure('meanExposure', makeRecord({ curve })).value).toBe(0.25);
  });
});

describe('trades', () => {
  const ten = tradesOf(10, -5, 20, -10, -5, 10, 0, 10, 10, -5);

  test('win rate, profit factor and expectancy follow from wins and losses', () => {
    expect(measure('trades', ten).value).toBe(10);
    expect(measure('winRate', ten).value).toBe(0.5);
    expect(measure('profitFactor', ten).value).toBeCloseTo(60 / 25, 12);
    expect(measure('expectancy', ten).value).toBeCloseTo(3.5, 12);
    expect(measure('expectancyRatio', ten).value).toBeCloseTo(3.5 / 6.25, 12);
    expect(measure('averageTrade', ten).value).toBeCloseTo(0.035, 12);
    expect(measure('averageWin', ten).value).toBe(12);
    expect(measure('averageLoss', ten).value).toBe(-6.25);
    expect(measure('bestTrade', ten).value).toBe(20);
    expect(measure('worstTrade', ten).value).toBe(-10);
    expect(measure('losingStreak', ten).value).toBe(2);
    expect(measure('averageDuration', ten).value).toBe(MINUTE);
  });

  test('sqn wants 30 trades and is the root of their number times mean over deviation', () => {
    expect(measure('sqn', ten).reason).toBe('10 trades, at least 30 wanted');
    const many = tradesOf(...Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 5 : -1)));
    const deviation = Math.sqrt((40 * 9) / 39);
    expect(measure('sqn', many).value).toBeCloseTo((Math.sqrt(40) * 2) / deviation, 10);
  });

  test('without a closed trade, or without a loss, there is a reason', () => {
    expect(measure('winRate', makeRecord()).reason).toBe('no trade was closed');
    const winners = tradesOf(...new Array(12).fill(4));
    expect(measure('profitFactor', winners).reason).toBe('no trade lost');
    expect(measure('winRate', tradesOf(1, 2)).reason).toBe('2 trades, at least 10 wanted');
    expect(measure('winRate', tradesOf(1, 2), { sampleGates: false }).value).toBe(1);
  });
});

describe('costs', () => {
  const amount = 2 as Amount;

  test('fees in base are valued at their fill, slippage against the reference', () => {
    const record = makeRecord({
      fills: [
        makeFill({
          amount,
          price: 101,
          referencePrice: 100,
          fee: Decimal.of(0.01),
          feeCurrency: 'btc',
        }),
        makeFill({ price: 99.5, referencePrice: 100, side: 'sell', fee: Decimal.of(1) }),
        makeFill({ price: 103 }),
      ],
    });
    expect(measure('fees', record).value).toBeCloseTo(2.01, 12);
    expect(measure('slippage', record).value).toBeCloseTo(2.5, 12);
    expect(measure('slippageShare', record).value).toBeCloseTo(2.5 / 301.5, 12);
    expect(measure('tradedValue', record).value).toBe(404.5);
    expect(measure('feeShare', record).value).toBeCloseTo(2.01 / 404.5, 12);
    expect(measure('makerShare', record).reason).toBe('maker or taker is not known');
  });

  test('costs of no fill have that for their reason', () => {
    const shares = ['feeShare', 'slippage', 'slippageShare', 'makerShare'];
    const reasons = shares.map((id) => measure(id, makeRecord()).reason);
    expect(new Set(reasons)).toEqual(new Set(['nothing was filled']));
  });

  test('a maker share is taken over what is known of maker and taker', () => {
    const record = makeRecord({
      fills: [makeFill({ liquidity: 'maker' }), makeFill({ liquidity: 'taker' }), makeFill()],
    });
    expect(measure('makerShare', record).value).toBe(0.5);
    expect(measure('slippage', record).reason).toBe('no reference price is known');
  });

  test('missed orders are those of the record', () => {
    const record = makeRecord({ missed: { count: 3, value: Decimal.of('12.5') } });
    expect(measure('missedOrders', record).value).toBe(3);
    expect(measure('missedValue', record).value).toBe(12.5);
  });
});

describe('analyse', () => {
  test('measures buying and holding beside the account', () => {
    const { figures, facts } = analyse(makeRealisticRecord({ minutes: 40 * 1440, trades: 50 }));
    const held = figures.find(({ metric }) => metric.id === 'totalReturn')?.buyAndHold;
    expect(held?.value).toBe(facts.buyAndHold!.last / facts.buyAndHold!.first - 1);
    expect(figures.find(({ metric }) => metric.id === 'trades')?.buyAndHold).toBeUndefined();
  });

  test('measures a curve alike, in however many blocks it comes', () => {
    const record = makeRealisticRecord({ minutes: 40 * 1440, trades: 50 });
    const whole = { ...record, curve: [wholeCurve(record)] };
    expect(analyse(record).figures).toEqual(analyse(whole).figures);
  });

  test('refuses columns of different lengths and times that do not rise', () => {
    const curve = makeCurve([1, 2, 3]);
    const recordOf = (...blocks: EquityColumns[]) => ({ ...makeRecord(), curve: blocks });
    const short = { ...curve, cash: new Float64Array(2) };
    expect(() => analyse(recordOf(short))).toThrow(
      'Cannot measure the run: cash of the equity curve has 2 rows, 3 as in its times are wanted',
    );
    const fallen = { ...curve, time: Float64Array.of(1, 3, 2) };
    expect(() => analyse(recordOf(fallen))).toThrow('time 2 of the equity curve follows 3, rising');
    const next = { ...makeCurve([4]), time: curve.time.subarray(2) };
    expect(() => analyse(recordOf(curve, next))).toThrow('rising times are wanted');
  });

  test('takes a year of minutes in far less time than a person notices', () => {
    const record = makeRealisticRecord({ minutes: 525_600, trades: 100 });
    analyse(record);
    const started = process.threadCpuUsage();
    analyse(record);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(150);
  }, 30_000);
});
