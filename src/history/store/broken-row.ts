import { createReadStream } from 'node:fs';
import { DATE_EXAMPLES } from '../formats/dates.ts';
import type { Recognised, Table, TextOfRows } from '../formats/table.ts';
import { linesOf } from '../lines.ts';
import { quote } from '../values.ts';
import type { Cell, Database } from './database.ts';
import { COLUMNS, OPTIONAL_COLUMNS } from './kinds.ts';
import { identifier, identifiers } from './sql.ts';

/** Staged rows, and where they come from. */
export interface StagedRows {
  readonly table: Table;
  readonly recognised: Recognised;
  /** The table they are staged in, and their file's number there. */
  readonly staged: string;
  readonly file: number;
}

/** Refuses rows without what a row must have. @throws {TypeError} naming the first of them. */
export async function refuseBroken(database: Database, rows: StagedRows): Promise<void> {
  const { table, recognised, staged, file } = rows;
  const { kind, columns } = recognised;
  const required = COLUMNS[kind].filter(
    (name) => !OPTIONAL_COLUMNS.includes(name) && columns[name] !== undefined,
  );
  const broken = required.map(
    (name) => `${identifier(name)} IS NULL OR isnan(${identifier(name)})
    OR isinf(${identifier(name)})`,
  );
  const [row] = await database.rows(`SELECT row, ${identifiers(required)} FROM ${staged}
    WHERE file = ${file} AND (${broken.join(' OR ')}) ORDER BY row LIMIT 1`);
  if (row === undefined) return;
  const name = required.find((column) => !Number.isFinite(row[column])) ?? 'row';
  const from = recognised.relation ?? table.relation;
  const source = await database.row(`SELECT * FROM
    (SELECT row_number() OVER () AS row, * FROM ${from}) WHERE row = ${row.row}`);
  const place = await placeOf(Number(row.row), rows);
  const { where, is } = cellsOf(columns[name]!, { table, source });
  throw new TypeError(
    `${place}: the ${name}${where} is ${is}, ${wanted(name, recognised)} is wanted`,
  );
}

/** A line of a text, as an editor counts them; of other files the row, from 1. */
async function placeOf(row: number, { table, recognised }: StagedRows): Promise<string> {
  const { text } = table;
  const line =
    text === undefined || recognised.relation !== undefined ? undefined : await lineOf(row, text);
  return line === undefined ? `row ${row}` : `line ${line}`;
}

async function lineOf(row: number, { file, above }: TextOfRows): Promise<number | undefined> {
  let passed = 0;
  for await (const lines of linesOf(createReadStream(file))) {
    const line = lines[above + row - 1 - passed];
    if (line !== undefined) return line.number;
    passed += lines.length;
  }
  return undefined;
}

/** What stands in the columns that an expression takes, and which these are. */
function cellsOf(
  expression: string,
  { table, source }: { readonly table: Table; readonly source: Readonly<Record<string, Cell>> },
): { readonly where: string; readonly is: string } {
  const cells = [...new Set(expression.match(/\bc\d+\b/g) ?? [])];
  const is = cells.map((cell) => quote(String(source[cell]))).join(' and ');
  const names = cells.map((cell) => {
    const at = Number(cell.slice(1));
    return table.headings?.[at] ?? at + 1;
  });
  if (names.length === 0) return { where: '', is };
  return { where: ` (${names.length > 1 ? 'columns' : 'column'} ${names.join(' and ')})`, is };
}

function wanted(name: string, { dateFormat }: Recognised): string {
  if (name === 'side') return 'buy or sell';
  if (name === 'event') return 'true or false';
  if (name !== 'time') return 'a number';
  if (dateFormat !== undefined) {
    return `a date such as ${DATE_EXAMPLES[dateFormat]}, as the mapping's dateFormat ${dateFormat} says,`;
  }
  return (
    'a stamp since the epoch or a date such as 2024-01-31 (a mapping with a dateFormat, such as ' +
    'dd-mm-yyyy, reads others)'
  );
}
