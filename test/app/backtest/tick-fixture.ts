import {
  type BacktestDeployment,
  loadBacktest,
  runBacktest,
} from '../../../src/app/backtest/index.ts';
import { type DatasetRow, DatasetWriter, type Gap } from '../../../src/history/index.ts';
import type { RunRecord } from '../../../src/report/index.ts';
import { type DepthRow, depthRows as depthRowsFrom } from '../../history/store/fixture.ts';
import { scratchFolder } from '../fixture.ts';
import { backtestFile, LIMITS, START_MS } from './fixture.ts';

/** Adds a tenth to its position at every trade, and says what it heard. */
const ADDER = new URL('adder.ts', import.meta.url).pathname;

/** Rows of depth, seconds after the start. */
export function depthRows(rows: readonly DepthRow[]): DatasetRow[] {
  return depthRowsFrom(rows, START_MS);
}

/** Rows of trades, seconds after the start. */
export function tradeRows(
  rows: readonly (readonly [seconds: number, side: 'buy' | 'sell', price: number])[],
): DatasetRow[] {
  return rows.map(([seconds, side, price], at) => {
    return [START_MS + seconds * 1_000, undefined, `${at}`, price, 2, side === 'buy' ? 1 : -1];
  });
}

/** Rows of quotes, seconds after the start. */
export function quoteRows(
  rows: readonly (readonly [
    seconds: number,
    ...bid: readonly [price: number, amount: number],
    ...ask: readonly [price: number, amount: number],
  ])[],
): DatasetRow[] {
  return rows.map(([seconds, ...quote]) => [START_MS + seconds * 1_000, undefined, ...quote]);
}

export interface TickData {
  readonly kind: 'trades' | 'depth' | 'quotes';
  readonly rows: readonly DatasetRow[];
  readonly gaps?: readonly Gap[];
}

/** A folder with a dataset of ticks of btc_usdt. */
export async function tickDataset({ kind, rows, gaps }: TickData) {
  const root = scratchFolder();
  const key = { source: 'venue', market: 'btc_usdt', kind } as const;
  const writer = new DatasetWriter({ root, key, name: 'venue', format: 'record' });
  await writer.add({ rows, gaps });
  writer.close();
  return { root, dataset: writer.dataset! };
}

export interface TickSettings {
  readonly backtest?: object;
  /** Of a strategy that is used as `./scripted.ts`. */
  readonly text?: string;
  /** Other settings of the deployment. Default: that of a strategy that adds at each trade. */
  readonly [key: string]: unknown;
}

/** A deployment that replays ticks. */
export function tickRun(
  { root, kind }: { readonly root: string; readonly kind: TickData['kind'] },
  { backtest, text, ...settings }: TickSettings = {},
): BacktestDeployment {
  const all = {
    strategies: [{ use: ADDER, name: 'adder' }],
    fees: { maker: 0, taker: 0 },
    risk: LIMITS,
    ...settings,
    backtest: {
      ...{ balances: { usdt: '10000', btc: '10' }, dataFolder: root },
      data: { btc_usdt: `venue.btc_usdt.${kind}` },
      fill: { model: kind },
      markets: { btc_usdt: { priceScale: 2, amountScale: 4 } },
      ...backtest,
    },
  };
  return loadBacktest(backtestFile(all, text));
}

/** What was traded: seconds after the start, side, amount and price. */
export function tradesOf(record: RunRecord) {
  return Array.from(record.fills, ({ side, amount, price, time }) => {
    return [(time - START_MS) / 1_000, side, amount, price] as const;
  });
}

/** What a replay of ticks from a second on came to. */
export async function replayedTicks(data: TickData, fromSeconds?: number) {
  const { root } = await tickDataset(data);
  const deployment = tickRun({ root, kind: data.kind });
  const fromMs = START_MS + (fromSeconds ?? 0) * 1_000;
  const period = { warmFromMs: fromMs, fromMs, toMs: START_MS + 60_000 };
  const { record, log } = await runBacktest({ deployment, period });
  return { record, log, trades: tradesOf(record) };
}
