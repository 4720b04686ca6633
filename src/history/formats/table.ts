import type { DatasetKind } from '../store/kinds.ts';
import type { AmountUnit } from './amount-unit.ts';
import type { DateFormat } from './dates.ts';

/** A file of rows in any form: CSV, a JSON array, Parquet, Feather. */
export interface Table {
  /** The file's name, without its folder. */
  readonly name: string;
  readonly form: 'CSV' | 'JSON' | 'Parquet' | 'Feather';
  /** The columns' names as they stand in the file; undefined where there are none. */
  readonly headings: readonly string[] | undefined;
  /** Cells of the first rows, as text; an empty cell is ''. */
  readonly rows: readonly (readonly string[])[];
  /** The same and many more, for what a few may not show: a sale, a candle with trades. */
  readonly manyRows: readonly (readonly string[])[];
  /** The line above the heading, where there is one; the first of several lines of headings. */
  readonly banner: string | undefined;
  /** What stands around the rows if they lie in an object that holds more. */
  readonly answer?: Answer | undefined;
  /** Columns of single precision, such as `c0`: seven digits are too few for a time. */
  readonly singles?: readonly string[] | undefined;
  /** Set if the rows are lines of a text. */
  readonly text?: TextOfRows | undefined;
  /** All rows as a relation of SQL whose columns are the texts `c0`, `c1`, ... */
  readonly relation: string;
}

/** What an exchange's answer tells around its rows. A symbol is also added as their last column. */
export interface Answer {
  readonly code?: string;
  readonly success?: string;
  readonly category?: string;
  /** How far Kraken answered; for candles, the time of the last one that had ended. */
  readonly last?: string;
  /** Kaiko's class, such as `spot` or `perpetual-future`. */
  readonly instrumentClass?: string;
  /** Whether Kraken Futures has more candles. */
  readonly moreCandles?: string;
  /** GeckoTerminal's type of answer. */
  readonly type?: string;
  /** The exchange's time zone by Twelve Data: times are in it, or in one that was asked for. */
  readonly zone?: string;
  readonly symbol?: string;
}

/** A text with one row a line. */
export interface TextOfRows {
  readonly file: string;
  /** Lines above the first row, blank ones aside. */
  readonly above: number;
  /** The bare line of headings, which is no row wherever it stands. */
  readonly heading?: string | undefined;
}

/** The format of a table: how its rows become those of a dataset. */
export interface Recognised {
  /** For people, such as `Binance klines`. */
  readonly format: string;
  readonly kind: DatasetKind;
  /** Who published it; undefined where the format does not tell. */
  readonly source?: string | undefined;
  /** Whether the source is the likely one of several whose files look alike. Default: false. */
  readonly isGuess?: boolean;
  /** An expression of SQL for each column of the kind; a column left out is empty. */
  readonly columns: Readonly<Record<string, string>>;
  /** Whether the stamps of its candles are their ends. Default: their beginnings. */
  readonly isStampedAtEnd?: boolean;
  /** How its dates are written, where a mapping says so. */
  readonly dateFormat?: DateFormat | undefined;
  /** What may stand in its column for sides. Default: `buy or sell`. */
  readonly sideWords?: string | undefined;
  /**
   * Set if some trades may not tell their side: it is NULL and gets inferred. The user is told how
   * many, and the word in their cells, if there is one.
   */
  readonly untoldSides?: { readonly word?: string };
  /** What its amounts count. Default: the base currency. */
  readonly amountUnit?: AmountUnit | undefined;
  /** What a user who imports it should know: a whole sentence. */
  readonly note?: string | undefined;
  /** Rows to leave out; the user is told how many. */
  readonly leftOut?: LeftOutRows | undefined;
  /** The column that names the market, such as `c1`. */
  readonly symbolColumn?: string | undefined;
  /** Columns that must hold the same value in all rows, and what they name. */
  readonly ofOne?: readonly {
    readonly column: string;
    readonly what: 'exchange' | 'contract' | 'asset';
  }[];
  /** A relation of SQL in place of the table's own. */
  readonly relation?: string;
}

/** Some of the rows of a table. */
export interface LeftOutRows {
  /** Which ones: a condition of SQL on the table's columns. */
  readonly where: string;
  /** The same in words that follow the kind of rows, such as `without prices`. */
  readonly which: string;
}

/** Recognises one format; undefined when a table is of another. */
export type Recogniser = (table: Table) => Recognised | undefined;

/**
 * A heading in lower case, without spaces, underscores, dashes and angle brackets, and without the
 * Chinese translation that OKX added: `size/数量`.
 */
export function plainHeading(heading: string): string {
  return heading
    .replace(/\/[\u0080-\uffff].*$/, '')
    .toLowerCase()
    .replace(/[\s_<>-]/g, '');
}

/**
 * Finds columns by plain heading: returns `c0`, `c1`, ... for the first name that is there. If
 * headings differ only in case, the one in lower case wins: `l` is low, `L` is not.
 */
