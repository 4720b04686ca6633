import { counted } from '../../kernel/index.ts';
import { cellsOf, delimiterOf } from '../csv.ts';
import type { Database } from '../store/database.ts';
import type { Interruptible } from '../store/interruption.ts';
import { identifier, literal, parquet } from '../store/sql.ts';
import type { FileHead } from './file-head.ts';
import { type Answer, isDate, isNumeric, type Table } from './table.ts';
import { LEVEL_NAMES, pairedHeadings, tickerHeadings } from './yahoo.ts';

/** Rows that are looked at to tell a format. */
const SAMPLE_ROWS = 5;
/** Rows that are looked at for what these may not show. */
const MANY_ROWS = 1_000;
/** The longest row of JSON that is read, where rows come one by one. Source: DuckDB's default. */
const JSON_ROW_BYTES = 16_777_216;

/** How a file is read. */
interface Layout {
  readonly form: Table['form'];
  readonly headings?: readonly string[] | undefined;
  readonly banner?: string | undefined;
  readonly text?: Table['text'];
  readonly answer?: Answer | undefined;
  readonly relation: string;
}

/** A file to open. */
export interface FileToOpen extends Interruptible {
  readonly head: FileHead;
  /** Makes a folder for rows that the database cannot read as they lie there. */
  readonly newFolder: () => string;
}

/** Opens a file of rows. @throws {TypeError} when it is none. */
export async function openTable(database: Database, file: FileToOpen): Promise<Table> {
  const { head } = file;
  const layout = await layoutOf(database, file);
  const answer = await database.rows(`SELECT * FROM ${layout.relation} LIMIT ${MANY_ROWS}`);
  const manyRows = answer.map((row) => Object.values(row).map((cell) => String(cell ?? '')));
  if (manyRows.length === 0) throw rowless();
  const rows = manyRows.slice(0, SAMPLE_ROWS);
  return { name: head.name, banner: undefined, headings: undefined, ...layout, rows, manyRows };
}

