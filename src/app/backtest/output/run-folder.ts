import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { writeColumns } from '../../../history/index.ts';
import {
  analyse,
  metricsJson,
  metricsTable,
  type RunRecord,
  reportHtml,
  tradesCsv,
} from '../../../report/index.ts';
import type { LineSink } from '../../../storage/index.ts';
import { movedSettings } from '../../config/moved.ts';
import { wordsOfDisk } from '../../disk.ts';
import { AppError } from '../../errors.ts';
import { isTaken, makeFolder, makeNewFolder } from '../../make-folder.ts';
import { version } from '../../version.ts';
import type { Source } from '../data/source.ts';
import { type BacktestDeployment, conventionsFor } from '../deployment.ts';
import { fillRows } from '../record/fill-rows.ts';
import { closeSpools, openSpools, type Spools } from '../record/spools.ts';
import type { BacktestResult } from '../run-backtest.ts';
import { JournalFile } from './journal-file.ts';
import { writeLines } from './write-lines.ts';

/** The mode of a folder that everybody may use, before the process's umask. */
const FOLDER_MODE = 0o777;

/** What a run may leave in its folder. */
const RUN_FILES = [
  ...['journal.jsonl', 'config.yaml', 'metrics.json', 'trades.csv', 'strategy.log', 'report.html'],
  ...['orders.parquet', 'fills.parquet', 'equity.parquet'],
] as const;
type RunFile = (typeof RUN_FILES)[number];

export interface RunFolderOptions {
  readonly deployment: BacktestDeployment;
  readonly sources: readonly Source[];
  /** The folder of the run. Default: a new one in the configured folder. */
  readonly out?: string | undefined;
  /** Whether the run may replace one that is there. Default: false. */
  readonly force?: boolean | undefined;
  readonly nowMs: number;
}

/** A run on disk. */
export interface WrittenRun {
  readonly folder: string;
  /** Its figures as a table for a terminal. */
  readonly table: string;
}

/**
 * The folder of a run. While the run goes on, the journal grows in an unfinished folder, which is
 * moved to its place once everything else is written too.
 */
export class RunFolder {
  readonly #options: RunFolderOptions;
  /** Where everything is written until it is complete. */
  readonly #unfinished: string;
  readonly #journal: JournalFile;
  /** Where orders, fills and samples are kept while the run goes on. */
  readonly spools: Spools;
  readonly #onExit = (): void => this.discard();

