import { describe, expect, it } from 'vitest';
import type { OtherRun } from './other-engines-results.ts';
import { AMOUNT, CROSS, expectSameRun, type OwnRun, ownRun, round } from './other-engines-run.ts';

const STEPS = { gaps: 'open', pathSteps: 1_000 };
const STAKE = { ...CROSS, stake: 5_000, stop: 0.02 };
const TRAILING = { ...CROSS, amount: 100 };
const BRACKET = { use: './my/bracket.ts', params: { ...CROSS, amount: 100 } };

const RUNS: readonly [string, OtherRun, OwnRun][] = [
  [
    'strategy.exit(stop=0.98, limit=1.03 of the entry price), commission 0.1 %',
    {
      engine: 'PyneCore 6.11.0',
      trades: [
        ['2024-01-25', '2024-01-31', 100, 25.16, 24.87, -34.003],
        ['2024-02-02', '2024-02-05', 100, 25.62, 25.11, -56.073],
        ['2024-03-04', '2024-03-11', 100, 28.29, 29.14, 79.257],
        ['2024-03-22', '2024-03-25', 100, 29.55, 28.96, -64.851],
      ],
      equity: 9924.33,
      figures: { netProfit: -75.66999999999993, fees: 21.67, winRate: 0.25 },
    },
    {
      ...{ ...BRACKET, params: { ...BRACKET.params, stop: 0.02, profit: 0.03 } },
      ...{ at: 'heardPath', fee: 0.001, fill: STEPS },
    },
  ],
  [
    'strategy.exit(stop=0.998, ...) where the candle of the entry closes below the stop',
    {
      engine: 'PyneCore 6.11.0',
      trades: [
        ['2024-01-31', '2024-02-01', 100, 24.87, 25.62, 69.951],
        ['2024-03-08', '2024-03-13', 100, 28.92, 28.86, -11.778],
      ],
      equity: 10058.173,
    },
    {
      use: BRACKET.use,
      params: { fast: 6, slow: 11, amount: 100, stop: 0.002, profit: 0.03 },
      ...{ at: 'heardPath', fee: 0.001, fill: STEPS },
    },
  ],
  [
    'buy(sl=0.99, tp=1.01 of the close), sell(sl=1.01, tp=0.99) by turns, commission 0.1 %',
    {
      engine: 'backtesting.py 0.6.6',
      trades: [
        ['2024-01-10', '2024-01-10', -100, 26.26, 26.12, 8.762],
        ['2024-01-26', '2024-01-26', 100, 25.38, 25.82, 38.88],
        ['2024-02-01', '2024-02-01', -100, 25.61, 25.8, -24.141],
        ['2024-02-05', '2024-02-05', 100, 25.3, 25.11, -24.041],
        ['2024-02-27', '2024-02-27', -100, 27.52, 27.72, -25.524],
        ['2024-03-04', '2024-03-05', 100, 28.29, 27.96, -38.625],
        ['2024-03-20', '2024-03-21', -100, 28.86, 29.26, -45.812],
        ['2024-03-25', '2024-03-25', 100, 29.18, 28.99, -24.817],
      ],
      equity: 9864.682,
    },
    {
      use: BRACKET.use,
      params: {
        ...{ fast: 3, slow: 6, amount: 100, short: true },
        ...{ from: 'entry', stop: 0.01, profit: 0.01 },
      },
      ...{ at: 'heardPath', fee: 0.001, fill: { ...STEPS, path: 'adverseFirst' } },
      backtest: { lent: { usd: '10000', acme: '1000' } },
    },
  ],
  [
    'stoploss -0.02, stake 5000',
    {
      engine: 'freqtrade 2026.9',
      trades: [
        ['2024-01-25', '2024-01-31', 198.728, 25.16, 24.87, -67.57348184],
        ['2024-02-02', '2024-02-05', 195.16, 25.62, 25.11, -109.4320668],
        ['2024-03-04', '2024-03-19', 176.74, 28.29, 29.02, 118.8912306],
        ['2024-03-22', '2024-03-25', 169.204, 29.55, 28.96, -109.73048604],
      ],
      equity: 9832.15519592,
    },
    {
      ...{ use: './my/stop-money.ts', params: STAKE },
      ...{ at: 'heardPath', fee: 0.001, fill: STEPS, amountScale: 3 },
    },
  ],
  [
    'stoploss -0.02, minimal_roi 0.03, stake 5000',
    {
      engine: 'freqtrade 2026.9',
      trades: [
        ['2024-01-25', '2024-01-31', 198.728, 25.16, 24.87, -67.57348184],
        ['2024-02-02', '2024-02-05', 195.16, 25.62, 25.11, -109.4320668],
        ['2024-03-04', '2024-03-11', 176.74, 28.29, 29.2, 150.6726174],
        ['2024-03-22', '2024-03-25', 169.204, 29.55, 28.96, -109.73048604],
      ],
      equity: 9863.93658272,
    },
    {
      ...{ use: './my/stop-money.ts', params: { ...STAKE, profit: [[0, 0.03]], fee: 0.001 } },
      ...{ at: 'heardPath', fee: 0.001, amountScale: 3 },
      fill: { ...STEPS, gaps: 'own', path: 'adverseFirst' },
    },
  ],
  [
    'stoploss -0.02, minimal_roi 0.03, 0.012 after four days, stake 5000',
    {
      engine: 'freqtrade 2026.9',
      trades: [
        ['2024-01-25', '2024-01-29', 198.728, 25.16, 25.61, 79.33817944],
        ['2024-02-02', '2024-02-05', 195.16, 25.62, 25.11, -109.4320668],
        ['2024-03-04', '2024-03-08', 176.74, 28.29, 28.92, 101.2349046],
        ['2024-03-22', '2024-03-25', 169.204, 29.55, 28.96, -109.73048604],
      ],
      equity: 9961.4105312,
    },
    {
      use: './my/stop-money.ts',
      params: {
        ...{ ...STAKE, fee: 0.001 },
        profit: [
          [0, 0.03],
          [5_760, 0.012],
        ],
      },
      ...{ at: 'heardPath', fee: 0.001, amountScale: 3 },
      fill: { ...STEPS, gaps: 'own', path: 'adverseFirst' },
    },
  ],
  [
    'StopTrail(trailamount=0.5), commission 0.1 %',
    {
      engine: 'backtrader 1.9.78.123',
      trades: [
        ['2024-01-25', '2024-01-29', 100, 25.16, 25.14, -7.03],
        ['2024-02-02', '2024-02-22', 100, 25.62, 28.48, 280.59],
        ['2024-03-04', '2024-03-18', 100, 28.29, 28.95, 60.276],
      ],
      equity: 10310.881,
    },
    {
      ...{ use: './my/trailing.ts', params: { ...TRAILING, follows: 'close', distance: 0.5 } },
      ...{ at: 'heardPath', fee: 0.001, fill: STEPS },
    },
  ],
  [
    'strategy.exit(trail_points=60, trail_offset=40, loss=50), commission 0.1 %',
    {
      engine: 'PyneCore 6.11.0',
      trades: [
        ['2024-01-25', '2024-01-29', 100, 25.16, 25.48, 26.936],
        ['2024-02-02', '2024-02-05', 100, 25.62, 25.12, -55.074],
        ['2024-03-04', '2024-03-13', 100, 28.29, 29.05, 70.266],
        ['2024-03-22', '2024-03-25', 100, 29.55, 29.05, -55.86],
      ],
      equity: 9986.268,
    },
    {
      use: './my/trailing-within.ts',
      params: { ...CROSS, amount: 100, points: 60, offset: 40, loss: 50 },
      ...{ at: 'heardPath', fee: 0.001, fill: STEPS },
    },
  ],
  [
    'slippage=2, commission 0.1 %',
    {
      engine: 'PyneCore 6.11.0',
      trades: [
        ['2024-01-25', '2024-01-31', 100, 25.18, 24.85, -38.003],
        ['2024-02-02', '2024-02-26', 100, 25.64, 27.89, 219.647],
        ['2024-03-04', '2024-03-19', 100, 28.31, 29, 63.269],
      ],
      equity: 10219.956,
    },
    { ...AMOUNT, at: 'nextOpen', fee: 0.001, fill: { slippage: { steps: 2 } } },
  ],
];