function layoutOf(database: Database, file: FileToOpen): Promise<Layout> | Layout {
  const { head } = file;
  if (head.form === 'parquet') return parquetLayout(database, head);
  if (head.form === 'arrow') return arrowLayout(file);
  return /^\s*[[{]/.test(head.text) ? jsonLayout(database, head) : csvLayout(head);
}

async function parquetLayout(database: Database, { file }: FileHead): Promise<Layout> {
  const rows = await database.rows(`DESCRIBE SELECT * FROM ${parquet([file])}`);
  const names = rows.map((row) => String(row.column_name));
  return columnarLayout({ form: 'Parquet', file, names, headings: names });
}

async function arrowLayout({ head, newFolder, signal }: FileToOpen): Promise<Layout> {
  const { rewriteArrow } = await import('./arrow/rewrite.ts');
  const rows = await rewriteArrow(head.file, { folder: newFolder(), signal });
  if (rows === undefined) throw rowless();
  const names = rows.headings.map((_heading, at) => `c${at}`);
  return columnarLayout({ form: 'Feather', ...rows, names });
}

/** A file of Parquet, the names of its columns, and what headings they stand for. */
interface Columnar {
  readonly form: Table['form'];
  readonly file: string;
  readonly names: readonly string[];
  readonly headings: readonly string[];
}

function columnarLayout({ form, file, names, headings }: Columnar): Layout {
  const told = pairedHeadings(headings);
  const cells = names.map((name) => `${identifier(name)}::VARCHAR`);
  if (told !== undefined) cells.push(literal(told.ticker));
  const columns = cells.map((cell, at) => `${cell} AS c${at}`).join(', ');
  const relation = `(SELECT ${columns} FROM ${parquet([file])})`;
  if (told === undefined) return { form, headings, relation };
  return { form, headings: [...told.headings, 'Ticker'], banner: LEVEL_NAMES, relation };
}

async function jsonLayout(database: Database, head: FileHead): Promise<Layout> {
  const { objects, text, around } = jsonRows(head);
  const [first] = await database.rows(`SELECT json::VARCHAR AS text FROM ${objects} LIMIT 1`);
  if (first === undefined) throw rowless();
  const row = JSON.parse(String(first.text)) as unknown;
  if (typeof row !== 'object' || row === null) {
    throw new TypeError(`it holds ${JSON.stringify(row)}, rows or objects are wanted`);
  }
  const keys = Object.keys(row);
  if (keys.length === 0) throw rowless();
  const headings = Array.isArray(row) ? undefined : keys;
  if (headings === undefined) await refuseWidths(database, { objects, width: keys.length });
  const cells = keys.map((key, at) => {
    const path = headings === undefined ? key : literal(key);
    return `json->>${path} AS c${at}`;
  });
  const answer = around === undefined ? undefined : await answerOf(database, around);
  if (answer?.symbol !== undefined) cells.push(`${literal(answer.symbol)} AS c${cells.length}`);
  const relation = `(SELECT ${cells.join(', ')} FROM ${objects})`;
  return { form: 'JSON', headings, text, answer, relation };
}

/** What an answer tells beside its rows. `around`: it as a whole, as a relation of SQL. */
async function answerOf(database: Database, around: string): Promise<Answer> {
  const paths = { code: '$.code', category: '$.result.category', symbol: '$.result.symbol' };
  const cells = Object.entries(paths).map(([name, path]) => `json->>${literal(path)} AS ${name}`);
  const told = Object.entries(await database.row(`SELECT ${cells.join(', ')} FROM ${around}`));
  return Object.fromEntries(told.filter(([, text]) => text !== null));
}

/** Refuses lists of other lengths than the first. @throws {TypeError} naming the first of them. */
async function refuseWidths(
  database: Database,
  { objects, width }: { readonly objects: string; readonly width: number },
): Promise<void> {
  const [other] = await database.rows(`SELECT * FROM
      (SELECT row_number() OVER () AS row, json_array_length(json) AS width FROM ${objects})
    WHERE width <> ${width} ORDER BY row LIMIT 1`);
  if (other === undefined) return;
  throw new TypeError(
    `row ${other.row} has ${counted(Number(other.width), 'column')}, ${width} are wanted`,
  );
}

function rowless(): TypeError {
  return new TypeError('it holds no row, at least one is wanted');
}

/** How exchanges answer with a list of rows that are lists, and where it is. */
const ANSWERS = [
  [/^\s*\{[^[\]]*"code"\s*:[^[\]]*"data"\s*:\s*\[\s*[[\]]/, '$.data[*]'],
  [/^\s*\{[^[\]]*"result"\s*:\s*\{[^[\]]*"list"\s*:\s*\[\s*[[\]]/, '$.result.list[*]'],
] as const;

/**
 * One row of JSON each: from an array, from lines, from the only array in an object, or from that of
 * an answer, and then the object around it.
 */
function jsonRows({ file, text, sizeBytes }: FileHead): {
  readonly objects: string;
  readonly text?: Table['text'];
  readonly around?: string;
} {
  // An object around the rows is held whole.
  const wholeBytes = Math.max(JSON_ROW_BYTES, sizeBytes + 1);
  const read = (format: string): string =>
    `read_json(${literal(file)}, format = '${format}', records = false,
      columns = {'json': 'JSON'}, compression = 'uncompressed',
      maximum_object_size = ${format === 'unstructured' ? wholeBytes : JSON_ROW_BYTES})`;
  const unnested = (path: string): string =>
    `(SELECT unnest(json_extract(json, ${literal(path)})) AS json FROM ${read('unstructured')})`;
  const [, rows] = ANSWERS.find(([form]) => form.test(text)) ?? [];
  if (rows !== undefined) return { objects: unnested(rows), around: read('unstructured') };
  const [, key] = /^\s*\{\s*"([^"]+)"\s*:\s*\[\s*([[{]|\]\s*\}\s*$)/.exec(text) ?? [];
  if (key !== undefined) return { objects: unnested(`$."${key}"[*]`) };
  if (/^\s*\[\s*[[{]/.test(text)) return { objects: read('array') };
  return { objects: read('newline_delimited'), text: { file, above: 0 } };
}

function csvLayout({ file, text }: FileHead): Layout {
  const all = text.split(/\r\n?|\n/);
  const lines = all.filter((line) => line.trim() !== '');
  const { cells, headings, ticker, banner, skip, delimiter } = csvHead(lines, text);
  const blank = blankAbove(all, skip);
  const columns = cells.map((_cell, at) => `'c${at}': 'VARCHAR'`).join(', ');
  const further = ticker === undefined ? '' : `, ${literal(ticker)} AS c${cells.length}`;
  const relation = `(SELECT * REPLACE (${cells
    .map((_cell, at) => `coalesce(c${at}, '') AS c${at}`)
    .join(', ')})${further} FROM read_csv(${literal(file)}, header = false, skip = ${skip + blank},
    auto_detect = false, delim = ${literal(delimiter)}, quote = '"', escape = '"',
    compression = 'none', columns = {${columns}}))`;
  return { form: 'CSV', headings, banner, text: { file, above: skip }, relation };
}

/** Blank lines above a line, which is told by how many others stand above it. */
function blankAbove(lines: readonly string[], others: number): number {
  let blank = 0;
  for (const line of lines) {
    if (line.trim() === '') blank++;
    else if (others-- === 0) break;
  }
  return blank;
}

/** What the first lines of a CSV say of the others. */
interface CsvHead {
  readonly delimiter: string;
  /** One of each column of the file. */
  readonly cells: readonly string[];
  readonly headings: readonly string[] | undefined;
  readonly banner: string | undefined;
  /** Lines above the first row, blank ones aside. */
  readonly skip: number;
  /** The symbol of all rows, which is to be a column behind those of the file. */
  readonly ticker?: string;
}

/** @throws {TypeError} when it is no table. */
function csvHead(lines: string[], text: string): CsvHead {
  const banner = isBanner(lines) ? lines.shift() : undefined;
  let above = banner === undefined ? 0 : 1;
  for (; banner !== undefined && lines[0]?.startsWith('#') && lines.length > 1; above++)
    lines.shift();
  const [first] = lines;
  const delimiter = first === undefined ? undefined : delimiterOf(first);
  if (first === undefined || delimiter === undefined) {
    throw new TypeError(
      `it begins with ${JSON.stringify(text.slice(0, 60))}, a table is wanted whose columns are ` +
        'parted by commas, semicolons, tabs or bars',
    );
  }
  const cells = cellsOf(first, delimiter);
  const told = tickerHeadings(lines.slice(0, 3), delimiter);
  if (told !== undefined) {
    const { headings, ticker } = told;
    return { delimiter, cells, headings: [...headings, 'Ticker'], ticker, banner: first, skip: 3 };
  }
  const headings = isRow(cells) ? undefined : cells;
  const skip = above + (headings === undefined ? 0 : 1);
  return { delimiter, cells, headings, banner, skip };
}

/**
 * Whether cells are a row rather than headings: they begin with a number or a date, or numbers stand
 * behind a word that do not just count the columns, as headings of pandas may.
 */
function isRow(cells: readonly string[]): boolean {
  if (isNumeric(cells[0]) || isDate(cells[0])) return true;
  const numbers = cells.filter(isNumeric).map(Number);
  return numbers.length > 1 && numbers.some((number, at) => number !== numbers[0]! + at);
}

/** Whether the first line is no part of the table: fewer cells than the next, and no numbers. */
function isBanner([first = '', second = '']: readonly string[]): boolean {
  if (/^(#|https?:|created on)/i.test(first)) return true;
  const width = (line: string): number => cellsOf(line, delimiterOf(line) ?? ',').length;
  return width(first) < width(second) && width(first) <= 2;
}