export function columnFinder({ headings = [] }: Table) {
  const names = headings.map(plainHeading);
  return (...wanted: readonly string[]): string | undefined => {
    const found = wanted.find((name) => names.includes(name));
    if (found === undefined) return undefined;
    const exact = headings.indexOf(found);
    return `c${exact < 0 ? names.indexOf(found) : exact}`;
  };
}

/** The cell of a row, or the heading, in a column such as `c0`; undefined where there is none. */
export function cellIn(
  row: readonly string[] | undefined,
  column: string | undefined,
): string | undefined {
  return row?.[Number(column?.slice(1))];
}

/** The cells of a column, without blanks around them; none where there is no such column. */
export function cellsIn(rows: Table['rows'], column: string | undefined): string[] {
  return column === undefined ? [] : rows.map((row) => (cellIn(row, column) ?? '').trim());
}

/** SQL for a cell as a number; NULL if it is none. */
export function numberOf(column: string): string {
  return `TRY_CAST(${column} AS DOUBLE)`;
}

/**
 * A number with a decimal comma. Dots group digits only if decimals follow or there is a second
 * dot: `1.102` alone may be either.
 */
const GROUPS = '[1-9]\\d{0,2}(\\.\\d{3})';
const COMMA_NUMBER = `[+-]?(${GROUPS}+,\\d*|${GROUPS}{2,}|\\d+(,\\d*)?)([eE][+-]?\\d+)?`;

/** SQL for a number with a decimal comma; NULL if the cell is none. */
export function commaNumberOf(column: string): string {
  const plain = `replace(replace(trim(${column}), '.', ''), ',', '.')`;
  return `CASE WHEN regexp_full_match(trim(${column}), '${COMMA_NUMBER}') THEN ${numberOf(plain)} END`;
}

/** SQL for the cells of a date and of a time as one text. */
export function joined(date: string, time: string): string {
  return `trim(${date}) || ' ' || trim(${time})`;
}

/** SQL for a cell as a time, milliseconds since the epoch. */
export function timeOf(column: string): string {
  return `time_ms(trim(${column}))`;
}

/** Whether a cell is a number. */
export function isNumeric(cell: string | undefined): boolean {
  return cell !== undefined && /^\s*-?\d+(\.\d*)?([eE][+-]?\d+)?\s*$/.test(cell);
}

const DATE = /^(\d{4}([-./])\d\d?\2\d\d?|\d\d?([-./])\d\d?\3\d{4}|\d{8}[ T]\d\d:?\d\d)/;

/** Whether a cell begins with a date, in whichever order. */
export function isDate(cell: string | undefined): boolean {
  return DATE.test(cell ?? '');
}

/** SQL condition: the cell is empty, `null` or `NaN`. */
export function isEmpty(column: string): string {
  return `lower(trim(coalesce(${column}, ''))) IN ('', 'null', 'nan')`;
}

/**
 * SQL for the volume of a candle: NaN if the cell is empty, `null` or `NaN`; NULL if it is anything
 * else but a number. `number`: SQL for the cell as a number.
 */
export function volumeOf(column: string, number: string): string {
  return `coalesce(${number}, CASE WHEN ${isEmpty(column)} THEN 'nan'::DOUBLE END)`;
}

/** Rows without prices, which Yahoo, pandas and BitMEX write for times without trades or data. */
export function priceless(prices: readonly (string | undefined)[]): LeftOutRows {
  const where = prices.map((column) => isEmpty(column!)).join(' AND ');
  return { where, which: 'without prices' };
}

/** SQL for a candle's columns; undefined if any but the volume is missing. */
export function candleColumns(
  columns: {
    readonly [name in 'time' | 'open' | 'high' | 'low' | 'close' | 'volume']: string | undefined;
  },
): Record<string, string> | undefined {
  const { time, volume, ...prices } = columns;
  if (time === undefined || Object.values(prices).includes(undefined)) return undefined;
  const numbers = Object.entries(prices).map(([name, column]) => [name, numberOf(column!)]);
  const amounts = volume === undefined ? {} : { volume: volumeOf(volume, numberOf(volume)) };
  return { time: timeOf(time), ...Object.fromEntries(numbers), ...amounts };
}

/** SQL for a trade's columns. `side` is SQL already: 1 for a buy, -1 for a sell. */
export function tradeColumns(
  columns: {
    readonly [name in 'time' | 'price' | 'amount']: string;
  } & {
    readonly [name in 'received' | 'id' | 'side']?: string | undefined;
  },
): Record<string, string> {
  const { time, received, price, amount, ...others } = columns;
  const cells = {
    ...{ time: timeOf(time), received: received && timeOf(received) },
    ...{ price: numberOf(price), amount: numberOf(amount), ...others },
  };
  const known = Object.entries(cells).filter(
    (cell): cell is [string, string] => cell[1] !== undefined,
  );
  return Object.fromEntries(known);
}
