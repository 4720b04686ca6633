import { bare, cellsOf, delimiterOf } from '../csv.ts';
import type { Database } from '../store/database.ts';
import type { Interruptible } from '../store/interruption.ts';
import { identifier, literal, parquet, pathLiteral } from '../store/sql.ts';
import { MIXED_ENDS } from '../store/staging/wording.ts';
import type { FileHead } from './file-head.ts';
import { jsonLayout, rowless } from './json/json-layout.ts';
import { type Answer, isDate, isNumeric, type Table } from './table.ts';
import { LEVEL_NAMES, pairedHeadings, tickerHeadings } from './vendors/yahoo.ts';

/** Rows in the sample that tells a format. */
const SAMPLE_ROWS = 5;
/** Rows in the larger sample, for what a few rows may not show. */
const MANY_ROWS = 1_000;

/** How a file is read. */
interface Layout {
  readonly form: Table['form'];
  readonly headings?: readonly string[] | undefined;
  readonly banner?: string | undefined;
  readonly text?: Table['text'];
  readonly answer?: Answer | undefined;
  readonly singles?: Table['singles'];
  readonly relation: string;
}

export interface FileToOpen extends Interruptible {
  readonly head: FileHead;
  /** Makes a folder for rows that have to be rewritten before the database can read them. */
  readonly newFolder: () => string;
}

/** Opens a file of rows. @throws {TypeError} when it is none. */
export async function openTable(database: Database, file: FileToOpen): Promise<Table> {
  const { head } = file;
  const layout = await layoutOf(database, file);
  const answer = await database.rows(`SELECT * FROM ${layout.relation} LIMIT ${MANY_ROWS}`);
  const manyRows = answer.map((row) => Object.values(row).map((cell) => String(cell ?? '')));
  if (manyRows.length === 0) throw rowsHidden(head) ?? rowless();
  const rows = manyRows.slice(0, SAMPLE_ROWS);
  return { name: head.name, banner: undefined, headings: undefined, ...layout, rows, manyRows };
}

/** Explains an empty table: with mixed line ends, the database may see the first line only. */
function rowsHidden({ text }: FileHead): TypeError | undefined {
  const ends = new Set(text.match(/\r\n?|\n/g));
  return ends.size > 1 ? new TypeError(MIXED_ENDS) : undefined;
}

