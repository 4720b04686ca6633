import { z } from 'zod';
import { HistoryError } from '../errors.ts';
import { COLUMNS, type DatasetKind, OPTIONAL_COLUMNS } from '../store/kinds.ts';
import { numberOf, plainHeading, type Recognised, type Table, timeOf } from './table.ts';

const columnSchema = z.union([z.string().min(1), z.int().min(1)], {
  error: 'the heading of a column, or its number from 1,',
});

const shared = {
  market: z
    .string()
    .regex(/^[a-z0-9]+_[a-z0-9]+$/, 'a market such as btc_usdt')
    .optional()
    .describe('The market, such as btc_usdt. Default: by symbol or name.'),
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]*$/, 'a name of a-z, 0-9, dots, dashes and underscores')
    .optional()
    .describe('Who published it. Default: local.'),
  symbol: columnSchema.optional().describe('The column that names the market.'),
};

/** How the columns of a file become those of a dataset: for files that no format is known of. */
export const mappingSchema = z.discriminatedUnion('kind', [
  kindSchema('candles'),
  kindSchema('trades'),
  kindSchema('quotes'),
  kindSchema('depth'),
]);
export type Mapping = z.infer<typeof mappingSchema>;

function kindSchema<K extends DatasetKind>(kind: K) {
  const columns: Record<string, z.ZodType<string | number | undefined>> = {};
  for (const name of COLUMNS[kind]) {
    columns[name] = isOptional(name, kind) ? columnSchema.optional() : columnSchema;
  }
  return z.strictObject({
    kind: z.literal(kind).describe('What the file holds.'),
    columns: z
      .strictObject(columns)
      .describe("For each column of the dataset, the file's: its heading, or its number from 1."),
    ...shared,
  });
}

function isOptional(name: string, kind: DatasetKind): boolean {
  return OPTIONAL_COLUMNS.includes(name) || (kind === 'trades' && name === 'side');
}

/** A mapping names a column that the file does not have. */
export class MissingColumnError extends HistoryError {
  /** Where the mapping names it. */
  readonly path: readonly string[];
  readonly column: string | number;
  readonly table: Pick<Table, 'name' | 'headings' | 'rows'>;

  constructor(path: readonly string[], { table, column }: Named) {
    const { headings, name } = table;
    const has = headings === undefined ? `${widthOf(table)} without names` : headings.join(', ');
    super(`Cannot import ${name}: the mapping names column "${column}", the file has ${has}`);
    this.path = path;
    this.column = column;
    this.table = table;
  }
}

/** A table as a mapping describes it. @throws {MissingColumnError} when it has no such column. */
export function mapped(table: Table, mapping: Mapping): Recognised {
  const { kind, source, symbol } = mapping;
  const columns = Object.entries(mapping.columns).flatMap(([name, column]) => {
    if (column === undefined) return [];
    return [[name, expressionOf(name, columnOf(['columns', name], { table, column }))] as const];
  });
  const symbolColumn =
    symbol === undefined ? undefined : columnOf(['symbol'], { table, column: symbol });
  const format = `mapped ${table.form}`;
  return { format, kind, source, symbolColumn, columns: Object.fromEntries(columns) };
}

/** A column as a mapping names it. */
interface Named {
  readonly table: Table;
  readonly column: string | number;
}

function columnOf(path: readonly string[], { table, column }: Named): string {
  const headings = (table.headings ?? []).map(plainHeading);
  const at = typeof column === 'number' ? column - 1 : headings.indexOf(plainHeading(column));
  if (at >= 0 && at < widthOf(table)) return `c${at}`;
  throw new MissingColumnError(path, { table, column });
}

function widthOf({ headings, rows }: Pick<Table, 'headings' | 'rows'>): number {
  return headings?.length ?? rows[0]?.length ?? 0;
}

function expressionOf(name: string, column: string): string {
  if (name === 'time' || name === 'received') return timeOf(column);
  if (name === 'side') return `side_of(${column})`;
  return name === 'id' ? column : numberOf(column);
}
