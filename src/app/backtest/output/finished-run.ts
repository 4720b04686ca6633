import { openSources } from '../data/data.ts';
import { nothingPlayed, periodOf } from '../data/period.ts';
import {
  type BacktestOptions,
  type BacktestResult,
  type Progress,
  runBacktest,
} from '../run-backtest.ts';
import { LeanHeap } from './lean-heap.ts';
import { RunFolder, type RunFolderOptions, type WrittenRun } from './run-folder.ts';

/** Fills between two checks of memory; orders and samples come a thousand at a time anyway. */
const FILLS_BETWEEN = 1_024;

export interface FinishedRunOptions
  extends Omit<BacktestOptions, 'sink' | 'spools'>,
    Pick<RunFolderOptions, 'out' | 'force'> {}

/** A run that is over and on disk. */
export interface FinishedRun extends Pick<BacktestResult, 'interrupted' | 'playMs' | 'status'> {
  readonly folder: string;
  /** Its figures as a table for a terminal, preceded by what decided the run. */
  readonly table: string;
  readonly rows: number;
  /** The hash over all decisions and effects. */
  readonly hash: string;
  /** What else the reader must know: whole sentences. */
  readonly notes: readonly string[];
}

/**
 * Replays history and writes the run to its folder.
 *
 * @throws {AppError} as `runBacktest` and `RunFolder` do; `recording` where the period has no row.
 */
export async function finishRun({
  out,
  force,
  ...options
}: FinishedRunOptions): Promise<FinishedRun> {
  const { deployment, sources = await openSources(deployment) } = options;
  const period = options.period ?? periodOf(deployment, sources);
  const folder = new RunFolder({ deployment, sources, out, force, nowMs: Date.now() });
  try {
    const { journal: sink, spools } = folder;
    const heap = new LeanHeap();
    const onProgress = (progress: Progress): boolean => {
      heap.check();
      return options.onProgress?.(progress) ?? true;
    };
    const result = await runBacktest({ ...options, sources, period, sink, spools, onProgress });
    const isEmpty = !result.hasPlayed && !result.interrupted;
    if (isEmpty) throw nothingPlayed(deployment, { sources, period });
    return finishedRun(result, await folder.finish(watched(result, heap)));
  } catch (thrown) {
    folder.discard();
    throw thrown;
  }
}

/** The result, with fills, orders and curve that check memory while they are iterated. */
function watched(result: BacktestResult, heap: LeanHeap): BacktestResult {
  const { orders, record } = result;
  const fills = heap.watching(record.fills, FILLS_BETWEEN);
  const curve = heap.watching(record.curve, 1);
  return { ...result, orders: heap.watching(orders, 1), record: { ...record, fills, curve } };
}

function finishedRun(result: BacktestResult, { folder, table }: WrittenRun): FinishedRun {
  const { interrupted, playMs, record, status } = result;
  return {
    ...{ interrupted, playMs, status, folder, table },
    rows: record.counts.events,
    hash: record.journalHash,
    notes: record.notes.slice(record.decisive),
  };
}