describe('the stops and the slippage of another engine', () => {
  it.each(RUNS)('are paid to the last digit: %s', async (_what, other, options) => {
    await expectSameRun(options, other);
  });
});

/** Behind an entry at a close: amount, prices and profit of each trade, and the equity at the end. */
const AT_CLOSE: readonly [
  string,
  object,
  Pick<OwnRun, 'backtest' | 'fill' | 'priceScale'>,
  unknown,
][] = [
  [
    'buy(stop_loss=..., take_profit=...) of backtestingfx 0.2.0',
    { from: 'entry', stop: 0.013, profit: 0.025 },
    { backtest: { fees: { maker: 0, taker: 0, perUnit: 0.005, in: 'quote' } } },
    [
      [100, 25.13, 25.76, 62],
      [100, 25.66, 25.33, -34],
      [100, 28.24, 27.87, -38],
      [100, 29.54, 29.16, -39],
      9951,
    ],
  ],
  [
    'buy(...) and sell(...) of backtestingfx 0.2.0 by turns, over a gap',
    { from: 'entry', short: true, stop: 0.005, profit: 0.02 },
    {
      backtest: {
        fees: { maker: 0, taker: 0, perUnit: 0.005, in: 'quote' },
        lent: { usd: '10000', acme: '1000' },
      },
      fill: { gaps: 'walked', path: 'adverseFirst' },
    },
    [
      [-100, 26.38, 25.85, 52],
      [100, 25.13, 25, -14],
      [-100, 24.94, 25.06, -13],
      [100, 25.66, 25.53, -14],
      [-100, 27.85, 27.99, -15],
      [100, 28.24, 28.1, -15],
      [-100, 28.87, 29.01, -15],
      [100, 29.54, 29.39, -16],
      9950,
    ],
  ],
  [
    'strategy.exit(...) with process_orders_on_close of PyneCore 6.11.0',
    { from: 'close', stop: 0.01, profit: 0.03 },
    { backtest: { fees: { maker: 0.001, taker: 0.001, in: 'quote' } } },
    [
      [100, 25.13, 25.88, 69.899],
      [100, 25.66, 25.36, -35.102],
      [100, 28.24, 27.96, -33.62],
      [100, 29.54, 29.18, -41.872],
      9959.305,
    ],
  ],
  [
    'with_stop(...).with_take_profit(...) with FillModel::Resting of rustrade-backtest 0.5.2',
    { from: 'entry', stop: 0.013, profit: 0.025, places: 2 },
    {
      backtest: { fees: { maker: 0.0002, taker: 0.0006, in: 'quote' } },
      ...{ priceScale: 8, fill: { slippage: { basisPoints: 5 }, pathScale: 2 } },
    },
    [
      [100, 25.142565, 25.76, 59.7197461],
      [100, 25.67283, 25.317335, -38.6089099],
      [100, 28.25412, 27.856065, -43.1721111],
      [100, 29.55477, 29.14542, -44.4570114],
      9933.4817137,
    ],
  ],
];