  /** @throws {AppError} `recording` when nothing can be written there, or a run is there already. */
  constructor(options: RunFolderOptions) {
    this.#options = options;
    const folder = folderOf(options);
    if (options.force !== true) requireFree(folder);
    try {
      this.#unfinished = newFolderFor(resolve(folder));
      const path = join(this.#unfinished, 'journal.jsonl' satisfies RunFile);
      this.#journal = new JournalFile(path, { headRoom: headRoomOf(options) });
      this.spools = openSpools(this.#unfinished);
    } catch (thrown) {
      throw failure(folder, thrown);
    }
    process.once('exit', this.#onExit);
  }

  /** Takes the lines of the journal. */
  get journal(): LineSink {
    return this.#journal;
  }

  /**
   * Writes all other files of the run and moves the folder to its place.
   *
   * @throws {AppError} `recording` when it cannot be written; `discard` it then.
   */
  async finish(result: BacktestResult): Promise<WrittenRun> {
    const folder = folderOf(this.#options);
    const { record, orders, log } = result;
    const analysis = analyse(record, conventionsFor(this.#options.deployment));
    const inside = (file: RunFile): string => join(this.#unfinished, file);
    const write = (file: RunFile, text: string): void => writeFileSync(inside(file), text);
    try {
      this.#journal.finish(headOf(result));
      const { yaml } = this.#options.deployment;
      write('config.yaml', stringify(movedSettings(record.settings, { yaml, folder })));
      write('metrics.json', metricsJson(analysis));
      writeLines(inside('trades.csv'), tradesCsv(analysis.facts.trips));
      if (log.length > 0) write('strategy.log', `${log.join('\n')}\n`);
      if (this.#options.deployment.backtest.report.html) {
        write('report.html', reportHtml(analysis, chartLibrary()));
      }
      await writeColumns(inside('orders.parquet'), orders);
      await writeColumns(inside('fills.parquet'), fillRows(record.fills));
      await writeColumns(inside('equity.parquet'), equityColumns(record));
      closeSpools(this.spools);
      replace(this.#unfinished, folder);
    } catch (thrown) {
      throw failure(folder, thrown);
    }
    process.off('exit', this.#onExit);
    return { folder, table: metricsTable(analysis) };
  }

  /** Removes all that was written of the run. */
  discard(): void {
    process.off('exit', this.#onExit);
    this.#journal.close();
    closeSpools(this.spools);
    rmSync(this.#unfinished, { recursive: true, force: true });
  }
}

/** Refuses to write over another run unasked. */
function requireFree(folder: string): void {
  const taken = RUN_FILES.find((file) => existsSync(join(folder, file)));
  if (taken === undefined) return;
  const what = `${taken} of another run is there, another folder or --force is wanted`;
  throw new AppError('recording', `Cannot write the run to ${folder}: ${what}`);
}

/** Makes the unfinished folder: next to the final one, or inside it if that exists, on its disk. */
function newFolderFor(folder: string): string {
  const isThere = isTaken(folder);
  makeFolder(isThere ? folder : dirname(folder));
  return makeNewFolder(isThere ? join(folder, '.unfinished-') : `${folder}.unfinished-`);
}

function failure(folder: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const what = `Cannot write the run to ${folder}: ${wordsOfDisk(cause)}`;
  return new AppError('recording', what, { cause });
}

/** Moves a folder to its place. Files of a run that is there are removed; other files stay. */
function replace(from: string, to: string): void {
  // The folder was private while it was being made; now everybody may read it.
  chmodSync(from, FOLDER_MODE & ~process.umask());
  if (!existsSync(to)) {
    renameSync(from, to);
    return;
  }
  for (const file of RUN_FILES) rmSync(join(to, file), { force: true });
  for (const file of readdirSync(from)) renameSync(join(from, file), join(to, file));
  rmSync(from, { recursive: true });
}

/** The text of the library that draws the charts. */
function chartLibrary(): string {
  const main = import.meta.resolve('lightweight-charts');
  return readFileSync(new URL('lightweight-charts.standalone.production.js', main), 'utf8');
}

/** Such as `runs/ema-cross-20240131-101500`; a second run in the same second gets a number. */
function folderOf({ deployment, out, nowMs }: RunFolderOptions): string {
  if (out !== undefined) return out;
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const { config, backtest } = deployment;
  const path = join(backtest.folder, `${config.name}-${stamp.replace('T', '-')}`);
  if (!existsSync(path)) return path;
  for (let number = 2; ; number++) if (!existsSync(`${path}-${number}`)) return `${path}-${number}`;
}

/** What the first line of the journal says. */
type HeadFacts = Pick<BacktestResult, 'inputs' | 'interrupted'> &
  Pick<RunRecord, 'version' | 'seed' | 'period'> & { readonly marks: Record<string, number> };

function headText(facts: HeadFacts): string {
  return JSON.stringify({ kind: 'inputs', ...facts });
}

/** The first line of the journal: the inputs and the last prices. */
function headOf({ inputs, interrupted, record }: BacktestResult): string {
  const { period, seed, version } = record;
  const prices = Array.from(record.prices, ([market, { close }]) => [market, close.at(-1)]);
  const marks = Object.fromEntries(prices) as Record<string, number>;
  return headText({ version, seed, period, inputs, marks, interrupted });
}

/** The bytes of the longest first line that a run with these sources can have. */
function headRoomOf({ deployment, sources }: RunFolderOptions): number {
  // No other number has a longer text.
  const longest = -Number.MAX_VALUE;
  const head = headText({
    ...{ version: version(), seed: deployment.config.seed ?? '', interrupted: false },
    period: { from: longest, to: longest },
    inputs: sources.map(({ name, hash }) => ({ name, hash })),
    marks: Object.fromEntries(sources.map(({ market }) => [market.id, longest])),
  });
  return Buffer.byteLength(head);
}

function* equityColumns({ curve }: RunRecord) {
  for (const { time, equity, cash, positionValue, positions, buyAndHold } of curve) {
    const held = Array.from(positions, ([market, amounts]) => [`position_${market}`, amounts]);
    yield {
      ...{ time, equity, cash, positionValue },
      ...(buyAndHold && { buyAndHold }),
      ...(Object.fromEntries(held) as Record<string, Float64Array>),
    };
  }
}
