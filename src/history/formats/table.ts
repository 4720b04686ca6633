import type { DatasetKind } from '../store/kinds.ts';
import type { AmountUnit } from './amount-unit.ts';
import type { DateFormat } from './dates.ts';

/** A file of rows, whatever its form: a CSV, an array of JSON, Parquet, Feather. */
export interface Table {
  /** The file's name, without its folder. */
  readonly name: string;
  readonly form: 'CSV' | 'JSON' | 'Parquet' | 'Feather';
  /** The columns' names as they stand in the file; undefined where there are none. */
  readonly headings: readonly string[] | undefined;
  /** Cells of the first rows, as text; an empty cell is ''. */
  readonly rows: readonly (readonly string[])[];
  /** These and many behind them, for what a few may not show: a sale, a candle with trades. */
  readonly manyRows: readonly (readonly string[])[];
  /** The line above the heading, where there is one; the first of several lines of headings. */
  readonly banner: string | undefined;
  /** What stands around the rows, where they are in an object that holds more. */
  readonly answer?: Answer | undefined;
  /** Columns of numbers that hold seven digits, such as `c0`: too few for a time. */
  readonly singles?: readonly string[] | undefined;
  /** Where the rows are lines of a text. */
  readonly text?: TextOfRows | undefined;
  /** All rows as a relation of SQL whose columns are the texts `c0`, `c1`, ... */
  readonly relation: string;
}

/** An object of JSON around rows, as an exchange answers. A symbol is their last column, too. */
export interface Answer {
  readonly code?: string;
  readonly success?: string;
  readonly category?: string;
  /** Kraken's mark of how far it answered: of candles, the last one that had ended. */
  readonly last?: string;
  /** Kaiko's, such as `spot` or `perpetual-future`. */
  readonly instrumentClass?: string;
  /** Kraken Futures', whether there are more. */
  readonly moreCandles?: string;
  /** GeckoTerminal's, what kind of answer it is. */
  readonly type?: string;
  /** Twelve Data's, of the exchange: its times may be of that zone, or of one that was asked for. */
  readonly zone?: string;
  readonly symbol?: string;
}

/** A text that has a row a line. */
export interface TextOfRows {
  readonly file: string;
  /** Lines above the first row, blank ones aside. */
  readonly above: number;
  /** What is no row wherever it stands: a line, bare. */
  readonly heading?: string | undefined;
}

/** What a table turned out to be: how its rows become those of a dataset. */
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
   * Where some of its trades may not tell their side: NULL, which is inferred. How many is said, with
   * the word that stands there, if one does.
   */
  readonly untoldSides?: { readonly word?: string };
  /** What its amounts count. Default: the base currency. */
  readonly amountUnit?: AmountUnit | undefined;
  /** What whoever imports it should know: a whole sentence. */
  readonly note?: string | undefined;
  /** Rows that are left out, and are told by their number. */
  readonly leftOut?: LeftOutRows | undefined;
  /** The column that names the market, such as `c1`. */
  readonly symbolColumn?: string | undefined;
  /** Columns that name one thing in all rows, and what that is. */
  readonly ofOne?: readonly {
    readonly column: string;
    readonly what: 'exchange' | 'contract' | 'asset';
  }[];
  /** Rows in place of the table's own. */
  readonly relation?: string;
}

/** Some of the rows of a table. */
export interface LeftOutRows {
  /** Which ones: a condition of SQL on the table's columns. */
  readonly where: string;
  /** The same in words, behind what kind of rows they are. */
  readonly which: string;
}

/** Tells whether a table is of one format; undefined when it is not. */
export type Recogniser = (table: Table) => Recognised | undefined;

/**
 * A heading without case, spaces, underscores and angle brackets, and without the same in Chinese
 * behind it, as OKX had it: `size/数量`.
 */
export function plainHeading(heading: string): string {
  return heading
    .replace(/\/[\u0080-\uffff].*$/, '')
    .toLowerCase()
    .replace(/[\s_<>-]/g, '');
}

/**
 * Finds columns by heading: answers `c0`, `c1`, ... for the first name that is there, and for the
 * column that has it as it stands where others have it in another case: `l` is low, `L` is not.
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

/** A cell as a number; NULL for what is none. */
export function numberOf(column: string): string {
  return `TRY_CAST(${column} AS DOUBLE)`;
}

/**
 * Digits in one, a comma before the decimals; or in groups of three, which decimals or a second dot
 * must show to be such: `1.102` alone may be either.
 */
const GROUPS = '[1-9]\\d{0,2}(\\.\\d{3})';
const COMMA_NUMBER = `[+-]?(${GROUPS}+,\\d*|${GROUPS}{2,}|\\d+(,\\d*)?)([eE][+-]?\\d+)?`;

/** A cell whose decimals stand behind a comma as a number; NULL for what is none. */
export function commaNumberOf(column: string): string {
  const plain = `replace(replace(trim(${column}), '.', ''), ',', '.')`;
  return `CASE WHEN regexp_full_match(trim(${column}), '${COMMA_NUMBER}') THEN ${numberOf(plain)} END`;
}

/** The cells of a date and of a time as one. */
export function joined(date: string, time: string): string {
  return `trim(${date}) || ' ' || trim(${time})`;
}

/** A cell as a time. */
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

/** Whether a cell has no number, as it may be written: a condition of SQL. */
export function isEmpty(column: string): string {
  return `lower(trim(coalesce(${column}, ''))) IN ('', 'null', 'nan')`;
}

/**
 * A cell as the volume of a candle, which may be empty, `null` or `NaN`: NaN then, and NULL for what
 * is no number. `number`: the cell as a number.
 */
export function volumeOf(column: string, number: string): string {
  return `coalesce(${number}, CASE WHEN ${isEmpty(column)} THEN 'nan'::DOUBLE END)`;
}

/** Rows that stand for a time without trades or data, as Yahoo, pandas and BitMEX write them. */
export function priceless(prices: readonly (string | undefined)[]): LeftOutRows {
  const where = prices.map((column) => isEmpty(column!)).join(' AND ');
  return { where, which: 'without prices' };
}

/** Expressions for a candle's columns, of which only the volume may be undefined. */
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

/** Expressions for a trade's columns. `side` is one: 1 for a buy, -1 for a sell. */
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
