import { isDiskFull } from '../../disk-trouble.ts';
import type { LeftOutRows, Recognised, Table } from '../../formats/table.ts';
import type { Database } from '../database.ts';
import { COLUMNS, type DatasetKind } from '../kinds.ts';
import { identifier } from '../sql.ts';
import { refuseBroken } from './broken-row.ts';
import { type FileRead, troubleOf } from './wording.ts';

/** The table in which the rows of files wait until all of them are known to be good. */
export const STAGED = 'staged';

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

/**
 * Stages the rows of a table, except those that its format leaves out. Returns notes about these,
 * about missing volumes, and about sides that are not told.
 *
 * @throws {TypeError} naming the first row that is broken, or where nothing is left.
 */
export async function stageTable(database: Database, staged: TableToStage): Promise<string[]> {
  const { table, recognised, file } = staged;
  const { kind, columns, leftOut } = recognised;
  const from = recognised.relation ?? table.relation;
  const cells = COLUMNS[kind].map((name) => {
    const cell = columns[name] ?? ABSENT[name] ?? 'NULL';
    // Trades without ids must not count as the same trade.
    return `${name === 'id' ? `nullif(trim(${cell}), '')` : cell} AS ${identifier(name)}`;
  });
  const numbered = `(SELECT row_number() OVER () AS number, * FROM ${from})`;
  // Rows to leave out are staged too, with negative numbers, to be counted: the file is read once,
  // and that is most of the work.
  const row = leftOut === undefined ? 'number' : `if(${leftOut.where}, -number, number)`;
  const rows = `SELECT ${file}, ${row}, ${cells.join(', ')} FROM ${numbered}`;
  await insert(database, { rows, table });
  const few = leftOut === undefined ? [] : await leaveOut(database, { ...staged, leftOut });
  const volumeless = kind === 'candles' ? await fillVolumes(database, staged) : [];
  await refuseBroken(database, { table, recognised, staged: STAGED, file });
  return [...few, ...volumeless, ...(await untoldSides(database, staged))];
}

/** A note how many trades do not tell their side, if a word in their cells stands for that. */
async function untoldSides(
  database: Database,
  { table, recognised, file }: TableToStage,
): Promise<string[]> {
  const word = recognised.untoldSides?.word;
  if (word === undefined) return [];
  const share = await shareOf(database, { file, where: 'side IS NULL' });
  if (share.count === 0) return [];
  return [
    `${table.name} holds ${share.text} trades without a known side (${JSON.stringify(word)}), ` +
      'it is inferred: a rise is a buy, a fall a sell',
  ];
}

/** Deletes rows whose number is below zero; returns a note how many. @throws {TypeError} if all. */
async function leaveOut(
  database: Database,
  { table, recognised, file, leftOut }: TableToStage & { readonly leftOut: LeftOutRows },
): Promise<string[]> {
  const { kind } = recognised;
  const share = await shareOf(database, { file, where: 'row < 0' });
  if (share.count === 0) return [];
  if (share.isAll) {
    throw new TypeError(`it holds only ${kind} ${leftOut.which}, others are wanted`);
  }
  await database.run(`DELETE FROM ${STAGED} WHERE file = ${file} AND row < 0`);
  return [`${table.name} holds ${share.text} ${kind} ${leftOut.which}: left out`];
}

/** Sets empty volumes, which are NaN so far, to 0; returns a note how many, unless all are. */
async function fillVolumes(database: Database, { table, file }: TableToStage): Promise<string[]> {
  const share = await shareOf(database, { file, where: 'isnan(volume)' });
  if (share.count === 0) return [];
  await database.run(`UPDATE ${STAGED} SET volume = 0 WHERE file = ${file} AND isnan(volume)`);
  if (share.isAll) return [];
  return [
    `${table.name} holds ${share.text} candles without a volume: 0 is taken, no ` +
      'order fills there unless backtest.fill.volumeCap is null',
  ];
}

/** How many rows of a file meet a condition. */
async function shareOf(
  database: Database,
  { file, where }: { readonly file: number; readonly where: string },
): Promise<{ readonly count: number; readonly isAll: boolean; readonly text: string }> {
  const row = await database.row(`SELECT count(*) FILTER (${where}) AS count, count(*) AS all
    FROM ${STAGED} WHERE file = ${file}`);
  const [count, all] = [Number(row.count), Number(row.all)];
  const text = `${count.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`;
  return { count, isAll: count === all, text };
}

async function insert(
  database: Database,
  { rows, table }: { readonly rows: string; readonly table: Table },
): Promise<void> {
  try {
    await database.run(`INSERT INTO ${STAGED} ${rows}`);
  } catch (thrown) {
    if (isDiskFull(thrown)) throw thrown;
    throw new TypeError(await troubleOf(thrown, fileOf(table)), { cause: thrown });
  }
}

function fileOf({ form, text }: Table): FileRead {
  return { textFile: text?.file, isPacked: form === 'Parquet' || form === 'Feather' };
}

/**
 * Infers sides that a file does not tell; returns whether it told all.
 *
 * For Bitfinex, and others like it, a sale has an amount below zero. Otherwise the tick rule
 * applies (Lee and Ready, 1991): up is a buy, down a sell, unchanged as the trade before. It errs
 * on about a fifth of real trades. To be called after `describeStaged`, which settles the order of
 * trades.
 */
export async function inferSides(database: Database, file: number): Promise<boolean> {
  await database.run(`UPDATE ${STAGED} SET side = sign(amount), amount = abs(amount)
    WHERE file = ${file} AND side IS NULL AND amount <> 0 AND (
      SELECT min(amount) FROM ${STAGED} WHERE file = ${file} AND side IS NULL) < 0`);
  const { missing } = await database.row(`SELECT count(*) AS missing FROM ${STAGED}
    WHERE file = ${file} AND side IS NULL`);
  if (Number(missing) === 0) return true;
  await database.run(`UPDATE ${STAGED} SET side = coalesce(${STAGED}.side, ticks.side) FROM (
      SELECT row, coalesce(last_value(tick IGNORE NULLS) OVER (ORDER BY time, row), 1) AS side
      FROM (SELECT row, time, nullif(sign(price - lag(price) OVER (ORDER BY time, row)), 0) AS tick
        FROM ${STAGED} WHERE file = ${file}))
    AS ticks WHERE ${STAGED}.file = ${file} AND ${STAGED}.row = ticks.row`);
  return false;
}

/** A file of the staging table. */
export interface FileToDescribe {
  readonly file: number;
  /**
   * Whether rows are in the order in which they came, whatever their stamps say. Default: false.
   */
  readonly isInOrder?: boolean;
}

/**
 * In files with the newest row first, times fall from row to row at least so often for each rise.
 */
const REVERSED_MIN = 10;

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
  const [rises, falls] = [Number(row.rises), Number(row.falls)];
  // Newest first is an order as well; single rows may be out of it.
  const isReversed = !isInOrder && falls > rises * REVERSED_MIN;
  if (isReversed) await database.run(`UPDATE ${STAGED} SET row = -row WHERE file = ${file}`);
  return {
    rows: Number(row.rows),
    firstTime: Number(row.first),
    lastTime: Number(row.last),
    outOfOrder: isReversed ? rises : falls,
  };
}
