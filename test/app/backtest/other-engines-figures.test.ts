import { describe, expect, it } from 'vitest';
import type { OtherTrade } from './other-engines-results.ts';
import { AMOUNT, MONEY, type OwnRun, ownRun, SAME } from './other-engines-run.ts';

/** What an engine told of a run, by the names that its figures have here. */
interface OtherFigures {
  /** Engine and version. */
  readonly engine: string;
  readonly run: OwnRun;
  /** The conventions that it goes by. */
  readonly report: Readonly<Record<string, string | number>>;
  readonly figures: Readonly<Record<string, number>>;
  /** Of buying and holding. */
  readonly held?: Readonly<Record<string, number>>;
  /** The closed trades, where they are told. */
  readonly trades?: readonly OtherTrade[];
  /** The first moment. */
  readonly from?: string;
}

/** The market as candles of four hours. */
const FOUR_HOURS = { interval: '4hour', at: 'thisClose' } as const;
/** A fixed amount, worth a four hundredth of a percent of the account. */
const ONE = { use: AMOUNT.use, params: { ...AMOUNT.params, amount: 1 } };
/** 33 of 60 candles there, that one among them at whose close the trade began that is still open. */
const IN_THE_MARKET = 0.55 - 1 / 60;
const RICH = { backtest: { balances: { usd: '1000000' } } };
const FREE = { use: MONEY.use, params: { ...MONEY.params, fee: 0 } };

