import { existsSync, renameSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { HistoryError } from '../errors.ts';
import { type Dataset, partFiles } from './catalogue.ts';
import { type Database, withDatabase } from './database.ts';
import { type Interruptible, interruptionOr } from './interruption.ts';
import { COLUMNS } from './kinds.ts';
import type { ScanOptions } from './scan.ts';
import { identifier, literal, parquet } from './sql.ts';
import { withWorkFolder } from './work-folder.ts';

/** The forms of an exported file. */
export const EXPORT_FORMATS = ['csv', 'json', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const COPY_OPTIONS: { readonly [format in ExportFormat]: string } = {
  csv: 'FORMAT csv, HEADER',
  json: 'FORMAT json, ARRAY true',
  parquet: 'FORMAT parquet, COMPRESSION zstd',
};

/** Where an export goes, and what of it. */
export interface ExportOptions extends ScanOptions, Interruptible {
  readonly file: string;
  /** Default: by the file's ending. */
  readonly format?: ExportFormat | undefined;
  /** Write over a file that is there. Default: false. */
  readonly force?: boolean | undefined;
}

/**
 * Writes a dataset to one file, wholly or not at all; answers with how many rows it has.
 *
 * @throws {HistoryError} when the file is there already, its ending tells no format, or the dataset
 * has no row of that time.
 */
export async function exportDataset(dataset: Dataset, options: ExportOptions): Promise<number> {
  const { file, force = false, signal } = options;
  const format = options.format ?? formatOf(dataset, file);
  if (existsSync(file) && !force) throw unwritten(dataset, `${file} is there, --force is wanted`);
  const folder = dirname(file);
  if (!existsSync(folder)) throw unwritten(dataset, `there is no folder ${folder}, one is wanted`);
  try {
    return await withWorkFolder(folder, async (workFolder) => {
      const draft = join(workFolder, 'rows');
      const rows = await withDatabase(
        (database) => copy(database, { dataset, options, format, draft }),
        { signal },
      );
      renameSync(draft, file);
      return rows;
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
}

async function copy(
  database: Database,
  { dataset, options, format, draft }: Copy,
): Promise<number> {
  const { from, to } = options;
  const within = [
    ...(from === undefined ? [] : [`time >= ${from}`]),
    ...(to === undefined ? [] : [`time < ${to}`]),
  ];
  const rows = `${parquet(partFiles(dataset))} WHERE ${within.join(' AND ') || 'true'}`;
  const { count, whole } = await database.row(
    `SELECT count(*) AS count, bool_and(time = floor(time)) AS whole FROM ${rows}`,
  );
  if (Number(count) === 0) {
    const { firstTime, lastTime } = dataset;
    const [first, last] = [firstTime, lastTime].map((time) => new Date(time).toISOString());
    throw unwritten(dataset, `it has no row of that time, one from ${first} to ${last} is wanted`);
  }
  const columns = COLUMNS[dataset.kind].map((name) => cellOf(name, whole === true));
  const options_ = COPY_OPTIONS[format];
  await database.run(
    `COPY (SELECT ${columns.join(', ')} FROM ${rows}) TO ${literal(draft)} (${options_})`,
  );
  return Number(count);
}

/** Stamps without a fraction, sides and numbers of updates as whole numbers. */
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
