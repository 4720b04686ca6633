import type { Recognised, Table } from '../formats/table.ts';
import { quote } from '../values.ts';
import type { Database } from './database.ts';
import { COLUMNS, type DatasetKind, OPTIONAL_COLUMNS } from './kinds.ts';
import { identifier, identifiers } from './sql.ts';

/** The table in which the rows of files wait until all of them are known to be good. */
export const STAGED = 'staged';

/** Rows of one file in the staging table. */
export interface StagedFile {
  readonly rows: number;
  readonly firstTime: number;
  readonly lastTime: number;
  /** Rows that stand after a later one. */
  readonly outOfOrder: number;
}

/** Makes an empty staging table for a kind: its columns, the file's number and the row's. */
export async function createStaging(database: Database, kind: DatasetKind): Promise<void> {
  const columns = COLUMNS[kind].map((name) => `${identifier(name)} ${typeOf(name)}`);
  await database.run(
    `CREATE OR REPLACE TABLE ${STAGED} (file INTEGER, row BIGINT, ${columns.join(', ')})`,
  );
}

/** The type of a column. */
export function typeOf(column: string): 'VARCHAR' | 'DOUBLE' {
  return column === 'id' ? 'VARCHAR' : 'DOUBLE';
}

/** What one file is staged as. */
export interface TableToStage {
  readonly table: Table;
  readonly recognised: Recognised;
  /** The file's number in the import. */
  readonly file: number;
}

/** What stands for a column that a file does not have; a quote or an index has no volume. */
const ABSENT: Readonly<Record<string, string>> = { volume: '0' };

/** Stages the rows of a table. @throws {TypeError} naming the first row that is broken. */
export async function stageTable(database: Database, staged: TableToStage): Promise<void> {
  const { table, recognised, file } = staged;
  const { kind, columns } = recognised;
  const from = recognised.relation ?? table.relation;
  const cells = COLUMNS[kind].map(
    (name) => `${columns[name] ?? ABSENT[name] ?? 'NULL'} AS ${identifier(name)}`,
  );
  await insert(database, `SELECT ${file}, row_number() OVER (), ${cells.join(', ')} FROM ${from}`);
  await refuseBroken(database, { ...staged, from });
  if (kind === 'trades') await inferSides(database, file);
}

async function insert(database: Database, select: string): Promise<void> {
  try {
    await database.run(`INSERT INTO ${STAGED} ${select}`);
  } catch (thrown) {
    throw new TypeError(wordingOf((thrown as Error).message), { cause: thrown });
  }
}

/** What the database says of JSON and of Parquet that has no end. */
const CUT_OFF = /Malformed JSON .*: unexpected end of data|No magic bytes found|too small to be/;

/** And of Parquet that is broken elsewhere. */
const BROKEN_PARQUET = /TProtocolException|TTransportException|corrupt|decompress/i;

/** And of other JSON that is none. */
const NO_JSON = /Malformed JSON .*at byte (\d+) .*?: ([^.]+)/;

/** The part of the database's message that a reader of the file needs. */
export function wordingOf(message: string): string {
  const [, line] = /CSV Error on Line: (\d+)/.exec(message) ?? [];
  const [, wanted, found] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message) ?? [];
  if (wanted !== undefined) return `line ${line} has ${found} columns, ${wanted} are wanted`;
  if (CUT_OFF.test(message)) return 'it breaks off, a whole file is wanted';
  if (BROKEN_PARQUET.test(message)) return 'it is damaged, a whole file is wanted';
  const [, byte, why] = NO_JSON.exec(message) ?? [];
  if (why !== undefined) return `a row is no JSON (${why} at its byte ${byte}), JSON is wanted`;
  const first = message.split('\n').find((text) => text.trim() !== '') ?? message;
  const plain = first.replace(/^[A-Z][\w ]* Error: /, '');
  return line === undefined ? plain : `line ${line}: ${plain}`;
}

