import { describe, expect, it } from 'vitest';
import type { OtherRun } from './other-engines-results.ts';
import { AMOUNT, CROSS, expectSameRun, MONEY, type OwnRun } from './other-engines-run.ts';

/** What `backtest.fees` says of an engine's own commission. */
function charging(fees: object): Pick<OwnRun, 'fee' | 'backtest'> {
  return { fee: 0, backtest: { fees: { maker: 0, taker: 0, in: 'quote', ...fees } } };
}

const RATE = { maker: 0.001, taker: 0.001 };
const DEARER = { maker: 0.002, taker: 0.002 };
const ABOVE = { use: './my/above-mean.ts', params: { length: 5, amount: 100 } };
const TWO_LOTS = { use: AMOUNT.use, params: { ...CROSS, amount: 200 } };
const THREE = { use: AMOUNT.use, params: { ...CROSS, amount: 3 } };

const RUNS: readonly [string, OtherRun, OwnRun][] = [
  [
    'PerShare(cost=0.005, min_trade_cost=1.0), 100 units',
    {
      engine: 'zipline-reloaded 3.2.1',
      trades: [
        ['2024-01-24', '2024-01-30', 100, 25.13, 24.94, -21],
        ['2024-02-01', '2024-02-23', 100, 25.66, 27.85, 217],
        ['2024-03-01', '2024-03-18', 100, 28.24, 28.87, 61],
      ],
      equity: 10237,
      curve: [
        10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000,
        10000, 10000, 10000, 10000, 9999, 10042, 10050, 9998, 9979, 9979, 9978, 9948, 9966, 9987,
        9988, 9960, 10017, 10076, 10122, 10183, 10170, 10223, 10294, 10310, 10252, 10196, 10196,
        10196, 10196, 10196, 10195, 10184, 10185, 10198, 10244, 10256, 10287, 10295, 10288, 10316,
        10308, 10257, 10257, 10257, 10256, 10230, 10237,
      ],
      figures: { fees: 7 },
    },
    { ...AMOUNT, at: 'thisClose', ...charging({ perUnit: 0.005, least: 1 }) },
  ],
  [
    'PerShare(cost=0.0133, min_trade_cost=1.0)',
    {
      engine: 'zipline-reloaded 3.2.1',
      trades: [
        ['2024-01-24', '2024-01-30', 100, 25.13, 24.94, -21.66],
        ['2024-02-01', '2024-02-23', 100, 25.66, 27.85, 216.34],
        ['2024-03-01', '2024-03-18', 100, 28.24, 28.87, 60.34],
      ],
      equity: 10234.69,
      curve: [
        10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000,
        10000, 10000, 10000, 10000, 9998.67, 10041.67, 10049.67, 9997.67, 9978.34, 9978.34, 9977.01,
        9947.01, 9965.01, 9986.01, 9987.01, 9959.01, 10016.01, 10075.01, 10121.01, 10182.01,
        10169.01, 10222.01, 10293.01, 10309.01, 10251.01, 10194.68, 10194.68, 10194.68, 10194.68,
        10194.68, 10193.35, 10182.35, 10183.35, 10196.35, 10242.35, 10254.35, 10285.35, 10293.35,
        10286.35, 10314.35, 10306.35, 10255.02, 10255.02, 10255.02, 10253.69, 10227.69, 10234.69,
      ],
      figures: { fees: 9.31 },
    },
    { ...AMOUNT, at: 'thisClose', ...charging({ perUnit: 0.0133, least: 1 }) },
  ],
  [
    'PerTrade(5)',
    {
      engine: 'zipline-reloaded 3.2.1',
      trades: [
        ['2024-01-24', '2024-01-30', 100, 25.13, 24.94, -29],
        ['2024-02-01', '2024-02-23', 100, 25.66, 27.85, 209],
        ['2024-03-01', '2024-03-18', 100, 28.24, 28.87, 53],
      ],
      equity: 10209,
      figures: { fees: 35 },
    },
    { ...AMOUNT, at: 'thisClose', ...charging({ perOrder: 5 }) },
  ],
  [
    'from_signals(fees=0.001, fixed_fees=2.5, size_granularity=1.0), all the money',
    {
      engine: 'vectorbt 1.2.0',
      trades: [
        ['2024-01-24', '2024-01-30', 397, 25.13, 24.94, -100.30779],
        ['2024-02-01', '2024-02-23', 385, 25.66, 27.85, 817.54865],
        ['2024-03-01', '2024-03-18', 379, 28.24, 28.87, 212.12531],
      ],
      equity: 10845.85591,
      figures: {
        totalReturn: 0.08458559099999984,
        maxDrawdown: -0.045064226340781,
        fees: 90.52409,
      },
    },
    {
      ...{ use: MONEY.use, params: { ...MONEY.params, fixed: 2.5 }, at: 'thisClose' },
      ...charging({ ...RATE, perOrder: 2.5 }),
    },
  ],
  [
    'commission=(1.5, 0.002), a size at the next open',
    {
      engine: 'backtesting.py 0.6.6',
      trades: [
        ['2024-01-25', '2024-01-31', 100, 25.16, 24.87, -42.006],
        ['2024-02-02', '2024-02-26', 100, 25.62, 27.91, 215.294],
        ['2024-03-04', '2024-03-19', 100, 28.29, 29.02, 58.538],
      ],
      equity: 10204.416,
      figures: { totalReturn: 0.02044160000000011 },
    },
    { ...AMOUNT, at: 'nextOpen', ...charging({ ...DEARER, perOrder: 1.5 }) },
  ],
  [
    'a commission of 0.005 a share, at least 1, at most 1 % of the value',
    {
      engine: 'backtesting.py 0.6.6',
      trades: [
        ['2024-01-25', '2024-01-31', 3, 25.16, 24.87, -2.3709],
        ['2024-02-02', '2024-02-26', 3, 25.62, 27.91, 5.2641],
        ['2024-03-04', '2024-03-19', 3, 28.29, 29.02, 0.4707],
      ],
      equity: 10001.8774,
    },
    { ...THREE, at: 'nextOpen', ...charging({ perUnit: 0.005, least: 1, most: 0.01 }) },
  ],
  [
    'setcommission(0.0133, commtype=COMM_FIXED)',
    {
      engine: 'backtrader 1.9.78.123',
      trades: [
        ['2024-01-08', '2024-01-09', 100, 26.8, 26.51, -31.66],
        ['2024-01-25', '2024-01-30', 100, 25.16, 24.93, -25.66],
        ['2024-02-01', '2024-02-09', 100, 25.61, 25.64, 0.34],
        ['2024-02-12', '2024-02-26', 100, 26.2, 27.91, 168.34],
        ['2024-03-04', '2024-03-19', 100, 28.29, 29.02, 70.34],
      ],
      equity: 10160.37,
      figures: { trades: 5 },
    },
    { ...ABOVE, at: 'nextOpen', ...charging({ perUnit: 0.0133 }) },
  ],
  [
    'TradingFee(percent_fee=0.001, flat_fee=1.5)',
    {
      engine: 'Lumibot 4.6.30',
      trades: [
        ['2024-01-25', '2024-01-31', 100, 25.16, 24.87, -37.003],
        ['2024-02-02', '2024-02-26', 100, 25.62, 27.91, 220.647],
        ['2024-03-04', '2024-03-19', 100, 28.29, 29.02, 64.269],
      ],
      equity: 10223.458,
    },
    { ...AMOUNT, at: 'nextOpen', ...charging({ ...RATE, perOrder: 1.5 }) },
  ],
  [
    'stock_commission_multiplier 1.25, at least 5, of a fund',
    {
      engine: 'rqalpha 6.4.2',
      trades: [
        ['2024-01-24', '2024-01-30', 200, 25.13, 24.94, -48.026],
        ['2024-02-01', '2024-02-23', 200, 25.66, 27.85, 427.298],
        ['2024-03-01', '2024-03-18', 200, 28.24, 28.87, 114.578],
      ],
      equity: 10449.942,
      figures: { fees: 38.058 },
    },
    { ...TWO_LOTS, at: 'thisClose', ...charging({ ...RATE, least: 5 }) },
  ],
];

describe('the commissions of another engine', () => {
  it.each(RUNS)('are charged to the last digit: %s', async (_what, other, options) => {
    const { notes } = await expectSameRun(options, other);
    expect(notes ?? []).toEqual([]);
  });
});
