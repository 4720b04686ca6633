import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { messageOf } from '../../kernel/index.ts';
import { HistoryError } from '../errors.ts';
import type { Mapping } from '../formats/mapping.ts';
import { candleStep, refuseMixed } from './candle-step.ts';
import { type Dataset, type DatasetKey, datasetId, openDataset } from './catalogue.ts';
import { commit, type OverlapRule } from './commit.ts';
import { type Database, withDatabase } from './database.ts';
import { type Identified, identify } from './identify.ts';
import { COLUMNS } from './kinds.ts';
import { lockDataset } from './lock.ts';
import type { ImportedSource } from './manifest.ts';
import { resolutionMs, resolutionName } from './resolution.ts';
import { identifiers } from './sql.ts';
import { stageRaw } from './stage-raw.ts';
import { createStaging, describeStaged, STAGED, stageTable } from './staging.ts';
import { withWorkFolder } from './work-folder.ts';

/** What to import, and how. */
export interface ImportOptions {
  /** The folder of all datasets; made where there is none. */
  readonly root: string;
  readonly files: readonly string[];
  /** The market, such as `btc_usdt`. Default: by the symbol in the file, else by its name. */
  readonly market?: string | undefined;
  /** Who published the data. Default: by the format, else `local`. */
  readonly source?: string | undefined;
  /** Length of the candles, such as `1min`. Default: by their times. */
  readonly resolution?: string | undefined;
  readonly mapping?: Mapping | undefined;
  /** What becomes of a span that is there already. Default: `refuse`. */
  readonly overlap?: OverlapRule | undefined;
  /** Let rows join those of another origin. Default: false. */
  readonly mix?: boolean | undefined;
  /** Leave out rows that are equal to another in every column. Default: false. */
  readonly dropDuplicates?: boolean | undefined;
}

/** A dataset that files were imported into. */
export interface ImportResult {
  readonly dataset: Dataset;
  /** What this import added, a file each. */
  readonly sources: readonly ImportedSource[];
}

/**
 * Imports files. Those of one market and kind become one dataset; a dataset changes wholly or not
 * at all, and none does before every file is recognised.
 *
 * @throws {HistoryError} naming the file, when one can't be read or imported.
 */
export function importFiles(options: ImportOptions): Promise<ImportResult[]> {
  return withWorkFolder(options.root, (workFolder) =>
    withDatabase((database) => importAll(database, { options, workFolder }), {
      spillFolder: workFolder,
    }),
  );
}

interface Import {
  readonly options: ImportOptions;
  readonly workFolder: string;
}

async function importAll(
  database: Database,
  { options, workFolder }: Import,
): Promise<ImportResult[]> {
  const found: Identified[] = [];
  for (const file of options.files) {
    found.push(await identify(database, { file, options, workFolder }));
  }
  const groups = Map.groupBy(found, ({ source, market, kind }) => [source, market, kind].join('.'));
  const results: ImportResult[] = [];
  for (const group of groups.values()) {
    results.push(...(await importGroup(database, { group, options, workFolder })));
  }
  return results;
}

interface GroupToImport extends Import {
  readonly group: readonly Identified[];
}

/** Imports files of one market and kind: candles of different lengths one length at a time. */
async function importGroup(
  database: Database,
  { group, options, workFolder }: GroupToImport,
): Promise<ImportResult[]> {
  const { kind, market, source } = group[0]!;
  await createStaging(database, kind);
  await stage(database, group);
  if (kind !== 'candles') {
    const key = { kind, market, source };
    return [await importStaged(database, { group, key, options, workFolder })];
  }
  const steps: number[] = [];
  for (const file of group.keys()) steps.push(await stepOf(database, { group, file, options }));
  const results: ImportResult[] = [];
  await database.run(`ALTER TABLE ${STAGED} RENAME TO every`);
  for (const stepMs of new Set(steps)) {
    const files = steps.flatMap((step, file) => (step === stepMs ? [file] : []));
    await database.run(`CREATE OR REPLACE TABLE ${STAGED} AS
      SELECT * REPLACE (list_position([${files.join(', ')}], file) - 1 AS file) FROM every
      WHERE file IN (${files.join(', ')})`);
    const key = { kind, market, source, resolution: resolutionName(stepMs) };
    const part = files.map((file) => group[file]!);
    const staged = { group: part, key, stepMs, options, workFolder };
    results.push(await importStaged(database, staged));
  }
  await database.run('DROP TABLE every');
  return results;
}

async function stage(database: Database, group: readonly Identified[]): Promise<void> {
  const tables = group.filter(({ recognised }) => recognised !== undefined);
  if (tables.length === 0) {
    return stageRaw(
      database,
      group.map(({ path }) => path),
    );
  }
  for (const [file, { path, table, recognised }] of group.entries()) {
    await explained(path, async () => {
      if (table === undefined || recognised === undefined) {
        throw new TypeError(
          'it is a recording and others are tables, one form at a time is wanted',
        );
      }
      await stageTable(database, { table, recognised, file });
    });
  }
}

