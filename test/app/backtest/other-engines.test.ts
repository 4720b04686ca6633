import { describe, expect, it } from 'vitest';
import type { OtherRun, OtherTrade } from './other-engines-results.ts';
import * as results from './other-engines-results.ts';
import {
  AMOUNT,
  CROSS,
  expectSameRun,
  MONEY,
  type OwnRun,
  ownRun,
  round,
} from './other-engines-run.ts';

const ABOVE = { use: './my/above-mean.ts', params: { length: 5, amount: 100 } };
const PROFIT = { use: './my/profit-limit.ts', params: { length: 5, amount: 100 } };
const SLIPPED = {
  ...{ use: MONEY.use, params: { ...CROSS, fee: 0.01, slippage: 0.0005 }, fee: 0.01 },
  ...{ priceScale: 8, fill: { slippage: { basisPoints: 5 } } },
};
const OPEN_END = { backtest: { closeAtEnd: 'open' } };

const RUNS: readonly [string, OtherRun, OwnRun][] = [
  ['a size at the next open', results.SIZE_NEXT_OPEN, { ...AMOUNT, at: 'nextOpen', fee: 0.002 }],
  ['a size at the close', results.SIZE_THIS_CLOSE, { ...AMOUNT, at: 'thisClose', fee: 0.002 }],
  ['all the money at the close', results.ALL_THIS_CLOSE, { ...MONEY, at: 'thisClose', fee: 0.001 }],
  [
    'all the money at the next open, sold at the end',
    results.ALL_NEXT_OPEN,
    { ...MONEY, at: 'heardOpen', fee: 0.001, ...OPEN_END },
  ],
  [
    'all the money long and short by turns, closed at the end',
    results.ALL_FLIPPED,
    {
      ...{ use: './my/flip-money.ts', params: { ...CROSS, fee: 0.002, lent: 1_000_000 } },
      ...{ at: 'heardOpen', fee: 0.002 },
      backtest: { closeAtEnd: 'open', lent: { usd: '1000000', acme: '100000' } },
    },
  ],
  ['the quickstart', results.QUICKSTART, { ...ABOVE, at: 'nextOpen', fee: 0.001 }],
  [
    'the quickstart at the close',
    results.QUICKSTART_CLOSE,
    { ...ABOVE, at: 'thisClose', fee: 0.001 },
  ],
  [
    'a limit that takes the profit',
    results.TAKE_PROFIT,
    { ...PROFIT, at: 'nextOpen', fee: 0.001, restsOut: true },
  ],
  ['signals in whole units', results.SIGNALS_WHOLE, { ...MONEY, at: 'thisClose', fee: 0.001 }],
  [
    'a stake at the next open, sold at the end',
    results.STAKE,
    {
      ...{ use: MONEY.use, params: { ...CROSS, stake: 5_000 }, amountScale: 3 },
      ...{ at: 'heardOpen', fee: 0.001, ...OPEN_END },
    },
  ],
  [
    'all the money with slippage at the close',
    {
      engine: 'vectorbt 1.2.0, slippage=0.0005, fees=0.01, size_granularity=1.0',
      trades: [
        ['2024-01-24', '2024-01-30', 393, 25.142565, 24.92753, -281.28422835],
        ['2024-02-01', '2024-02-23', 374, 25.67283, 27.836075, 608.9303253],
        ['2024-03-01', '2024-03-18', 361, 28.25412, 28.855565, 10.95568215],
      ],
      equity: 10165.4918549,
      figures: { totalReturn: 0.016549185490001037, maxDrawdown: -0.0661451960902556 },
    },
    { ...SLIPPED, at: 'thisClose' },
  ],
  [
    'all the money with slippage at the next open',
    {
      engine: 'vectorbt 1.2.0, price the open, a row later',
      trades: [
        ['2024-01-25', '2024-01-31', 393, 25.17258, 24.857565, -320.41936485],
        ['2024-02-02', '2024-02-26', 373, 25.63281, 27.896045, 644.52402585],
        ['2024-03-04', '2024-03-19', 361, 28.304145, 29.00549, 46.29776265],
      ],
      equity: 10193.2857294,
      figures: { totalReturn: 0.019328572940000233, maxDrawdown: -0.062166028548307106 },
    },
    { ...SLIPPED, at: 'heardOpen' },
  ],
];