/** Which columns a row must have; a trade's side may be missing and is then inferred. */
function requiredColumns(kind: DatasetKind): string[] {
  return COLUMNS[kind].filter((name) => !OPTIONAL_COLUMNS.includes(name));
}

async function refuseBroken(
  database: Database,
  { table, recognised, file, from }: TableToStage & { readonly from: string },
): Promise<void> {
  const { kind, columns } = recognised;
  const required = requiredColumns(kind).filter((name) => columns[name] !== undefined);
  const broken = required.map(
    (name) => `${identifier(name)} IS NULL OR isnan(${identifier(name)})
    OR isinf(${identifier(name)})`,
  );
  const [row] = await database.rows(`SELECT row, ${identifiers(required)} FROM ${STAGED}
    WHERE file = ${file} AND (${broken.join(' OR ')}) ORDER BY row LIMIT 1`);
  if (row === undefined) return;
  const name = required.find((column) => !Number.isFinite(row[column])) ?? 'row';
  const source = await database.row(`SELECT * FROM
    (SELECT row_number() OVER () AS row, * FROM ${from}) WHERE row = ${row.row}`);
  const cells = columns[name]!.match(/\bc\d+\b/g) ?? [];
  const seen = cells.map((cell) => quote(String(source[cell]))).join(' and ');
  const heading = table.headings?.[Number(cells[0]?.slice(1))];
  const where = heading === undefined ? '' : ` (column ${heading})`;
  throw new TypeError(
    `row ${row.row}: the ${name}${where} is ${seen}, ${WANTED[name] ?? 'a number'} is wanted`,
  );
}

const WANTED: Readonly<Record<string, string>> = {
  time: 'a stamp since the epoch or a date such as 2024-01-31 (a mapping reads other forms)',
  side: 'buy or sell',
  event: 'true or false',
};

/**
 * Sides that a file does not tell, by the tick rule (Lee and Ready, 1991): up is a buy, down a
 * sell, unchanged as the trade before. It errs on about a fifth of real trades.
 */
async function inferSides(database: Database, file: number): Promise<void> {
  const { missing } = await database.row(`SELECT count(*) AS missing FROM ${STAGED}
    WHERE file = ${file} AND side IS NULL`);
  if (Number(missing) === 0) return;
  await database.run(`UPDATE ${STAGED} SET side = coalesce(${STAGED}.side, ticks.side) FROM (
      SELECT row, coalesce(last_value(tick IGNORE NULLS) OVER (ORDER BY row), 1) AS side FROM (
        SELECT row, nullif(sign(price - lag(price) OVER (ORDER BY row)), 0) AS tick
        FROM ${STAGED} WHERE file = ${file}))
    AS ticks WHERE ${STAGED}.file = ${file} AND ${STAGED}.row = ticks.row`);
}

/** A file of the staging table. */
export interface FileToDescribe {
  readonly file: number;
  /** Rows that came one by one are in order, whatever their stamps say. Default: false. */
  readonly isInOrder?: boolean;
}

/** What the staging table holds of a file. @throws {TypeError} when that is nothing. */
export async function describeStaged(
  database: Database,
  { file, isInOrder = false }: FileToDescribe,
): Promise<StagedFile> {
  const row = await database.row(`SELECT count(*) AS rows, min(time) AS first, max(time) AS last,
      count(*) FILTER (time < before) AS falls, count(*) FILTER (time > before) AS rises
    FROM (SELECT time, lag(time) OVER (ORDER BY row) AS before FROM ${STAGED}
      WHERE file = ${file})`);
  if (Number(row.rows) === 0) throw new TypeError('it holds no row, at least one is wanted');
  // Newest first is an order too.
  const isReversed = !isInOrder && Number(row.rises) === 0 && Number(row.falls) > 0;
  if (isReversed) await database.run(`UPDATE ${STAGED} SET row = -row WHERE file = ${file}`);
  return {
    rows: Number(row.rows),
    firstTime: Number(row.first),
    lastTime: Number(row.last),
    outOfOrder: isReversed ? 0 : Number(row.falls),
  };
}
