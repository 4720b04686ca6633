import { z } from 'zod';
import { MARKET_ID } from '../../domain/index.ts';
import { HistoryError } from '../errors.ts';
import { COLUMNS, type DatasetKind, OPTIONAL_COLUMNS } from '../store/kinds.ts';
import { isContractSize } from './contract-size.ts';
import { DATE_FORMATS, dateOf } from './dates.ts';
import { sideBy, wordsText } from './named-sides.ts';
import {
  commaNumberOf,
  joined,
  numberOf,
  plainHeading,
  priceless,
  type Recognised,
  type Table,
  timeOf,
  volumeOf,
} from './table.ts';

const columnSchema = z.union([z.string().min(1), z.int().min(1)], {
  error: 'the heading of a column, or its number from 1,',
});
const timeSchema = z.union([columnSchema, z.tuple([columnSchema, columnSchema])], {
  error: 'the heading of a column, or its number from 1, or two of a date and of a time,',
});
type Column = string | number;

const wordSchema = z.union([z.string(), z.number(), z.boolean()], {
  error: 'a word, a number, true or false',
});
const wordsSchema = z.union([wordSchema, z.array(wordSchema).min(1)]);

const shared = {
  market: z
    .string()
    .regex(MARKET_ID, 'a market such as btc_usdt')
    .optional()
    .describe("The market, such as btc_usdt. Default: by the symbol, else by the file's name."),
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]*$/, 'a name of a-z, 0-9, dots, dashes and underscores')
    .optional()
    .describe('Who published it. Default: local.'),
  symbol: columnSchema.optional().describe('The column that names the market.'),
  dateFormat: z
    .enum(DATE_FORMATS)
    .optional()
    .describe(
      'How dates are written. Default: stamps since the epoch, or dates with the year first.',
    ),
  decimal: z
    .enum(['point', 'comma'])
    .optional()
    .describe('What stands before decimals: with comma 1.234,56 is 1234.56. Default: point.'),
  contractSize: z
    .number()
    .refine(isContractSize, 'a number above zero of at most 12 digits')
    .optional()
    .describe('How much of the base currency one unit of the amounts is worth. Default: 1.'),
  sides: z
    .strictObject({ buy: wordsSchema, sell: wordsSchema })
    .optional()
    .describe(
      'What the column for sides holds if the taker bought or sold. Default: words such as buy.',
    ),
};

/** How the columns of a file become those of a dataset, for files of no known format. */
export const mappingSchema = z.discriminatedUnion('kind', [
  kindSchema('candles'),
  kindSchema('trades'),
  kindSchema('quotes'),
  kindSchema('depth'),
]);
export type Mapping = z.infer<typeof mappingSchema>;

function kindSchema<K extends DatasetKind>(kind: K) {
  const columns: Record<string, z.ZodType<Column | [Column, Column] | undefined>> = {};
  for (const name of COLUMNS[kind]) {
    const schema = isTime(name) ? timeSchema : columnSchema;
    columns[name] = isOptional(name, kind) ? schema.optional() : schema;
  }
  const schema = z.strictObject({
    kind: z.literal(kind).describe('What the file holds.'),
    columns: z
      .strictObject(columns)
      .describe("For each column of the dataset, the file's: its heading, or its number from 1."),
    ...shared,
  });
  return schema.refine((mapping) => mapping.sides === undefined || 'side' in mapping.columns, {
    path: ['sides'],
    error: 'a column for sides (columns.side) beside it',
  });
}

function isOptional(name: string, kind: DatasetKind): boolean {
  if (OPTIONAL_COLUMNS.includes(name)) return true;
  return name === 'volume' || (kind === 'trades' && name === 'side');
}

/** A mapping names a column that the file does not have. */
export class MissingColumnError extends HistoryError {
  /** The place in the mapping that names the column. */
  readonly path: readonly (string | number)[];
  readonly column: Column;
  readonly table: Pick<Table, 'name' | 'headings' | 'rows'>;

  constructor(path: MissingColumnError['path'], { table, column }: Named) {
    const { headings, name } = table;
    const has = headings === undefined ? `${widthOf(table)} without names` : headings.join(', ');
    super(`Cannot import ${name}: the mapping names column "${column}", the file has ${has}`);
    this.path = path;
    this.column = column;
    this.table = table;
  }
}

/** Recognises a table by a mapping. @throws {MissingColumnError} when it lacks a mapped column. */
export function mapped(table: Table, mapping: Mapping): Recognised {
  const { kind, source, symbol, dateFormat, sides } = mapping;
  const sideWords = sides && wordsText(sides);
  const cells = Object.entries(mapping.columns).flatMap(([name, column]) => {
    if (column === undefined) return [];
    return [[name, cellOf(['columns', name], { table, column })] as const];
  });
  const columns = cells.map(([name, cell]) => [name, expressionOf(name, { cell, mapping })]);
  const prices = cells.filter(([name]) => PRICES.includes(name)).map(([, cell]) => cell);
  const leftOut = kind === 'candles' ? priceless(prices) : undefined;
  const symbolColumn =
    symbol === undefined ? undefined : columnOf(['symbol'], { table, column: symbol });
  const format = `mapped ${table.form}`;
  const facts = { format, kind, source, symbolColumn, dateFormat, leftOut, sideWords };
  return { ...facts, columns: Object.fromEntries(columns) };
}

/** The prices of a candle. */
const PRICES = ['open', 'high', 'low', 'close'];

interface Named<C = Column> {
  readonly table: Table;
  readonly column: C;
}

function cellOf(
  path: MissingColumnError['path'],
  { table, column }: Named<Column | readonly [Column, Column]>,
): string {
  if (typeof column !== 'object') return columnOf(path, { table, column });
  const [date, time] = column;
  return joined(
    columnOf([...path, 0], { table, column: date }),
    columnOf([...path, 1], { table, column: time }),
  );
}

function columnOf(path: MissingColumnError['path'], { table, column }: Named): string {
  const at = typeof column === 'number' ? column - 1 : headed(table, column);
  if (at >= 0 && at < widthOf(table)) return `c${at}`;
  throw new MissingColumnError(path, { table, column });
}

/** The index of the column with this heading, preferably in the same case; -1 if there is none. */
function headed({ headings = [] }: Table, name: string): number {
  const exact = headings.indexOf(name);
  return exact < 0 ? headings.map(plainHeading).indexOf(plainHeading(name)) : exact;
}

function widthOf({ headings, rows }: Pick<Table, 'headings' | 'rows'>): number {
  return headings?.length ?? rows[0]?.length ?? 0;
}

function isTime(name: string): boolean {
  return name === 'time' || name === 'received';
}

interface Expressed {
  readonly cell: string;
  readonly mapping: Mapping;
}

function expressionOf(name: string, { cell, mapping }: Expressed): string {
  const { dateFormat, decimal, sides } = mapping;
  if (isTime(name)) return dateFormat === undefined ? timeOf(cell) : dateOf(cell, dateFormat);
  if (name === 'side') return sides === undefined ? `side_of(${cell})` : sideBy(cell, sides);
  if (name === 'id') return cell;
  const number = decimal === 'comma' ? commaNumberOf(cell) : numberOf(cell);
  return name === 'volume' ? volumeOf(cell, number) : number;
}
