import { metricsTable } from '../../report/index.ts';
import { type BacktestOptions, type BacktestResult, runBacktest } from './run-backtest.ts';
import { writeRun } from './run-folder.ts';

export interface FinishedRunOptions extends BacktestOptions {
  /** Where the run is written. Default: a new folder below the configured one. */
  readonly out?: string | undefined;
}

/** A run that is over and written. */
export interface FinishedRun extends Pick<BacktestResult, 'interrupted' | 'playMs' | 'status'> {
  /** Its folder. */
  readonly folder: string;
  /** Its figures as a table for a terminal. */
  readonly table: string;
  readonly rows: number;
  /** The hash over all decisions and effects. */
  readonly hash: string;
  /** What the reader must know: whole sentences. */
  readonly notes: readonly string[];
}

/** Replays history and writes the run. @throws {AppError} as `runBacktest` and `writeRun` do. */
export async function finishRun({ out, ...options }: FinishedRunOptions): Promise<FinishedRun> {
  const result = await runBacktest(options);
  const { interrupted, playMs, record, status } = result;
  const { folder: parent, report } = options.deployment.backtest;
  const run = await writeRun(result, { out, report, folder: parent, nowMs: Date.now() });
  return {
    ...{ interrupted, playMs, status, folder: run.folder },
    table: metricsTable(run.analysis),
    rows: record.counts.events,
    hash: record.journal?.hash ?? '',
    notes: record.notes ?? [],
  };
}
