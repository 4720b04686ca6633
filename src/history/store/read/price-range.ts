import { type Dataset, rowsOf } from '../catalogue.ts';
import { withDatabase } from '../database.ts';
import { COLUMNS, PRICE_COLUMNS } from '../kinds.ts';
import { identifier } from '../sql.ts';

/** The lowest and the highest price. */
export interface PriceRange {
  readonly lowest: number;
  readonly highest: number;
}

/** The range of a dataset's prices above 0; undefined if there are none. */
export async function priceRangeOf(dataset: Dataset): Promise<PriceRange | undefined> {
  const columns = COLUMNS[dataset.kind].filter((name) => PRICE_COLUMNS.includes(name));
  const each = (aggregate: (column: string) => string): string =>
    columns.map((name) => aggregate(identifier(name))).join(', ');
  const lowest = each((column) => `min(${column}) FILTER (${column} > 0)`);
  const highest = each((column) => `max(${column})`);
  const row = await withDatabase((database) =>
    database.row(
      `SELECT least(${lowest}) AS lowest, greatest(${highest}) AS highest ` +
        `FROM ${rowsOf(dataset)}`,
    ),
  );
  const range = { lowest: Number(row.lowest), highest: Number(row.highest) };
  return range.highest > 0 ? range : undefined;
}