function layoutOf(database: Database, file: FileToOpen): Promise<Layout> | Layout {
  const { head } = file;
  if (head.form === 'parquet') return parquetLayout(database, head);
  if (head.form === 'arrow') return arrowLayout(database, file);
  return /^\s*[[{]/.test(head.text) ? jsonLayout(database, file) : csvLayout(head);
}

async function parquetLayout(database: Database, { file }: FileHead): Promise<Layout> {
  const columns = await columnsOf(database, file);
  const names = columns.map(({ name }) => name);
  return columnarLayout({ form: 'Parquet', file, columns, headings: names });
}

/** A column of a file of Parquet. */
interface Column {
  readonly name: string;
  readonly type: string;
}

async function columnsOf(database: Database, file: string): Promise<Column[]> {
  const rows = await database.rows(`DESCRIBE SELECT * FROM ${parquet([file])}`);
  return rows.map((row) => ({ name: String(row.column_name), type: String(row.column_type) }));
}

async function arrowLayout(
  database: Database,
  { head, newFolder, signal }: FileToOpen,
): Promise<Layout> {
  const { rewriteArrow } = await import('./arrow/rewrite.ts');
  const rows = await rewriteArrow(head.file, { folder: newFolder(), signal });
  if (rows === undefined) throw rowless();
  const columns = await columnsOf(database, rows.file);
  return columnarLayout({ form: 'Feather', ...rows, columns });
}

/** A Parquet file, its columns, and their headings. */
interface Columnar {
  readonly form: Table['form'];
  readonly file: string;
  readonly columns: readonly Column[];
  readonly headings: readonly string[];
}

function columnarLayout({ form, file, columns, headings }: Columnar): Layout {
  const paired = pairedHeadings(headings);
  const cells = columns.map(({ name }) => `${identifier(name)}::VARCHAR`);
  const singles = columns.flatMap(({ type }, at) => (type === 'FLOAT' ? [`c${at}`] : []));
  if (paired !== undefined) cells.push(literal(paired.ticker));
  const texts = cells.map((cell, at) => `${cell} AS c${at}`).join(', ');
  const relation = `(SELECT ${texts} FROM ${parquet([file])})`;
  if (paired === undefined) return { form, headings, singles, relation };
  return { form, headings: [...paired.headings, 'Ticker'], singles, banner: LEVEL_NAMES, relation };
}

function csvLayout({ file, text }: FileHead): Layout {
  const all = text.split(/\r\n?|\n/);
  const lines = all.filter((line) => line.trim() !== '');
  const { cells, headings, heading, ticker, banner, skip, delimiter } = csvHead(lines, text);
  const blank = blankAbove(all, skip);
  const columns = cells.map((_cell, at) => `'c${at}': 'VARCHAR'`).join(', ');
  const further = ticker === undefined ? '' : `, ${literal(ticker)} AS c${cells.length}`;
  const texts = cells.map((_cell, at) => `coalesce(c${at}, '')`);
  const others = cells.map((cell, at) => `${trimmed(texts[at]!)} <> ${literal(cell.trim())}`);
  const relation = `(SELECT * REPLACE (${texts
    .map((text, at) => `${text} AS c${at}`)
    .join(', ')})${further} FROM read_csv(${pathLiteral(file)}, header = false,
    skip = ${skip + blank}, auto_detect = false, delim = ${literal(delimiter)}, quote = '"', escape = '"',
    compression = 'none', columns = {${columns}})
    ${heading === undefined ? '' : `WHERE ${others.join(' OR ')}`})`;
  return { form: 'CSV', headings, banner, text: { file, above: skip, heading }, relation };
}

/** SQL for a text without blanks around it and without the byte order mark of a joined file. */
function trimmed(text: string): string {
  return `trim(${text}, ${literal(' \t\ufeff')})`;
}

/** The number of blank lines above the line that has so many other lines above it. */
function blankAbove(lines: readonly string[], others: number): number {
  let blank = 0;
  for (const line of lines) {
    if (line.trim() === '') blank++;
    else if (others-- === 0) break;
  }
  return blank;
}

/** What the first lines of a CSV tell about it. */
interface CsvHead {
  readonly delimiter: string;
  /** The cells of the first line: one for each column. */
  readonly cells: readonly string[];
  readonly headings: readonly string[] | undefined;
  /** The bare line of headings, if there is only one: it is repeated where files were joined. */
  readonly heading?: string | undefined;
  readonly banner: string | undefined;
  /** Lines above the first row, blank ones aside. */
  readonly skip: number;
  /** The symbol of all rows, to be added as a last column. */
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
  const levels = tickerHeadings(lines.slice(0, 3), delimiter);
  if (levels !== undefined) {
    const { headings, ticker } = levels;
    return { delimiter, cells, headings: [...headings, 'Ticker'], ticker, banner: first, skip: 3 };
  }
  const isCounted = isCount(cells);
  const headings = isCounted || isRow(cells) ? undefined : cells;
  const skip = above + (isCounted || headings !== undefined ? 1 : 0);
  return { delimiter, cells, headings, heading: headings && bare(first), banner, skip };
}

/** Whether headings only count the columns, as pandas heads columns without names. */
function isCount(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.every((cell, at) => cell.trim() === `${at}`);
}

/**
 * Whether cells are a row, not headings: they begin with a number or a date, or hold several
 * numbers that do not simply count up, as headings of pandas may.
 */
function isRow(cells: readonly string[]): boolean {
  if (isNumeric(cells[0]) || isDate(cells[0])) return true;
  const numbers = cells.filter(isNumeric).map(Number);
  return numbers.length > 1 && numbers.some((number, at) => number !== numbers[0]! + at);
}

/** Whether the first line is a comment, a link, or at most two cells above a wider line. */
function isBanner([first = '', second = '']: readonly string[]): boolean {
  if (/^(#|https?:|created on)/i.test(first)) return true;
  const width = (line: string): number => cellsOf(line, delimiterOf(line) ?? ',').length;
  return width(first) < width(second) && width(first) <= 2;
}
