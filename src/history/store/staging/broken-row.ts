import { DATE_EXAMPLES } from '../../formats/dates.ts';
import type { Recognised, Table } from '../../formats/table.ts';
import { quote } from '../../values.ts';
import type { Cell, Database } from '../database.ts';
import { COLUMNS, OPTIONAL_COLUMNS } from '../kinds.ts';
import { identifier, identifiers } from '../sql.ts';
import { placeOf, type RowsOfFile } from './row-place.ts';

/** A stamp that a spreadsheet wrote: its last digits are gone. */
const CUT = /^\d(\.\d{0,8})?[eE]\+(09|1\d)$/;
/** Decimals behind a comma. */
const COMMA = /^[+-]?([1-9]\d{0,2}(\.\d{3})+|\d+),\d+$/;
/** Commas between thousands. */
const THOUSANDS = /^[+-]?[1-9]\d{0,2}((,\d{3})+\.\d+|(,\d{3}){2,})$/;
/**
 * Dates that a mapping reads, and its dateFormat: the year first with am or pm, and digits alone.
 */
const OTHER_DATES = [
  [/^\d{4}[-./]\d{1,2}[-./]\d{1,2} .*[ap]m$/i, 'yyyy-mm-dd'],
  [/^\d{8}( +\d|$)/, 'yyyymmdd'],
] as const;
const SIDES = ' (a mapping with "sides" says what else is a buy and a sell)';
const UNCUT = 'a spreadsheet has cut its digits, the file as it was downloaded';

/** Staged rows, and where they come from. */
export interface StagedRows extends RowsOfFile {
  readonly recognised: Recognised;
  /** The table they are staged in, and their file's number there. */
  readonly staged: string;
  readonly file: number;
}

/** Refuses rows that lack a value which they need. @throws {TypeError} naming the first of them. */
export async function refuseBroken(database: Database, rows: StagedRows): Promise<void> {
  const { table, recognised, staged, file } = rows;
  const { kind, columns, untoldSides } = recognised;
  const required = COLUMNS[kind].filter(
    (name) => !OPTIONAL_COLUMNS.includes(name) && columns[name] !== undefined,
  );
  const broken = required.map(
    (name) =>
      `${name === 'side' && untoldSides !== undefined ? '' : `${identifier(name)} IS NULL OR `}
      isnan(${identifier(name)}) OR isinf(${identifier(name)})`,
  );
  const [row] = await database.rows(`SELECT row, ${identifiers(required)} FROM ${staged}
    WHERE file = ${file} AND (${broken.join(' OR ')}) ORDER BY row LIMIT 1`);
  if (row === undefined) return;
  const name = required.find((column) => !Number.isFinite(row[column])) ?? 'row';
  const from = recognised.relation ?? table.relation;
  const source = await database.row(`SELECT * FROM
    (SELECT row_number() OVER () AS row, * FROM ${from}) WHERE row = ${row.row}`);
  const place = await placeOf(Number(row.row), rows);
  const { where, is, texts } = cellsOf(columns[name]!, { table, source });
  const isCut = name === 'time' && texts.some((text) => CUT.test(text));
  const wanted = isCut ? UNCUT : wantedOf(name, { recognised, texts });
  const remedy = name === 'side' ? SIDES : '';
  throw new TypeError(`${place}: the ${name}${where} is ${is}, ${wanted} is wanted${remedy}`);
}

/** The cells that an expression takes, and their columns. */
function cellsOf(
  expression: string,
  { table, source }: { readonly table: Table; readonly source: Readonly<Record<string, Cell>> },
): { readonly where: string; readonly is: string; readonly texts: readonly string[] } {
  const cells = [...new Set(expression.match(/\bc\d+\b/g) ?? [])];
  const found = cells.map((cell) => source[cell] ?? undefined);
  const is = found.map((text) => quote(text)).join(' and ');
  const texts = found.map((text) => String(text).trim());
  const names = cells.map((cell) => {
    const at = Number(cell.slice(1));
    return table.headings?.[at] ?? at + 1;
  });
  if (names.length === 0) return { where: '', is, texts };
  return {
    where: ` (${names.length > 1 ? 'columns' : 'column'} ${names.join(' and ')})`,
    is,
    texts,
  };
}

function wantedOf(
  name: string,
  { recognised, texts }: { readonly recognised: Recognised; readonly texts: readonly string[] },
): string {
  const { dateFormat, sideWords = 'buy or sell' } = recognised;
  if (name === 'side') return sideWords;
  if (name === 'event') return 'true or false';
  if (name !== 'time') {
    if (texts.some((text) => THOUSANDS.test(text))) return 'a number without commas in it';
    const comma = texts.find((text) => COMMA.test(text));
    if (comma === undefined) return 'a number';
    const read = Number(comma.replaceAll('.', '').replace(',', '.'));
    return `a number (a mapping with decimal: comma reads this as ${read})`;
  }
  if (dateFormat !== undefined) {
    return `a date such as ${DATE_EXAMPLES[dateFormat]}, as the mapping's dateFormat ${dateFormat} says,`;
  }
  const [, other = 'dd-mm-yyyy'] =
    OTHER_DATES.find(([form]) => texts.some((text) => form.test(text))) ?? [];
  return (
    'a stamp since the epoch or a date such as 2024-01-31 (a mapping with a dateFormat, such as ' +
    `${other}, reads others)`
  );
}
