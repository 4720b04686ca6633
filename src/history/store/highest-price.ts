import { type Dataset, partFiles } from './catalogue.ts';
import { withDatabase } from './database.ts';
import { COLUMNS, PRICE_COLUMNS } from './kinds.ts';
import { identifier, parquet } from './sql.ts';

/** The highest price of a dataset; undefined where none is above 0. */
export async function highestPriceOf(dataset: Dataset): Promise<number | undefined> {
  const columns = COLUMNS[dataset.kind].filter((name) => PRICE_COLUMNS.includes(name));
  const highest = columns.map((name) => `max(${identifier(name)})`).join(', ');
  const { price } = await withDatabase((database) =>
    database.row(`SELECT greatest(${highest}) AS price FROM ${parquet(partFiles(dataset))}`),
  );
  return Number(price) > 0 ? Number(price) : undefined;
}
