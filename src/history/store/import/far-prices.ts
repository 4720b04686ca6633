import { DAY_MS } from '../../../kernel/index.ts';
import { type Dataset, type DatasetKey, datasetId, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { COLUMNS, DEPTH_EVENTS, PRICE_COLUMNS } from '../kinds.ts';
import type { ImportedSource } from '../manifest.ts';
import { identifier } from '../sql.ts';
import { STAGED } from '../staging/staging.ts';

/** The highest ratio of two prices of one market. Our choice. */
const FACTOR_MAX = 3;
/** Prices further apart tell nothing: a market may have gone anywhere since. Our choice. */
const APART_MAX_MS = 30 * DAY_MS;

interface Joining {
  readonly key: DatasetKey;
  readonly sources: readonly ImportedSource[];
  /** The dataset that staged rows are about to join. */
  readonly before: Dataset;
  /** Whether they replace the dataset's rows of their time. */
  readonly replaces: boolean;
}

/** A row's price, and when it was. */
interface Priced {
  readonly time: number;
  readonly price: number;
}

/** A warning if the prices of staged rows are far from the dataset's where they meet. */
export async function farPrices(
  database: Database,
  { key, sources, before, replaces }: Joining,
): Promise<string[]> {
  const from = Math.min(...sources.map((source) => source.firstTime));
  const goes = (part: Part): boolean =>
    replaces &&
    sources.some(
      ({ firstTime, lastTime }) => part.firstTime >= firstTime && part.lastTime <= lastTime,
    );
  const parts = before.parts.filter((part) => !goes(part));
  if (parts.length === 0) return [];
  const column = identifier(COLUMNS[before.kind].find((name) => PRICE_COLUMNS.includes(name))!);
  const nearest = async (rows: string, meetTime: number): Promise<Priced | undefined> => {
    const [row] = await database.rows(`SELECT time, ${column} AS price FROM ${rows}
      ORDER BY abs(time - ${meetTime}) LIMIT 1`);
    return row && { time: Number(row.time), price: Number(row.price) };
  };
  const meetTime = Math.min(Math.max(from, before.firstTime), before.lastTime);
  const kept = replaces
    ? sources.map((one) => `NOT time BETWEEN ${one.firstTime} AND ${one.lastTime}`).join(' AND ')
    : 'true';
  const part = rowsOf(before, [nearestOf(parts, meetTime)]);
  // Levels of a book may have any price: for depth, trades tell that of the market.
  const isPrice = `${column} > 0${key.kind === 'depth' ? ` AND event = ${DEPTH_EVENTS.trade}` : ''}`;
  const known = await nearest(`${part} WHERE ${isPrice} AND ${kept}`, meetTime);
  const joining = known && (await nearest(`${STAGED} WHERE ${isPrice}`, known.time));
  if (joining === undefined || !isFar(known!, joining)) return [];
  return [
    `${datasetId(key)} has a price of ${known!.price} where rows with ${joining.price} join it: ` +
      `are they of ${key.market}?`,
  ];
}

function isFar(one: Priced, other: Priced): boolean {
  if (Math.abs(one.time - other.time) > APART_MAX_MS) return false;
  return Math.max(one.price / other.price, other.price / one.price) > FACTOR_MAX;
}

type Part = Dataset['parts'][number];

function nearestOf(parts: readonly Part[], time: number): Part {
  const away = ({ firstTime, lastTime }: Part): number =>
    Math.max(firstTime - time, time - lastTime, 0);
  return parts.toSorted((a, b) => away(a) - away(b))[0]!;
}