describe('the stop and the profit behind an entry at a close', () => {
  it.each(AT_CLOSE)(
    'are paid to the last digit: %s',
    async (_what, params, { fill, ...own }, other) => {
      const { trades, curve } = await ownRun({
        ...{ ...own, use: BRACKET.use, params: { ...BRACKET.params, ...params } },
        ...{ at: 'heardPath', fee: 0, fill: { ...STEPS, atClose: 'thisClose', ...fill } },
      });
      expect([...trades.map(([, , ...trade]) => trade), round(curve.at(-1)!)]).toEqual(other);
    },
  );
});

describe('the trailing stop of vectorbt 1.2.0, sl_stop=0.025 with sl_trail', () => {
  it('is paid to the last digit, between the cents of the prices', async () => {
    const { trades, curve } = await ownRun({
      ...{ use: './my/trailing.ts', params: { ...TRAILING, follows: 'high', share: 0.025 } },
      ...{ at: 'heardPath', fee: 0.001, priceScale: 4 },
      fill: { gaps: 'open', atClose: 'thisClose', pathSteps: 15_000 },
    });
    expect(trades.map(([, , ...trade]) => trade)).toEqual([
      [100, 25.13, 25.233, 5.2637],
      [100, 25.66, 28.3725, 265.84675],
      [100, 28.24, 28.9185, 62.13415],
      [100, 29.54, 28.9965, -60.20365],
    ]);
    expect(curve.at(-1)).toBeCloseTo(10273.04095, 8);
  });
});

describe('a spot account of Jesse 3.5.3', () => {
  it('ends with the same money: its fees are taken out of what a trade brings', async () => {
    const { trades, curve, figures } = await ownRun({
      ...{ ...AMOUNT, at: 'thisClose', fee: 0.001, amountScale: 4, interval: '1min' },
      backtest: { fees: { maker: 0.001, taker: 0.001 }, closeAtEnd: 'close' },
    });
    expect(trades.map(([, , amount, entry, exit]) => [amount, entry, exit])).toEqual([
      [99.9, 25.13, 24.94],
      [99.9, 25.66, 27.85],
      [99.9, 28.24, 28.87],
      [99.9, 29.54, 29.35],
    ]);
    expect(curve.at(-1)).toBeCloseTo(10221.809101, 8);
    expect(figures.get('fees')).toBeCloseTo(21.946899, 8);
    expect(figures.get('winRate')).toBe(0.5);
  });
});
