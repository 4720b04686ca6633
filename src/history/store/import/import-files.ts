import { resolve } from 'node:path';
import { HistoryError } from '../../errors.ts';
import type { Mapping } from '../../formats/mapping.ts';
import { namedStep } from '../../formats/named-step.ts';
import { type DatasetKey, datasetId } from '../catalogue.ts';
import type { OverlapRule } from '../commit/commit.ts';
import { type Database, withDatabase } from '../database.ts';
import { type Interruptible, interruptionOr } from '../interruption.ts';
import type { DatasetKind } from '../kinds.ts';
import { lockDataset } from '../lock.ts';
import type { Naming } from '../remark.ts';
import { resolutionMs, resolutionName } from '../resolution.ts';
import { createStaging, STAGED, stageTable } from '../staging/staging.ts';
import { withWorkFolder } from '../work-folder.ts';
import { candleStep, refuseMixed } from './candle-step.ts';
import { type Identified, identify } from './identify.ts';
import { importRaw } from './import-raw.ts';
import { explained, type ImportResult, importStaged } from './import-staged.ts';

export interface ImportOptions extends Interruptible, Naming {
  /** The folder of all datasets; made where there is none. */
  readonly root: string;
  readonly files: readonly string[];
  /** The market, such as `btc_usdt`. Default: by the symbol in the file, else by its name. */
  readonly market?: string | undefined;
  /** Who published the data. Default: by the format, else `local`. */
  readonly source?: string | undefined;
  /** Length of the candles, such as `1min`. Default: by their times. */
  readonly resolution?: string | undefined;
  /** What the files may hold. Default: anything. */
  readonly kinds?: readonly DatasetKind[];
  readonly mapping?: Mapping | undefined;
  /**
   * How much of the base currency one unit of the amounts is worth, as where they count contracts.
   * Default: by the mapping, else 1.
   */
  readonly contractSize?: number | undefined;
  /** What happens to rows of a time that the dataset covers. Default: `refuse`. */
  readonly overlap?: OverlapRule | undefined;
  /** Let rows join those of another origin. Default: false. */
  readonly mix?: boolean | undefined;
  /** Leave out rows that are equal to another in every column. Default: false. */
  readonly dropDuplicates?: boolean | undefined;
}

/**
 * Imports files. Those of one market and kind become one dataset; a dataset changes wholly or not
 * at all, and none does before every file is recognised.
 *
 * @throws {HistoryError} naming the file, when one can't be read or imported, or saying that it was
 * told to stop; and naming the datasets that were imported before.
 */
export async function importFiles(options: ImportOptions): Promise<ImportResult[]> {
  const { root, signal } = options;
  refuseTwice(options.files);
  const results: ImportResult[] = [];
  const imported: string[] = [];
  try {
    await withWorkFolder(root, (workFolder) =>
      withDatabase((database) => importAll(database, { options, workFolder, results, imported }), {
        spillFolder: workFolder,
        signal,
      }),
    );
    return results;
  } catch (thrown) {
    const ids = imported.join(', ');
    const left = ids === '' ? 'nothing was imported' : `${ids} was imported before`;
    const isPart = ids !== '' && thrown instanceof HistoryError;
    const error = isPart
      ? new HistoryError(`${thrown.message}; ${left}`, { cause: thrown })
      : thrown;
    throw interruptionOr(error, { signal, left });
  }
}

/** @throws {HistoryError} naming a file that is given twice: it would overlap itself. */
function refuseTwice(files: readonly string[]): void {
  const known = new Set<string>();
  for (const file of files) {
    const path = resolve(file);
    if (known.has(path)) {
      throw new HistoryError(`Cannot import ${file}: it is given twice, once is wanted`);
    }
    known.add(path);
  }
}

interface Import {
  readonly options: ImportOptions;
  readonly workFolder: string;
  /** What is imported so far. */
  readonly results: ImportResult[];
  /** See `StagedGroup`. */
  readonly imported: string[];
}

async function importAll(database: Database, work: Import): Promise<void> {
  const { options, workFolder } = work;
  const found: Identified[] = [];
  for (const file of options.files) {
    found.push(await identify(database, { file, options, workFolder }));
  }
  requireCandles(found, options);
  const groups = Map.groupBy(found, ({ source, market, kind }) => [source, market, kind].join('.'));
  for (const group of groups.values()) await importGroup(database, { ...work, group });
}

