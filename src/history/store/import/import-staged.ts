import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { formatDuration, messageOf } from '../../../kernel/index.ts';
import { HistoryError } from '../../errors.ts';
import { amountUnitNote } from '../../formats/amount-unit.ts';
import { namedStep } from '../../formats/named-step.ts';
import { type Dataset, type DatasetKey, datasetId, openDataset } from '../catalogue.ts';
import { besideKnown } from '../commit/beside-known.ts';
import { commit, type Joint, type OverlapRule } from '../commit/commit.ts';
import type { Database } from '../database.ts';
import type { Interruptible } from '../interruption.ts';
import { COLUMNS } from '../kinds.ts';
import type { BookMark, ImportedSource } from '../manifest.ts';
import { remarkTexts } from '../remark.ts';
import { resolutionName } from '../resolution.ts';
import { identifiers } from '../sql.ts';
import { describeStaged, inferSides, STAGED } from '../staging/staging.ts';
import { farPrices } from './far-prices.ts';
import type { Identified } from './identify.ts';
import type { ImportOptions } from './import-files.ts';
import { importFindings } from './import-findings.ts';
import { gapsOfRows } from './rows-gaps.ts';

/** A dataset that files were imported into. */
export interface ImportResult {
  readonly dataset: Dataset;
  /** What this import added, a file each. */
  readonly sources: readonly ImportedSource[];
  /** The number of new rows; undefined unless they joined those of a dataset by `append`. */
  readonly added: number | undefined;
  /** What could not be kept and why, and what may be wrong with the rows: whole sentences. */
  readonly warnings: readonly string[];
}

/** Files of one market and kind, and where their dataset is. */
export interface StagedGroup {
  readonly group: readonly Identified[];
  readonly key: DatasetKey;
  readonly stepMs?: number;
  readonly options: ImportOptions;
  readonly workFolder: string;
  /** The ids of datasets whose import is done; that of this one is added then. */
  readonly imported: string[];
  /** Where raw recordings join the dataset. */
  readonly joint?: Joint;
  /** The book that each raw recording ends with. */
  readonly books?: readonly (BookMark | undefined)[];
  /** Whether each raw recording arrived after the one before, though some stamps may be earlier. */
  readonly areBehind?: readonly boolean[];
}

/** Makes the staged rows of files part of a dataset, which is locked. */
export async function importStaged(
  database: Database,
  { group, key, stepMs, options, workFolder, imported, joint, books, areBehind }: StagedGroup,
): Promise<ImportResult> {
  const { root, overlap = 'refuse', mix } = options;
  const described: ImportedSource[] = [];
  for (const [file, identified] of group.entries()) {
    const source = await describeSource(database, { file, identified, options, key });
    const book = books?.[file];
    described.push(book === undefined ? source : { ...source, book });
  }
  // Raw recordings were put in order before they were read.
  const sources = joint === undefined ? await putInOrder(database, described) : described;
  const before = openDataset(root, datasetId(key));
  const known = overlap === 'append' ? before : undefined;
  const behind = new Set(sources.filter((_, file) => areBehind?.[file]));
  refuseOverlaps(sources, { key, known, behind });
  refuseKnown(before, { sources, overlap });
  // To be compared before the dataset has the new rows.
  const replaces = overlap === 'replace';
  const apart =
    before === undefined ? [] : await farPrices(database, { key, sources, before, replaces });
  // Gaps of raw recordings were found as they were read.
  const gaps =
    key.kind === 'depth' && joint === undefined
      ? await gapsOfRows(database, { sources, before, isAppended: overlap === 'append' })
      : [];
  const { kind } = key;
  const beside = known && (await besideKnown(database, { before: known, kind, sources }));
  const change = { root, workFolder, key, stepMs, sources, overlap, mix, joint, gaps, beside };
  const dataset = await commit(database, { ...change, action: 'import' });
  imported.push(dataset.id);
  // Which rows are added to a dataset that keeps its own.
  const kept = beside === undefined ? 'true' : `(${beside.ahead} OR ${beside.behind})`;
  const { called } = options;
  const name = called ?? dataset.id;
  const joined = { key, name, stepMs, sources, before, dataset, kept };
  const found = joint === undefined ? await importFindings(database, joined) : [];
  const isAdded = before !== undefined && overlap === 'append';
  const added = isAdded ? dataset.rows - before.rows : undefined;
  return {
    dataset,
    sources,
    added,
    warnings: [
      ...unitNotes(group, name),
      ...notesOf(group),
      ...misnamed(group, stepMs),
      ...apart,
      ...remarkTexts(found, { called }),
    ],
  };
}

/** Notes about amounts that are not in the base currency. */
function unitNotes(group: readonly Identified[], name: string): string[] {
  const units = new Set(group.flatMap(({ recognised }) => recognised?.amountUnit ?? []));
  return [...units].map((unit) => amountUnitNote(name, unit));
}