describe('a run of another engine', () => {
  it.each(RUNS)('is reproduced to the last digit: %s', async (_what, other, options) => {
    await expectSameRun(options, other);
  });

  it('is reproduced as far as amounts have decimal places: signals in parts of units', async () => {
    const run = { ...MONEY, at: 'thisClose', fee: 0.001, amountScale: 8 } as const;
    const { trades, curve, figures } = await ownRun(run);
    const { trades: others, curve: values, figures: told } = results.SIGNALS;
    expect(trades).toHaveLength(others.length);
    for (const [at, [, , amount, entry, exit, profit]] of others.entries()) {
      expect(trades[at]!.slice(3, 5)).toEqual([entry, exit]);
      expect(trades[at]![2]).toBeCloseTo(amount, 7);
      expect(trades[at]![5]).toBeCloseTo(profit, 6);
    }
    for (const [at, value] of values!.entries()) expect(curve[at + 1]).toBeCloseTo(value, 5);
    for (const [name, value] of Object.entries(told!)) {
      expect(figures.get(name), name).toBeCloseTo(value, 5);
    }
  });

  it('is reproduced where it lends what is sold short, by a reserve', async () => {
    const balances = { usd: '10000', acme: '100' };
    const { trades, curve, figures } = await ownRun({
      ...{ use: 'ema-cross', params: { ...CROSS, amount: 100, short: true } },
      ...{ at: 'thisClose', fee: 0.001, backtest: { balances } },
    });
    const { trades: others, equity, figures: told } = results.LONG_AND_SHORT;
    expect(trades).toEqual(others);
    const [lastClose] = results.DAYS.trim().split(',').slice(-2);
    expect(round(curve.at(-1)! - 100 * Number(lastClose))).toBe(equity);
    for (const [name, value] of Object.entries(told!)) {
      expect(figures.get(name), name).toBeCloseTo(value, 9);
    }
  });
});

describe('fees as the exchange takes them', () => {
  it.each(['received', 'base'])(
    'make the same trades, and none for what they took: %s',
    async (own) => {
      const run = { ...AMOUNT, at: 'nextOpen', fee: 0.002, amountScale: 4 } as const;
      const { fills: wanted } = await ownRun(run);
      const balances = { usd: '10000', acme: '1' };
      const fees = { maker: 0.002, taker: 0.002, in: own };
      const { trades, fills, notes } = await ownRun({ ...run, backtest: { balances, fees } });
      expect([fills, notes ?? []]).toEqual([wanted, []]);
      const others = results.SIZE_NEXT_OPEN.trades;
      const placeOf = ([from, to, , entry, exit]: OtherTrade) => [from, to, entry, exit];
      expect(trades.map(placeOf)).toEqual(others.map(placeOf));
      for (const [at, [, , amount, , , profit]] of trades.entries()) {
        const [, , , entry, exit] = others[at]!;
        expect(amount).toBeCloseTo(99.8, 2);
        expect(profit).toBeCloseTo(99.8 * (exit - entry) - 0.2 * entry - 0.1996 * exit, 0);
      }
    },
  );
});

describe('all the money, fees as the exchange takes them', () => {
  // Of a loop over the same days in exact decimals: amounts in whole steps of 0.001, values of 8
  // places cut off, fees of 0.1 % rounded up to 8 places, those of buys in what was bought.
  it.each([
    [
      'thisClose',
      { usd: 0.01234027, acme: 370.170638 },
      [397.93, 397.532, 385.991, 385.605, 379.9, 379.52, 370.541],
    ],
    [
      'heardOpen',
      { usd: 0.02925854, acme: 371.201805 },
      [397.456, 397.058, 385.049, 384.664, 379.117, 378.738, 371.573],
    ],
  ] as const)('is reproduced to the last digit, whatever fees leave: %s', async (at, left, all) => {
    const { amounts, curve } = await ownRun({
      ...{ use: './my/cross-all.ts', params: CROSS, at, fee: 0.001, amountScale: 3 },
      backtest: { fees: { maker: 0.001, taker: 0.001, in: 'received' } },
    });
    expect(amounts).toEqual(all);
    const [lastClose] = results.DAYS.trim().split(',').slice(-2);
    expect(round(curve.at(-1)!)).toBe(round(left.usd + left.acme * Number(lastClose)));
  });
});

describe('what stands in the way of a reproduction', () => {
  it('is told: without a reserve nothing is sold short', async () => {
    const { notes } = await ownRun({
      ...{ use: 'ema-cross', params: { ...CROSS, amount: 100, short: true } },
      ...{ at: 'thisClose', fee: 0.001 },
    });
    expect(notes).toEqual([
      expect.stringMatching(
        /^Risk refused .* \(balance\), .* 0 acme \(backtest\.lent\.acme or backtest\.balances\.acme\)\.$/,
      ),
    ]);
  });

  it('buys no step more than there is money for, of amounts with more digits than doubles tell', async () => {
    const { amounts, notes } = await ownRun({
      ...{ use: './my/cross-all.ts', params: CROSS, at: 'thisClose', fee: 0.001, amountScale: 11 },
      backtest: {
        balances: { usd: '9983' },
        fees: { maker: 0.001, taker: 0.001, in: 'received' },
      },
    });
    expect([amounts.length, notes ?? []]).toEqual([7, []]);
  });
});