/** Refuses a length of candles for files without candles. @throws {HistoryError} */
function requireCandles(found: readonly Identified[], { resolution }: ImportOptions): void {
  if (resolution === undefined || found.some(({ kind }) => kind === 'candles')) return;
  const [{ path, kind }] = found as [Identified];
  const is = `its resolution is to be "${resolution}" and it holds ${kind}`;
  throw new HistoryError(`Cannot import ${path}: ${is}, candles are wanted`);
}

interface GroupToImport extends Import {
  readonly group: readonly Identified[];
}

/** Imports files of one market and kind: candles of different lengths one length at a time. */
async function importGroup(
  database: Database,
  { group: files, options, workFolder, results, imported }: GroupToImport,
): Promise<void> {
  const { kind, market, source } = files[0]!;
  await createStaging(database, kind);
  const key = { kind, market, source };
  if (files.every(({ recognised }) => recognised === undefined)) {
    const staged = { group: files, key, options, workFolder, imported };
    results.push(await locked(staged, () => importRaw(database, staged)));
    return;
  }
  const group = await stage(database, files);
  const staged = { group, key, options, workFolder, imported };
  if (kind !== 'candles') {
    results.push(await locked(staged, () => importStaged(database, staged)));
    return;
  }
  const steps: number[] = [];
  for (const file of group.keys()) {
    const stepMs = await stepOf(database, { group, file, options });
    if (group[file]!.recognised?.isStampedAtEnd) {
      await database.run(`UPDATE ${STAGED} SET time = time - ${stepMs} WHERE file = ${file}`);
    }
    steps.push(stepMs);
  }
  await database.run(`ALTER TABLE ${STAGED} RENAME TO every`);
  for (const stepMs of new Set(steps)) {
    const part = steps.flatMap((step, file) => (step === stepMs ? [file] : []));
    await database.run(`CREATE OR REPLACE TABLE ${STAGED} AS
      SELECT * REPLACE (list_position([${part.join(', ')}], file) - 1 AS file) FROM every
      WHERE file IN (${part.join(', ')})`);
    const resolution = resolutionName(stepMs);
    const ofLength = { group: part.map((file) => group[file]!), key: { ...key, resolution } };
    const candles = { ...staged, ...ofLength, stepMs };
    results.push(await locked(candles, () => importStaged(database, candles)));
  }
  await database.run('DROP TABLE every');
}

interface Locked {
  readonly options: ImportOptions;
  readonly key: DatasetKey;
}

/** Does work on a dataset that nobody else changes meanwhile. */
async function locked<T>({ options, key }: Locked, work: () => Promise<T>): Promise<T> {
  const lock = lockDataset(options.root, { id: datasetId(key), work: 'imports into' });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Stages files; returns them with notes about their rows. */
async function stage(database: Database, group: readonly Identified[]): Promise<Identified[]> {
  const staged: Identified[] = [];
  for (const [file, identified] of group.entries()) {
    const { path, table, recognised } = identified;
    await explained(path, async () => {
      if (table === undefined || recognised === undefined) {
        throw new TypeError(
          'it is a recording and others are tables, one form at a time is wanted',
        );
      }
      const odd = await stageTable(database, { table, recognised, file });
      staged.push({ ...identified, odd });
    });
  }
  return staged;
}

interface CandleFile {
  readonly group: readonly Identified[];
  readonly file: number;
  readonly options: ImportOptions;
}

function stepOf(database: Database, { group, file, options }: CandleFile): Promise<number> {
  const { path, table, recognised, source } = group[file]!;
  return explained(path, async () => {
    const rows = { table: table!, recognised, file };
    if (options.resolution === undefined) {
      const named = namedStep(path, source);
      return candleStep(database, { ...rows, named });
    }
    const stepMs = resolutionMs(options.resolution);
    if (stepMs === undefined) {
      throw new TypeError(
        `its resolution is to be "${options.resolution}", one such as 1min is wanted`,
      );
    }
    await refuseMixed(database, { ...rows, stepMs, by: 'user' });
    return stepMs;
  });
}
