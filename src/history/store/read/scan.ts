import type { DuckDBResult } from '@duckdb/node-api';
import { counted } from '../../../kernel/index.ts';
import { HistoryError } from '../../errors.ts';
import { type Dataset, rowsOf } from '../catalogue.ts';
import { type Database, openDatabase } from '../database.ts';
import { COLUMNS, type ColumnOf, type DatasetKind, OPTIONAL_COLUMNS } from '../kinds.ts';
import type { Part } from '../manifest.ts';
import { identifier } from '../sql.ts';
import { doublesOf } from '../vectors.ts';

/** Rows of a chunk: enough that the costs of a chunk do not count, some megabytes at most. */
const CHUNK_ROWS = 65_536;

/** Columns of numbers: all of a kind's but `id`. */
export type NumberColumn<K extends DatasetKind> = Exclude<ColumnOf<K>, 'id'>;

/** Some rows of a dataset, a typed array a column; all of the same length. */
export type Chunk<K extends DatasetKind> = { readonly [column in NumberColumn<K>]: Float64Array };

/** Which rows to scan. */
export interface ScanOptions {
  /** First time, milliseconds since the epoch, included. Default: the dataset's first. */
  readonly from?: number | undefined;
  /** End, milliseconds since the epoch, not included. Default: after the dataset's last. */
  readonly to?: number | undefined;
}

export type DatasetOf<K extends DatasetKind> = Dataset & { readonly kind: K };

/**
 * The rows of a dataset in their order, in chunks of typed arrays. Two chunks are in memory,
 * however long the dataset is: a chunk's arrays are used again, and are valid until the next is
 * asked for.
 *
 * Unknown values (`received`) are NaN. Candles come as they are stored, faults included.
 *
 * @throws what the database throws, and {HistoryError} where it could not read all rows.
 */
export async function* openScan<K extends DatasetKind>(
  dataset: DatasetOf<K>,
  { from = -Infinity, to = Infinity }: ScanOptions = {},
): AsyncGenerator<Chunk<K>> {
  const parts = dataset.parts.filter(
    ({ firstTime, lastTime }) => lastTime >= from && firstTime < to,
  );
  if (parts.length === 0) return;
  const names = COLUMNS[dataset.kind].filter((name) => name !== 'id');
  const where = isWithin({ from, to });
  const rowsIn = (some: readonly Part[]): string => `FROM ${rowsOf(dataset, some)} WHERE ${where}`;
  const database = await openDatabase();
  try {
    const cells = names.map(numbersOf).join(', ');
    const result = await database.connection.stream(`SELECT ${cells} ${rowsIn(parts)}`);
    let rows = 0;
    for await (const columns of chunksOf(result, names.length)) {
      rows += columns[0]!.length;
      const entries = names.map((name, at) => [name, columns[at]!] as const);
      yield Object.fromEntries(entries) as unknown as Chunk<K>;
    }
    const isCut = ({ firstTime, lastTime }: Part): boolean => firstTime < from || lastTime >= to;
    const cut = parts.filter(isCut);
    const whole = parts.filter((part) => !isCut(part));
    await requireAll(database, { id: dataset.id, names, rows, whole, cut, rowsIn });
  } finally {
    database.close();
  }
}

/** The condition for rows of a period. */
export function isWithin({ from = -Infinity, to = Infinity }: ScanOptions): string {
  const bounds = [
    ...(Number.isFinite(from) ? [`time >= ${from}`] : []),
    ...(Number.isFinite(to) ? [`time < ${to}`] : []),
  ];
  return bounds.join(' AND ') || 'true';
}

interface Read {
  readonly id: string;
  readonly names: readonly string[];
  /** Rows that were read. */
  readonly rows: number;
  /** The files whose rows were all wanted, and those of which a part was. */
  readonly whole: readonly Part[];
  readonly cut: readonly Part[];
  /** SQL for the wanted rows of some files: `FROM ... WHERE ...`. */
  readonly rowsIn: (parts: readonly Part[]) => string;
}

/**
 * Checks that all rows came: a failure in the middle of a stream, such as a file that is gone by
 * then, ends it without an error. Then a plain query is run, whose error tells what is wrong.
 *
 * @throws where not all rows came.
 */
async function requireAll(database: Database, read: Read): Promise<void> {
  const { id, names, rows, whole, cut, rowsIn } = read;
  let wanted = whole.reduce((sum, part) => sum + part.rows, 0);
  if (cut.length > 0) {
    const { count } = await database.row(`SELECT count(*) AS count ${rowsIn(cut)}`);
    wanted += Number(count);
  }
  if (rows === wanted) return;
  const most = names.map((name) => `max(${identifier(name)})`).join(', ');
  await database.rows(`SELECT ${most} ${rowsIn([...whole, ...cut])}`);
  throw new HistoryError(`Cannot read ${id}: ${rows} of ${counted(wanted, 'row')} came`);
}

/** The columns of an answer, whose small chunks are gathered into larger ones. */
async function* chunksOf(result: DuckDBResult, width: number): AsyncGenerator<Float64Array[]> {
  const columns = Array.from({ length: width }, () => new Float64Array(CHUNK_ROWS));
  let rows = 0;
  for await (const chunk of result) {
    if (rows + chunk.rowCount > CHUNK_ROWS) {
      yield columns.map((column) => column.subarray(0, rows));
      rows = 0;
    }
    for (const [at, column] of columns.entries()) column.set(doublesOf(chunk, at), rows);
    rows += chunk.rowCount;
  }
  if (rows > 0) yield columns.map((column) => column.subarray(0, rows));
}

function numbersOf(name: string): string {
  const column = identifier(name);
  return OPTIONAL_COLUMNS.includes(name)
    ? `coalesce(${column}, 'nan'::DOUBLE) AS ${column}`
    : column;
}
