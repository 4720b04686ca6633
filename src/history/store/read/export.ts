import { existsSync, renameSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { DepthColumns } from '../../../domain/index.ts';
import { DAY_MS } from '../../../kernel/index.ts';
import { HistoryError } from '../../errors.ts';
import { type Dataset, partFiles, rowsOf } from '../catalogue.ts';
import { type Database, withDatabase } from '../database.ts';
import { type Interruptible, interruptionOr } from '../interruption.ts';
import { COLUMNS } from '../kinds.ts';
import { remarkTexts } from '../remark.ts';
import { identifier, literal, parquet } from '../sql.ts';
import { withWorkFolder } from '../work-folder.ts';
import { openingBook } from './opening-book.ts';
import { type DatasetOf, isWithin, type ScanOptions } from './scan.ts';
import { unknownBeginning, unknownBook } from './unknown-beginning.ts';
import { writeColumns } from './write-columns.ts';

/** The forms of an exported file. */
export const EXPORT_FORMATS = ['csv', 'json', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const COPY_OPTIONS: { readonly [format in ExportFormat]: string } = {
  csv: 'FORMAT csv, HEADER',
  json: 'FORMAT json, ARRAY true',
  parquet: 'FORMAT parquet, COMPRESSION zstd',
};

/** The file and the rows of an export. */
export interface ExportOptions extends ScanOptions, Interruptible {
  readonly file: string;
  /** Default: by the file's ending. */
  readonly format?: ExportFormat | undefined;
  /** Write over a file that is there. Default: false. */
  readonly force?: boolean | undefined;
}

/** What an export wrote. */
export interface Exported {
  readonly rows: number;
  /**
   * How many of them, at the beginning, are the book as it stood when the period began; depth only.
   */
  readonly openingRows: number;
  /** What a reader of the file should know: whole sentences. */
  readonly warnings: readonly string[];
}

/**
 * Writes a dataset to one file, wholly or not at all.
 *
 * Depth from the middle of the dataset begins with the whole book as it stood then, if it is known,
 * so that a backtest of the file, imported again, equals one of the dataset.
 *
 * @throws {HistoryError} when the file is there already, its ending tells no format, or the dataset
 * has no row of that time.
 */
export async function exportDataset(dataset: Dataset, options: ExportOptions): Promise<Exported> {
  const { file, force = false, signal } = options;
  const format = options.format ?? formatOf(dataset, file);
  if (existsSync(file) && !force) throw unwritten(dataset, `${file} is there, --force is wanted`);
  const folder = dirname(file);
  if (!existsSync(folder)) throw unwritten(dataset, `there is no folder ${folder}, one is wanted`);
  try {
    return await withWorkFolder(folder, async (workFolder) => {
      const draft = join(workFolder, 'rows');
      const exported = await withDatabase(
        (database) => copy(database, { dataset, options, format, draft, workFolder }),
        { signal },
      );
      renameSync(draft, file);
      return exported;
    });
  } catch (thrown) {
    throw interruptionOr(thrown, { signal, left: 'nothing was exported' });
  }
}

interface Copy {
  readonly dataset: Dataset;
  readonly options: ExportOptions;
  readonly format: ExportFormat;
  readonly draft: string;
  readonly workFolder: string;
}

async function copy(
  database: Database,
  { dataset, options, format, draft, workFolder }: Copy,
): Promise<Exported> {
  const where = isWithin(options);
  const { count, whole } = await database.row(
    `SELECT count(*) AS count, bool_and(time = floor(time)) AS whole
    FROM ${rowsOf(dataset)} WHERE ${where}`,
  );
  if (Number(count) === 0) {
    const { from = 0, to = Number.POSITIVE_INFINITY } = options;
    const backwards = 'the end is not after the beginning, a later one is wanted';
    if (to <= from) throw unwritten(dataset, backwards);
    const { firstTime, lastTime } = dataset;
    const [first, last] = [firstTime, lastTime].map((time) => new Date(time).toISOString());
    throw unwritten(dataset, `it has no row of that time, one from ${first} to ${last} is wanted`);
  }
  const opening = await openingFile(database, { dataset, options, where, workFolder });
  // A union keeps no order, a list of files does.
  const files = [...(opening === undefined ? [] : [opening.file]), ...partFiles(dataset)];
  const columns = COLUMNS[dataset.kind].map((name) => cellOf(name, whole === true));
  await database.run(
    `COPY (SELECT ${columns.join(', ')} FROM ${parquet(files)} WHERE ${where})
    TO ${literal(draft)} (${COPY_OPTIONS[format]})`,
  );
  const openingRows = opening?.rows ?? 0;
  const unknown =
    dataset.kind === 'depth' ? await unknownBeginning(database, { files, where }) : undefined;
  return {
    rows: Number(count) + openingRows,
    openingRows,
    warnings: unknown === undefined ? [] : remarkTexts([unknownBook(dataset.id, unknown)]),
  };
}

interface OpeningToWrite extends Pick<Copy, 'dataset' | 'options' | 'workFolder'> {
  /** The condition for the rows that follow the book. */
  readonly where: string;
}

/** Writes the book as it stands when a period begins; undefined where none is wanted or known. */
async function openingFile(
  database: Database,
  { dataset, options: { from, signal }, where, workFolder }: OpeningToWrite,
): Promise<{ readonly file: string; readonly rows: number } | undefined> {
  if (!isDepth(dataset) || from === undefined || from <= dataset.firstTime) return undefined;
  const book = await openingBook(dataset, from);
  signal?.throwIfAborted();
  if (book === undefined) return undefined;
  const next = await database.row(`SELECT coalesce(if(isnan(received), NULL, received), time)
      AS stamp FROM ${rowsOf(dataset)} WHERE ${where} LIMIT 1`);
  const received = receivedAhead(book, Number(next.stamp));
  const file = join(workFolder, 'opening.parquet');
  await writeColumns(file, [{ ...book, received }]);
  return { file, rows: book.time.length };
}

/**
 * The arrivals of a book ahead of a row: not of a later day, or an import puts it behind the row.
 */
function receivedAhead({ time, received }: DepthColumns, nextStamp: number): Float64Array {
  const stamp = Number.isNaN(received[0]) ? time[0]! : received[0]!;
  const isOfLaterDay = Math.floor(stamp / DAY_MS) > Math.floor(nextStamp / DAY_MS);
  return isOfLaterDay ? new Float64Array(received.length).fill(nextStamp) : received;
}

function isDepth(dataset: Dataset): dataset is DatasetOf<'depth'> {
  return dataset.kind === 'depth';
}

/** Sides, events, numbers of updates, and times without a fraction become whole numbers. */
function cellOf(name: string, isWhole: boolean): string {
  const column = identifier(name);
  if (name === 'received') return `if(isnan(${column}), NULL, ${column}) AS ${column}`;
  const isInteger = ['side', 'event', 'update'].includes(name) || (name === 'time' && isWhole);
  return isInteger ? `${column}::BIGINT AS ${column}` : column;
}

function formatOf(dataset: Dataset, file: string): ExportFormat {
  const ending = extname(file).slice(1).toLowerCase();
  const format = EXPORT_FORMATS.find((known) => known === ending);
  if (format !== undefined) return format;
  throw unwritten(dataset, `${file} ends in no known form, ${EXPORT_FORMATS.join(', ')} is wanted`);
}

function unwritten({ id }: Dataset, what: string): HistoryError {
  return new HistoryError(`Cannot export ${id}: ${what}`);
}