interface CandleFile {
  readonly group: readonly Identified[];
  readonly file: number;
  readonly options: ImportOptions;
}

function stepOf(database: Database, { group, file, options }: CandleFile): Promise<number> {
  return explained(group[file]!.path, async () => {
    if (options.resolution === undefined) return candleStep(database, file);
    const stepMs = resolutionMs(options.resolution);
    if (stepMs === undefined) {
      throw new TypeError(
        `its resolution is to be "${options.resolution}", one such as 1min is wanted`,
      );
    }
    await refuseMixed(database, { file, stepMs });
    return stepMs;
  });
}

interface StagedGroup extends GroupToImport {
  readonly key: DatasetKey;
  readonly stepMs?: number;
}

async function importStaged(
  database: Database,
  { group, key, stepMs, options, workFolder }: StagedGroup,
): Promise<ImportResult> {
  const { root, overlap = 'refuse', mix } = options;
  const sources: ImportedSource[] = [];
  for (const [file, identified] of group.entries()) {
    sources.push(await describeSource(database, { file, identified, options, key }));
  }
  if (overlap === 'refuse') refuseOverlaps(sources, key);
  const lock = lockDataset(root, { id: datasetId(key), work: 'imports into' });
  try {
    refuseKnown(openDataset(root, datasetId(key)), { sources, overlap });
    const change = { root, workFolder, key, stepMs, sources, overlap, mix };
    return { dataset: await commit(database, { ...change, action: 'import' }), sources };
  } finally {
    lock.release();
  }
}

interface SourceToDescribe {
  readonly file: number;
  readonly identified: Identified;
  readonly options: ImportOptions;
  readonly key: DatasetKey;
}

function describeSource(
  database: Database,
  { file, identified, options, key }: SourceToDescribe,
): Promise<ImportedSource> {
  const { path, format, origin } = identified;
  return explained(path, async () => {
    const staged = await describeStaged(database, file);
    const dropped =
      options.dropDuplicates === true && key.kind !== 'depth'
        ? await drop(database, { file, key })
        : 0;
    const sha256 = await hashOf(path);
    const rows = staged.rows - dropped;
    return { name: basename(path), sha256, format, origin, ...staged, rows, dropped };
  });
}

/** Drops rows that are equal to an earlier one; answers with how many. */
async function drop(
  database: Database,
  { file, key }: { readonly file: number; readonly key: DatasetKey },
): Promise<number> {
  const columns = identifiers(COLUMNS[key.kind]);
  const { count } = await database.row(
    `SELECT count(*) AS count FROM ${STAGED} WHERE file = ${file}`,
  );
  await database.run(`DELETE FROM ${STAGED} WHERE file = ${file} AND row NOT IN
    (SELECT min(row) FROM ${STAGED} WHERE file = ${file} GROUP BY ${columns})`);
  const after = await database.row(`SELECT count(*) AS count FROM ${STAGED} WHERE file = ${file}`);
  return Number(count) - Number(after.count);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

interface Incoming {
  readonly sources: readonly ImportedSource[];
  readonly overlap: OverlapRule;
}

function refuseKnown(before: Dataset | undefined, { sources, overlap }: Incoming): void {
  if (before === undefined || overlap !== 'refuse') return;
  for (const { name, sha256 } of sources) {
    const known = before.sources.find((source) => source.sha256 === sha256);
    if (known === undefined) continue;
    throw new HistoryError(
      `Cannot import ${name}: ${before.id} has it already (as ${known.name}), ` +
        'another file or --replace is wanted',
    );
  }
}

/** Files of one import must not overlap each other: nothing says which of them is right. */
function refuseOverlaps(sources: readonly ImportedSource[], key: DatasetKey): void {
  const sorted = sources.toSorted((a, b) => a.firstTime - b.firstTime);
  // Messages of one instant may stand in two files; two candles of one time are one too many.
  const isPast = (time: number, end: number): boolean =>
    key.kind === 'candles' ? time <= end : time < end;
  for (const [at, { name, firstTime }] of sorted.entries()) {
    const before = sorted[at - 1];
    if (before === undefined || !isPast(firstTime, before.lastTime)) continue;
    const what = `it begins at ${new Date(firstTime).toISOString()}, within ${before.name}`;
    throw new HistoryError(
      `Cannot import ${name}: ${what}; one at a time with --append or --replace is wanted`,
    );
  }
}

/** Does work on a file; what fails is told with the file's name. */
async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof HistoryError) throw thrown;
    throw new HistoryError(`Cannot import ${basename(path)}: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}
