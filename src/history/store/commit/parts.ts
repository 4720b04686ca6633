import { join } from 'node:path';
import { type Dataset, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { COLUMNS, type DatasetKind, PERIODS } from '../kinds.ts';
import type { Part } from '../manifest.ts';
import { FILE_ORDER, identifiers, inOrder, literal, parquet, type Selection } from '../sql.ts';
import { STAGED } from '../staging/staging.ts';

/** A span of time: its first and its last stamp, milliseconds since the epoch. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Rows of the staging table, or of the dataset as it was, that meet a condition. */
export interface Segment {
  readonly from: 'staged' | 'before';
  readonly where: string;
}

/** A change of a dataset's files. */
export interface Change {
  readonly kind: DatasetKind;
  readonly workFolder: string;
  readonly before: Dataset | undefined;
  /** What the changed files hold, in this order. */
  readonly segments: readonly Segment[];
  readonly span: Span;
  readonly revision: number;
}

/** The files after a change. */
export interface WrittenParts {
  /** All files of the dataset, oldest first. */
  readonly parts: Part[];
  /** Those that are new; they lie in the work folder. */
  readonly written: readonly Part[];
  /** Files that no longer count. */
  readonly replaced: readonly string[];
}

/** Writes the files of the periods that change; the others stay as they are. */
export async function writeParts(database: Database, change: Change): Promise<WrittenParts> {
  const old = change.before?.parts ?? [];
  const { first, last } = change.span;
  const touched = old.filter(({ firstTime, lastTime }) => firstTime <= last && lastTime >= first);
  const all = [...(await stagedPeriods(database, change.kind)), ...touched];
  const periods = new Set(all.map(({ period }) => period));
  const written: Part[] = [];
  for (const period of [...periods].sort()) {
    const part = await writePart(database, { ...change, period });
    if (part !== undefined) written.push(part);
  }
  const kept = old.filter(({ period }) => !periods.has(period));
  const parts = [...kept, ...written].sort(byPeriod);
  const replaced = old.filter((part) => !kept.includes(part)).map(({ file }) => file);
  return { parts, written, replaced };
}

/** Older periods first; files of one period keep their order. */
function byPeriod(a: Part, b: Part): number {
  return a.period === b.period ? 0 : a.period < b.period ? -1 : 1;
}

/**
 * SQL for the time that tells the period of a row, microseconds since the epoch. For depth it is
 * the arrival, so that rows keep their order.
 */
function stampOf(kind: DatasetKind): string {
  const stamp = kind === 'depth' ? 'coalesce(if(isnan(received), NULL, received), time)' : 'time';
  return `(${stamp} * 1000)::BIGINT`;
}

/**
 * The condition for rows of a period. It compares numbers, because all rows are tested for each.
 */
export function isOfPeriod(kind: DatasetKind, period: string): string {
  const { unit, format } = PERIODS[kind];
  const begin = `strptime(${literal(period)}, ${literal(format)})`;
  const stamp = stampOf(kind);
  return `(${stamp} >= epoch_us(${begin}) AND ${stamp} < epoch_us(${begin} + INTERVAL 1 ${unit}))`;
}

/** The periods of the staged rows, and how many rows are of each. */
export async function stagedPeriods(database: Database, kind: DatasetKind) {
  const { unit, format } = PERIODS[kind];
  const begin = `date_trunc(${literal(unit)}, make_timestamp(${stampOf(kind)}))`;
  const rows = await database.rows(`SELECT strftime(begin, ${literal(format)}) AS period, rows
    FROM (SELECT ${begin} AS begin, count(*) AS rows FROM ${STAGED} GROUP BY begin)
    ORDER BY begin`);
  return rows.map(({ period, rows }) => ({ period: String(period), rows: Number(rows) }));
}

async function writePart(
  database: Database,
  { kind, workFolder, before, segments, revision, period }: Change & { readonly period: string },
): Promise<Part | undefined> {
  const old = (before?.parts ?? []).filter((part) => part.period === period);
  const columns = identifiers(COLUMNS[kind]);
  const order = kind === 'depth' ? 'file, row' : 'time, file, row';
  const selections = segments.flatMap(({ from, where }): Selection[] => {
    if (from === 'before') {
      if (old.length === 0) return [];
      return [{ from: `${rowsOf(before!, old)} WHERE ${where}`, order: FILE_ORDER }];
    }
    return [{ from: `${STAGED} WHERE ${where} AND ${isOfPeriod(kind, period)}`, order }];
  });
  return copyPart(database, {
    period,
    file: `${period}.${revision}.parquet`,
    folder: workFolder,
    rows: inOrder(columns, { selections }),
  });
}

/** A file to write. */
export interface NewPart {
  readonly period: string;
  readonly file: string;
  readonly folder: string;
  /** The rows, as SQL. */
  readonly rows: string;
}

/** Writes one file of a dataset; undefined when it would hold no row. */
export async function copyPart(database: Database, part: NewPart): Promise<Part | undefined> {
  const { period, file, folder } = part;
  const path = join(folder, file);
  await database.run(`COPY (${part.rows}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`);
  const row = await database.row(`SELECT count(*) AS rows, min(time) AS first, max(time) AS last
    FROM ${parquet([path])}`);
  const rows = Number(row.rows);
  if (rows === 0) return undefined;
  return { file, period, rows, firstTime: Number(row.first), lastTime: Number(row.last) };
}
