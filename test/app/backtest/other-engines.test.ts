import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { conventionsFor } from '../../../src/app/backtest/deployment.ts';
import { type CandleSource, loadBacktest, runBacktest } from '../../../src/app/backtest/index.ts';
import { analyse, type RoundTrip } from '../../../src/report/index.ts';
import { examplesOf, fileOf } from '../../docs/pages.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { backtestFile } from './fixture.ts';
import type { OtherRun, OtherTrade } from './other-engines-results.ts';
import * as results from './other-engines-results.ts';

const DAY_MS = 86_400_000;
const EXAMPLES = examplesOf('docs/other-engines.md');

/** The file of that name on the page. */
function exampleOf(name: string): string {
  return EXAMPLES.find((example) => fileOf(example) === name)!.text;
}

const SAME = parse(exampleOf('same.yaml'));

/** The made-up market as days. */
function daySource(amountScale: number): CandleSource {
  const rows = results.DAYS.trim()
    .split('\n')
    .map((line) => line.split(','));
  const column = (at: number) => Float64Array.from(rows, (row) => Number(row[at]));
  const time = Float64Array.from(rows, ([day]) => Date.parse(day!));
  return {
    ...{ kind: 'candles', name: 'days', hash: 'days', interval: '1day', stepMs: DAY_MS },
    market: {
      id: 'acme_usd',
      base: 'acme',
      quote: 'usd',
      priceScale: 2,
      amountScale,
      minAmount: 0,
      minSize: 0,
    },
    firstMs: time[0]!,
    endMs: time.at(-1)! + DAY_MS,
    async *chunks() {
      const prices = { open: column(1), high: column(2), low: column(3), close: column(4) };
      yield { time, ...prices, volume: column(5) };
    },
  };
}

interface OwnRun {
  /** A strategy of the page, or a bundled one. */
  readonly use: string;
  readonly params: object;
  readonly at: 'thisClose' | 'nextOpen' | 'heardOpen';
  readonly fee: number;
  /** Whether a resting order sells: at the end of a candle, as far as anybody knows. */
  readonly restsOut?: boolean;
  /** What differs otherwise from the settings of the page. */
  readonly backtest?: object;
  readonly amountScale?: number;
}

/** A run by the settings and strategies of the page. */
async function ownRun(options: OwnRun) {
  const { use, params, at, fee, backtest, amountScale = 0 } = options;
  const file = backtestFile({
    ...SAME,
    strategies: [{ use, params: { interval: '1day', ...params } }],
    backtest: {
      ...SAME.backtest,
      fees: { maker: fee, taker: fee, in: 'quote' },
      fill: { ...SAME.backtest.fill, at },
      ...backtest,
    },
  });
  for (const example of EXAMPLES) {
    const name = fileOf(example);
    if (name?.endsWith('.ts') !== true) continue;
    mkdirSync(dirname(join(dirname(file), name)), { recursive: true });
    writeFileSync(join(dirname(file), name), example.text);
  }
  const deployment = loadBacktest(file);
  const { record } = await runBacktest({
    deployment,
    sources: [daySource(amountScale)],
  });
  const { facts, figures } = analyse(record, conventionsFor(deployment));
  const trades = [...facts.trips].filter(({ closeTime }) => closeTime !== undefined);
  const inMs = at === 'thisClose' ? DAY_MS : 0;
  const late = { inMs, outMs: options.restsOut === true ? DAY_MS : inMs };
  return {
    trades: trades.map((trip) => tradeOf(trip, late)),
    curve: [...wholeCurve(record).equity],
    figures: new Map(figures.map(({ metric, measured }) => [metric.id, measured.value])),
    fills: record.counts.fills,
    notes: record.notes,
  };
}

/** A round trip as the other engines tell it: by the day on which the candle of a fill began. */
function tradeOf(trip: RoundTrip, { inMs, outMs }: { inMs: number; outMs: number }): OtherTrade {
  const day = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
  const amount = trip.side === 'long' ? trip.amount : -trip.amount;
  const prices = [round(trip.entryPrice), round(trip.exitPrice!)] as const;
  const days = [day(trip.openTime - inMs), day(trip.closeTime! - outMs)] as const;
  return [...days, amount, ...prices, round(trip.profit)];
}

/** To the last place that money has. */
const round = (value: number): number => Number(value.toFixed(8));

const CROSS = { fast: 2, slow: 5 };
const AMOUNT = { use: './my/cross-amount.ts', params: { ...CROSS, amount: 100 } };
const MONEY = { use: './my/cross-money.ts', params: { ...CROSS, fee: 0.001 } };
const ABOVE = { use: './my/above-mean.ts', params: { length: 5, amount: 100 } };
const PROFIT = { use: './my/take-profit.ts', params: { length: 5, amount: 100 } };
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
];

describe('a run of another engine', () => {
  it.each(RUNS)('is reproduced to the last digit: %s', async (_what, other, options) => {
    const { trades, curve, figures } = await ownRun(options);
    expect(trades).toEqual(other.trades);
    expect(round(curve.at(-1)!)).toBe(other.equity);
    const behind = other.curve ?? [];
    expect(curve.slice(curve.length - behind.length).map(round)).toEqual(behind);
    for (const [name, value] of Object.entries(other.figures)) {
      expect(figures.get(name), name).toBeCloseTo(value, 9);
    }
  });

  it('is reproduced as far as amounts have decimal places: signals in parts of units', async () => {
    const run = { ...MONEY, at: 'thisClose', fee: 0.001, amountScale: 8 } as const;
    const { trades, curve, figures } = await ownRun(run);
    const { trades: others, curve: values, figures: told } = results.SIGNALS;
    expect(trades).toHaveLength(others.length);
    for (const [at, [, , amount, , , profit]] of others.entries()) {
      expect(trades[at]![2]).toBeCloseTo(amount, 7);
      expect(trades[at]![5]).toBeCloseTo(profit, 6);
    }
    for (const [at, value] of values!.entries()) expect(curve[at + 1]).toBeCloseTo(value, 5);
    for (const [name, value] of Object.entries(told)) {
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
    for (const [name, value] of Object.entries(told)) {
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
});
