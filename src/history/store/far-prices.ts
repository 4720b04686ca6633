import { type Dataset, type DatasetKey, datasetId, partFiles } from './catalogue.ts';
import type { Database } from './database.ts';
import { COLUMNS, PRICE_COLUMNS } from './kinds.ts';
import type { ImportedSource } from './manifest.ts';
import { identifier, parquet } from './sql.ts';
import { STAGED } from './staging.ts';

/** How many times another a price may be and still be of the same market. Our choice. */
const FACTOR_MAX = 3;

interface Joining {
  readonly key: DatasetKey;
  readonly sources: readonly ImportedSource[];
  /** The dataset that staged rows are about to join. */
  readonly before: Dataset;
}

/** A sentence where the prices of staged rows are far from those beside them in the dataset. */
export async function farPrices(
  database: Database,
  { key, sources, before }: Joining,
): Promise<string[]> {
  const firstTime = Math.min(...sources.map((source) => source.firstTime));
  // Where both meet.
  const time = Math.min(Math.max(firstTime, before.firstTime), before.lastTime);
  const column = COLUMNS[before.kind].find((name) => PRICE_COLUMNS.includes(name))!;
  const nearest = async (relation: string): Promise<number | undefined> => {
    const [row] = await database.rows(`SELECT ${identifier(column)} AS price FROM ${relation}
      WHERE ${identifier(column)} > 0 ORDER BY abs(time - ${time}) LIMIT 1`);
    return row === undefined ? undefined : Number(row.price);
  };
  const price = await nearest(STAGED);
  const known = await nearest(parquet(partFiles(nearestPart(before, time))));
  if (price === undefined || known === undefined) return [];
  if (Math.max(price / known, known / price) <= FACTOR_MAX) return [];
  return [
    `${datasetId(key)} is at ${known} where rows at ${price} join it: are they of ${key.market}?`,
  ];
}

/** The dataset with that of its parts alone which is nearest to a time. */
function nearestPart(dataset: Dataset, time: number): Dataset {
  const away = ({ firstTime, lastTime }: Dataset['parts'][number]): number =>
    Math.max(firstTime - time, time - lastTime, 0);
  return { ...dataset, parts: dataset.parts.toSorted((a, b) => away(a) - away(b)).slice(0, 1) };
}
