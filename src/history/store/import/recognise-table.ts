import { inBaseCurrency } from '../../formats/contract-size.ts';
import { type Mapping, mapped } from '../../formats/mapping.ts';
import { recognise } from '../../formats/recognise.ts';
import { cellIn, plainHeading, type Recognised, type Table } from '../../formats/table.ts';
import { encodingTrouble } from '../staging/encoding.ts';
import { placeOf } from '../staging/row-place.ts';

/** What a user says of a table. */
export interface TableHints {
  readonly mapping?: Mapping | undefined;
  /** How much of the base currency one unit of its amounts is worth. Default: by the mapping. */
  readonly contractSize?: number | undefined;
}

/**
 * Recognises a table by what the user says of it, else by its content.
 *
 * @throws {HistoryError} when no format fits. @throws {TypeError} when headings are equal or not
 * UTF-8, times have too few digits, or a contract size makes no sense.
 */
export async function recogniseTable(table: Table, hints: TableHints): Promise<Recognised> {
  const { mapping, contractSize = mapping?.contractSize } = hints;
  let recognised: Recognised;
  try {
    recognised = mapping === undefined ? recognise(table, contractSize) : mapped(table, mapping);
  } catch (thrown) {
    throw (await headingTrouble(table)) ?? thrown;
  }
  await refuseEqualHeadings(table, { recognised, mapping });
  refuseShortTimes(table, recognised);
  return inBaseCurrency(recognised, contractSize);
}

/** What a decoder puts in place of bytes that its encoding does not have. */
const REPLACED = '\ufffd';

/** The error for headings that are not UTF-8, and so are not found by their names. */
async function headingTrouble({ headings, text }: Table): Promise<TypeError | undefined> {
  if (text === undefined || headings?.some((name) => name.includes(REPLACED)) !== true) return;
  const what = await encodingTrouble(text.file);
  return what === undefined ? undefined : new TypeError(what);
}

/** Refuses times of single precision, which are off by a minute or two. @throws {TypeError} */
function refuseShortTimes({ headings = [], singles = [] }: Table, { columns }: Recognised): void {
  const cells: readonly string[] = columns.time?.match(/\bc\d+\b/g) ?? [];
  const short = singles.find((column) => cells.includes(column));
  if (short === undefined) return;
  throw new TypeError(
    `the time (column ${cellIn(headings, short)}) is of the type FLOAT, which holds seven ` +
      'digits, one of integers, DOUBLE or timestamps is wanted, from where it is still whole',
  );
}

interface Found {
  readonly recognised: Recognised;
  readonly mapping: Mapping | undefined;
}

/** Refuses columns that were found by a heading which others have too. @throws {TypeError} */
async function refuseEqualHeadings(table: Table, { recognised, mapping }: Found): Promise<void> {
  const { headings = [], text } = table;
  const names = headings.map(plainHeading);
  const numbered = Object.values(mapping?.columns ?? {}).flat();
  for (const at of columnsOf(recognised)) {
    const name = names[at];
    const isEqual = (other: number): boolean =>
      name!.length === 1 ? headings[other] === headings[at] : names[other] === name;
    const equal = [...names.keys()].filter(isEqual);
    if (equal.length < 2 || numbered.includes(at + 1)) continue;
    // Row 0 is the line above the first row.
    const place = text === undefined ? '' : `${await placeOf(0, { table })}: `;
    const [first, second] = equal.map((other) => other + 1);
    const wanted = 'one of that heading is wanted, or a mapping that names its number (--mapping)';
    throw new TypeError(
      `${place}columns ${first} and ${second} are both headed "${headings[at]}", ${wanted}`,
    );
  }
}

/** The columns of a table that a format takes, from 0. */
function columnsOf({ columns, symbolColumn = '', relation }: Recognised): number[] {
  // A relation of the format's own takes columns by number.
  const texts = relation === undefined ? [...Object.values(columns), symbolColumn] : [symbolColumn];
  const cells = texts.flatMap((text) => text.match(/\bc\d+\b/g) ?? []);
  return [...new Set(cells)].map((cell) => Number(cell.slice(1))).sort((a, b) => a - b);
}