const RUNS: readonly [string, OtherFigures][] = [
  [
    'returns of each candle, from the first close',
    {
      engine: 'vectorbt 1.2.0, from_signals, freq 4h, fees 0.001, size_granularity 1.0',
      run: { ...MONEY, ...FOUR_HOURS, fee: 0.001 },
      report: { returnPeriod: '4hour', daysPerYear: 365, buyAndHold: 'firstClose' },
      figures: {
        sharpe: 6.81860216771241,
        sortinoArithmetic: 11.57964144536531,
        volatility: 0.45859857954367417,
        annualReturn: 19.528912739697464,
        calmar: 438.0008753816568,
        exposureTime: IN_THE_MARKET,
      },
      held: { totalReturn: 0.12323000382701885 },
      trades: [
        ['2024-01-03T20:00', '2024-01-04T12:00', 397, 25.13, 24.94, -95.30779],
        ['2024-01-04T20:00', '2024-01-07T08:00', 385, 25.66, 27.85, 822.54865],
        ['2024-01-08T04:00', '2024-01-10', 379, 28.24, 28.87, 217.12531],
      ],
    },
  ],
  [
    'profits of one unit each time',
    {
      engine: 'ta4j 0.22.2, amount 1, TradeOnCurrentCloseModel, LinearTransactionCostModel 0.001',
      run: { ...ONE, ...FOUR_HOURS, ...RICH, fee: 0.001 },
      report: { deviation: 'population', buyAndHold: 'firstClose' },
      figures: {
        sqn: 1.445567151839181,
        winRate: 0.6666666666666667,
        averageWin: 1.35469,
        averageLoss: -0.24007,
        fees: 0.19023,
        exposureTime: IN_THE_MARKET,
      },
      held: { totalReturn: 0.123230003827019 },
      trades: [
        ['2024-01-03T20:00', '2024-01-04T12:00', 1, 25.13, 24.94, -0.24007],
        ['2024-01-04T20:00', '2024-01-07T08:00', 1, 25.66, 27.85, 2.13649],
        ['2024-01-08T04:00', '2024-01-10', 1, 28.24, 28.87, 0.57289],
      ],
    },
  ],
  [
    'returns of all the money, from the first close on',
    {
      engine: 'ta4j 0.22.2, TradeOnCurrentCloseModel, ZeroCostModel',
      run: { ...FREE, ...FOUR_HOURS, fee: 0, amountScale: 8 },
      from: '2024-01-01T04:00',
      report: { returnPeriod: '4hour', daysPerYear: 365.2425 },
      figures: { sharpe: 7.513100912355462, maxDrawdown: -0.04273571008236581 },
    },
  ],
  [
    'a year of 365.25 days',
    {
      engine: 'bt 1.4.1 with ffn 1.4.1, WeighTarget and Rebalance, integer_positions',
      run: { ...FREE, at: 'thisClose', fee: 0 },
      from: '2024-01-24',
      report: { cagrYear: 365.25 },
      figures: {
        totalReturn: 0.09392600000000018,
        maxDrawdown: -0.04266340891425979,
        annualReturn: 0.6970045717340008,
        calmar: 16.33729206062187,
        sharpe: 2.989663339670768,
        volatility: 0.18152871317430863,
      },
    },
  ],
  [
    'a year of 252 returns',
    {
      engine: 'empyrical-reloaded 0.7.1, by the returns of vectorbt 1.2.0',
      run: { ...MONEY, at: 'thisClose', fee: 0.001 },
      report: { cagrYear: 'periods' },
      figures: {
        annualReturn: 0.4158328096294672,
        calmar: 9.326434966340168,
        sharpe: 2.3129889883032173,
        volatility: 0.1555646507078563,
      },
    },
  ],
  [
    'days of stocks in a year of 365',
    {
      engine: 'vectorbt 1.2.0, from_signals, freq 1D, fees 0.001, size_granularity 1.0',
      run: { ...MONEY, at: 'thisClose', fee: 0.001 },
      report: { daysPerYear: 365, emptyPeriods: 'leftOut', cagrYear: 'periods' },
      figures: {
        sharpe: 2.7836826783217816,
        sortinoArithmetic: 4.727368824254884,
        volatility: 0.18722208610786087,
        annualReturn: 0.6547319715806794,
        calmar: 14.68454391266527,
      },
    },
  ],
  [
    'the deviation of all, not of a sample',
    {
      engine: 'lib-pybroker 2.0.2, PriceType.OPEN, bars_per_year 252',
      run: { ...AMOUNT, at: 'nextOpen', fee: 0 },
      from: '2024-01-02',
      report: { deviation: 'population' },
      figures: { sharpe: 2.6003639843190514, winRate: 0.6666666666666666 },
      trades: [
        ['2024-01-25', '2024-01-31', 100, 25.16, 24.87, -29],
        ['2024-02-02', '2024-02-26', 100, 25.62, 27.91, 229],
        ['2024-03-04', '2024-03-19', 100, 28.29, 29.02, 73],
      ],
    },
  ],
];

describe('the prices of another engine', () => {
  it('are those of amounts with many places: ta4j 0.22.2, amount 0.12345678', async () => {
    const params = { ...ONE.params, amount: 0.12345678 };
    const { trades } = await ownRun({ ...ONE, ...FOUR_HOURS, params, fee: 0.001, amountScale: 8 });
    expect(trades.map((trade) => trade.slice(2, 5))).toEqual([
      [0.12345678, 25.13, 24.94],
      [0.12345678, 25.66, 27.85],
      [0.12345678, 28.24, 28.87],
    ]);
  });
});

describe('the figures of another engine', () => {
  it.each(RUNS)('are those of its conventions: %s', async (_what, other) => {
    const report = { ...SAME.backtest.report, ...other.report };
    const backtest = { ...other.run.backtest, ...(other.from && { from: other.from }), report };
    const { trades, figures, held } = await ownRun({ ...other.run, backtest });
    for (const [name, value] of Object.entries(other.figures)) {
      expect(figures.get(name), name).toBeCloseTo(value, Math.abs(value) > 100 ? 7 : 9);
    }
    for (const [name, value] of Object.entries(other.held ?? {})) {
      expect(held.get(name), name).toBeCloseTo(value, 12);
    }
    if (other.trades !== undefined) expect(trades).toEqual(other.trades);
  });
});