/** Notes of formats, each once, and about strange markets, texts that may be cut, and odd rows. */
function notesOf(group: readonly Identified[]): string[] {
  return [
    ...new Set(group.flatMap(({ recognised }) => recognised?.note ?? [])),
    ...group.flatMap(({ strange }) => strange ?? []),
    ...group.flatMap(({ unended }) => unended ?? []),
    ...group.flatMap(({ odd = [] }) => odd),
  ];
}

/** Notes about files that are named after another length than their candles have. */
function misnamed(group: readonly Identified[], stepMs: number | undefined): string[] {
  if (stepMs === undefined) return [];
  return group.flatMap(({ path, source }) => {
    const named = namedStep(path, source);
    if (named === undefined || named === stepMs) return [];
    const name = resolutionName(named);
    return [
      `${basename(path)} is named after ${name}, its rows are ${formatDuration(stepMs)} apart`,
    ];
  });
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
    // Depth is in the order of its updates, whatever their stamps say.
    const isInOrder = key.kind === 'depth';
    const staged = await describeStaged(database, { file, isInOrder });
    const toldSides = key.kind === 'trades' && (await inferSides(database, file));
    const dropped =
      options.dropDuplicates === true && key.kind !== 'depth'
        ? await drop(database, { file, key })
        : 0;
    const sha256 = await hashOf(path, options);
    const rows = staged.rows - dropped;
    const facts = {
      name: basename(path),
      sha256,
      format,
      origin,
      ...amountsOf(identified, options),
      ...(toldSides ? { toldSides } : {}),
    };
    return { ...facts, ...staged, rows, dropped };
  });
}

/**
 * The unit of a file's amounts if not the base currency, and its contract size if one was given.
 */
function amountsOf({ recognised }: Identified, { contractSize, mapping }: ImportOptions) {
  const { amountUnit } = recognised ?? {};
  const size = contractSize ?? mapping?.contractSize;
  return {
    ...(amountUnit === undefined ? {} : { amountUnit }),
    ...(size === undefined ? {} : { contractSize: size }),
  };
}

/** Drops rows that are equal to an earlier one; returns how many. */
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

async function hashOf(path: string, { signal }: Interruptible): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Uint8Array);
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

/** Numbers staged files anew in the order of their time, which orders the rows of depth as well. */
async function putInOrder(
  database: Database,
  described: readonly ImportedSource[],
): Promise<readonly ImportedSource[]> {
  const sources = described.toSorted(byTime);
  const files = sources.map((source) => described.indexOf(source));
  if (files.some((file, at) => file !== at)) {
    await database.run(
      `UPDATE ${STAGED} SET file = list_position([${files.join(', ')}], file) - 1`,
    );
  }
  return sources;
}

function byTime(a: ImportedSource, b: ImportedSource): number {
  return a.firstTime - b.firstTime || a.lastTime - b.lastTime;
}

interface Kept {
  readonly key: DatasetKey;
  /** The dataset that rows are appended to: rows of its time are not kept. */
  readonly known: Dataset | undefined;
  /** Files that arrived after the one before, whatever their stamps say. */
  readonly behind: ReadonlySet<ImportedSource>;
}

/**
 * Refuses files of one import that overlap in rows to be kept: nothing says which of them is right.
 *
 * @throws {HistoryError} naming the later file.
 */
function refuseOverlaps(sources: readonly ImportedSource[], { key, known, behind }: Kept): void {
  // Messages of one instant may stand in two files; two candles of one time are one too many.
  const isPast = (time: number, end: number): boolean =>
    key.kind === 'candles' ? time <= end : time < end;
  const isKnown = (time: number): boolean =>
    known !== undefined && known.firstTime <= time && time <= known.lastTime;
  let latest: ImportedSource | undefined;
  for (const source of sources.toSorted(byTime)) {
    const { name, firstTime, lastTime } = source;
    const isOver =
      latest !== undefined && !behind.has(source) && isPast(firstTime, latest.lastTime);
    if (isOver && !(isKnown(firstTime) && isKnown(Math.min(lastTime, latest!.lastTime)))) {
      if (source.sha256 === latest!.sha256) {
        const is = `it holds the same as ${latest!.name}`;
        throw new HistoryError(`Cannot import ${name}: ${is}, one of them is wanted`);
      }
      const what = `it begins at ${new Date(firstTime).toISOString()}, within ${latest!.name}`;
      throw new HistoryError(
        `Cannot import ${name}: ${what}; one at a time with --append or --replace is wanted`,
      );
    }
    if (latest === undefined || lastTime > latest.lastTime) latest = source;
  }
}

/** Does work on a file; errors get the file's name. */
export async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof HistoryError) throw thrown;
    throw new HistoryError(`Cannot import ${basename(path)}: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}
