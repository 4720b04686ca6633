import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { writeColumns } from '../../history/index.ts';
import { messageOf } from '../../kernel/index.ts';
import {
  type Analysis,
  analyse,
  metricsJson,
  orderColumns,
  type RunRecord,
  reportHtml,
  tradesCsv,
} from '../../report/index.ts';
import { AppError } from '../errors.ts';
import type { BacktestResult } from './run-backtest.ts';

export interface RunFolderOptions {
  /** The folder itself. Default: a new one below `folder`. */
  readonly out?: string | undefined;
  /** Where the folders of runs are. */
  readonly folder: string;
  readonly nowMs: number;
  /** Whether report.html is written. */
  readonly report: boolean;
}

/** A run on disk. */
export interface WrittenRun {
  readonly folder: string;
  readonly analysis: Analysis;
}

/**
 * Writes all that a run left into a folder of its own.
 *
 * @throws {AppError} `recording` when it cannot be written.
 */
export async function writeRun(
  result: BacktestResult,
  options: RunFolderOptions,
): Promise<WrittenRun> {
  const { record } = result;
  const analysis = analyse(record);
  const folder = options.out ?? newFolder(record, options);
  try {
    mkdirSync(folder, { recursive: true });
    const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
    write('config.yaml', stringify(record.settings));
    write('metrics.json', metricsJson(analysis));
    write('trades.csv', tradesCsv(analysis.facts.trips));
    write('journal.jsonl', journalText(result));
    if (options.report) write('report.html', reportHtml(analysis, chartLibrary()));
    await writeColumns(join(folder, 'orders.parquet'), { ...orderColumns(record) });
    await writeColumns(join(folder, 'equity.parquet'), equityColumns(record));
  } catch (thrown) {
    const what = `Cannot write the run to ${folder}: ${messageOf(thrown)}`;
    throw new AppError('recording', what, { cause: thrown });
  }
  return { folder, analysis };
}

/** The text of the library that draws the charts. */
function chartLibrary(): string {
  const main = import.meta.resolve('lightweight-charts');
  return readFileSync(new URL('lightweight-charts.standalone.production.js', main), 'utf8');
}

/** `runs/ema-cross-20240131-101500`; a second run of that second gets a number. */
function newFolder({ name }: RunRecord, { folder, nowMs }: RunFolderOptions): string {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const path = join(folder, `${name}-${stamp.replace('T', '-')}`);
  if (!existsSync(path)) return path;
  for (let number = 2; ; number++) if (!existsSync(`${path}-${number}`)) return `${path}-${number}`;
}

/** A line on the inputs and the last prices, then every decision and effect. */
function journalText({ inputs, interrupted, record, journal }: BacktestResult): string {
  const { period, seed, version } = record;
  const prices = Array.from(record.prices, ([market, { close }]) => [market, close.at(-1)]);
  const marks = Object.fromEntries(prices) as Record<string, number>;
  const facts = { version, seed, period, inputs, marks, interrupted };
  const head = JSON.stringify({ kind: 'inputs', ...facts });
  return `${[head, ...journal.lines].join('\n')}\n`;
}

function equityColumns({ curve }: RunRecord) {
  const { time, equity, cash, positionValue, positions, buyAndHold } = curve;
  const held = Array.from(positions, ([market, amounts]) => [`position_${market}`, amounts]);
  return {
    ...{ time, equity, cash, positionValue },
    ...(buyAndHold && { buyAndHold }),
    ...(Object.fromEntries(held) as Record<string, Float64Array>),
  };
}
