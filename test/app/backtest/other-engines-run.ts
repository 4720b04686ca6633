import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { conventionsFor } from '../../../src/app/backtest/deployment.ts';
import { type CandleSource, loadBacktest, runBacktest } from '../../../src/app/backtest/index.ts';
import { INTERVAL_MS, type Interval } from '../../../src/domain/index.ts';
import { analyse, type RoundTrip } from '../../../src/report/index.ts';
import { examplesOf, fileOf } from '../../docs/pages.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { backtestFile } from './fixture.ts';
import type { OtherRun, OtherTrade } from './other-engines-results.ts';
import * as results from './other-engines-results.ts';

const EXAMPLES = examplesOf('docs/other-engines.md');

/** The file of that name on the page. */
function exampleOf(name: string): string {
  return EXAMPLES.find((example) => fileOf(example) === name)!.text;
}

/** The settings of the page. */
export const SAME = parse(exampleOf('same.yaml'));

/** The made-up market: as days, or the same prices one candle behind the other. */
function candleSource(
  interval: Interval,
  { amountScale = 0, priceScale = 2 }: Pick<OwnRun, 'amountScale' | 'priceScale'>,
): CandleSource {
  const rows = results.DAYS.trim()
    .split('\n')
    .map((line) => line.split(','));
  const stepMs = INTERVAL_MS[interval];
  const column = (at: number) => Float64Array.from(rows, (row) => Number(row[at]));
  const firstMs = Date.parse(rows[0]![0]!);
  const time = Float64Array.from(rows, ([day], at) =>
    interval === '1day' ? Date.parse(day!) : firstMs + at * stepMs,
  );
  return {
    ...{ kind: 'candles', name: 'days', hash: 'days', interval, stepMs },
    market: {
      id: 'acme_usd',
      base: 'acme',
      quote: 'usd',
      priceScale,
      amountScale,
      minAmount: 0,
      minSize: 0,
    },
    worth: { lowest: 24, highest: 30, money: 10_000 },
    firstMs,
    endMs: time.at(-1)! + stepMs,
    async *chunks(from, to) {
      const cut = (values: Float64Array) =>
        values.filter((_, at) => time[at]! >= from && time[at]! < to);
      const prices = { open: cut(column(1)), high: cut(column(2)), low: cut(column(3)) };
      yield { time: cut(time), ...prices, close: cut(column(4)), volume: cut(column(5)) };
    },
  };
}

export interface OwnRun {
  /** A strategy of the page, or a bundled one. */
  readonly use: string;
  readonly params: object;
  readonly at: 'thisClose' | 'nextOpen' | 'heardOpen' | 'heardPath';
  readonly fee: number;
  /** Whether a resting order sells: at the end of a candle, as far as anybody knows. */
  readonly restsOut?: boolean;
  /** What differs otherwise from the settings of the page. */
  readonly backtest?: object;
  /** What differs so of its `fill`. */
  readonly fill?: object;
  readonly amountScale?: number;
  /** Default: cents. */
  readonly priceScale?: number;
  /** Default: days. */
  readonly interval?: Interval;
}

/** A run by the settings and strategies of the page. */
export async function ownRun(options: OwnRun) {
  const { use, params, at, fee, backtest, fill, interval = '1day' } = options;
  const file = backtestFile({
    ...SAME,
    strategies: [{ use, params: { interval, ...params } }],
    backtest: {
      ...SAME.backtest,
      fees: { maker: fee, taker: fee, in: 'quote' },
      fill: { ...SAME.backtest.fill, at, ...fill },
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
    sources: [candleSource(interval, options)],
  });
  const { facts, figures } = analyse(record, conventionsFor(deployment));
  const trades = [...facts.trips].filter(({ closeTime }) => closeTime !== undefined);
  const stepMs = INTERVAL_MS[interval];
  const inMs = at === 'thisClose' ? stepMs : 0;
  const late = { stepMs, inMs, outMs: options.restsOut === true ? stepMs : inMs };
  return {
    trades: trades.map((trip) => tradeOf(trip, late)),
    curve: [...wholeCurve(record).equity],
    figures: new Map(figures.map(({ metric, measured }) => [metric.id, measured.value])),
    held: new Map(figures.map(({ metric, buyAndHold }) => [metric.id, buyAndHold?.value])),
    fills: record.counts.fills,
    amounts: Array.from(record.fills, ({ amount }): number => amount),
    // That nobody trades at weekends is no news.
    notes: record.notes?.filter((note) => !note.startsWith('days: ')),
  };
}

/** A round trip as the other engines tell it: by when the candle of a fill began. */
function tradeOf(
  trip: RoundTrip,
  { stepMs, inMs, outMs }: { stepMs: number; inMs: number; outMs: number },
): OtherTrade {
  const beginOf = (timeMs: number) => new Date(timeMs - (timeMs % stepMs)).toISOString();
  const day = (timeMs: number) => beginOf(timeMs).slice(0, 16).replace('T00:00', '');
  const amount = trip.side === 'long' ? trip.amount : -trip.amount;
  const prices = [trip.entryPrice, trip.exitPrice!] as const;
  const days = [day(trip.openTime - inMs), day(trip.closeTime! - outMs)] as const;
  return [...days, amount, ...prices, round(trip.profit)];
}

/** To the last place that money has. */
export const round = (value: number): number => Number(value.toFixed(8));

export const CROSS = { fast: 2, slow: 5 };
/** The strategies of the page, as the tests run them. */
export const AMOUNT = { use: './my/cross-amount.ts', params: { ...CROSS, amount: 100 } };
export const MONEY = { use: './my/cross-money.ts', params: { ...CROSS, fee: 0.001 } };

/** Holds a run of ours to that of another engine, to the last digit; gives what ours says besides. */
export async function expectSameRun(options: OwnRun, other: OtherRun) {
  const run = await ownRun(options);
  expect(run.trades).toEqual(other.trades);
  expect(round(run.curve.at(-1)!)).toBe(other.equity);
  const behind = other.curve ?? [];
  expect(run.curve.slice(run.curve.length - behind.length).map(round)).toEqual(behind);
  for (const [name, value] of Object.entries(other.figures ?? {})) {
    expect(run.figures.get(name), name).toBeCloseTo(value, 9);
  }
  return run;
}
