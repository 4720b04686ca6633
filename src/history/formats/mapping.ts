import { z } from 'zod';
import { HistoryError } from '../errors.ts';
import { COLUMNS, DATASET_KINDS, OPTIONAL_COLUMNS } from '../store/kinds.ts';
import { numberOf, plainHeading, type Recognised, type Table, timeOf } from './table.ts';

const columnSchema = z.union([z.string().min(1), z.int().min(1)]);

/** How the columns of a file become those of a dataset: for files that no format is known of. */
export const mappingSchema = z.strictObject({
  kind: z.enum(DATASET_KINDS).describe('What the file holds.'),
  columns: z
    .record(z.string(), columnSchema)
    .describe("For each column of the dataset, the file's: its heading, or its number from 1."),
  market: z
    .string()
    .optional()
    .describe('The market, such as btc_usdt. Default: by symbol or name.'),
  source: z.string().optional().describe('Who published it. Default: local.'),
  symbol: columnSchema.optional().describe('The column that names the market.'),
});
export type Mapping = z.infer<typeof mappingSchema>;

/** A table as a mapping describes it. @throws {HistoryError} when it has no such column. */
export function mapped(table: Table, mapping: Mapping): Recognised {
  const { kind } = mapping;
  const wanted: readonly string[] = COLUMNS[kind];
  const unknown = Object.keys(mapping.columns).find((name) => !wanted.includes(name));
  if (unknown !== undefined) {
    throw unmapped(table, `${kind} have no column "${unknown}", ${wanted.join(', ')} are wanted`);
  }
  const entries = wanted.flatMap((name) => {
    const column = mapping.columns[name];
    if (column !== undefined) return [[name, expressionOf(name, columnOf(table, column))] as const];
    const isOptional = OPTIONAL_COLUMNS.includes(name) || (kind === 'trades' && name === 'side');
    if (isOptional) return [];
    throw unmapped(table, `the mapping has no column for "${name}", one is wanted`);
  });
  const { source, symbol } = mapping;
  const symbolColumn = symbol === undefined ? undefined : columnOf(table, symbol);
  const columns = Object.fromEntries(entries);
  return { format: `mapped ${table.form}`, kind, source, symbolColumn, columns };
}

function columnOf(table: Table, column: string | number): string {
  const { headings, rows } = table;
  const width = headings?.length ?? rows[0]?.length ?? 0;
  const plain = typeof column === 'string' ? plainHeading(column) : undefined;
  const at =
    typeof column === 'number'
      ? column - 1
      : (headings ?? []).findIndex((heading) => plainHeading(heading) === plain);
  if (at >= 0 && at < width) return `c${at}`;
  const has = headings === undefined ? `${width} without names` : headings.join(', ');
  throw unmapped(table, `the mapping names column "${column}", the file has ${has}`);
}

function expressionOf(name: string, column: string): string {
  if (name === 'time' || name === 'received') return timeOf(column);
  if (name === 'side') return `side_of(${column})`;
  return name === 'id' ? column : numberOf(column);
}

function unmapped({ name }: Table, what: string): HistoryError {
  return new HistoryError(`Cannot import ${name}: ${what}`);
}
