import { type Dataset, partFiles } from '../store/catalogue.ts';
import type { Database } from '../store/database.ts';
import { barsOf } from '../store/resample.ts';
import { parquet } from '../store/sql.ts';
import { type Finding, finding } from './report.ts';
import { placesOf } from './rows.ts';

/** Sums of binary fractions in another order differ by less; a missing trade by more. */
const VOLUME_TOLERANCE = 1e-9;

interface Comparison {
  readonly dataset: Dataset;
  readonly other: Dataset;
}

/**
 * Candles that disagree between two resolutions. Bars that the finer one covers wholly are built
 * from it and compared with the coarser: where they differ, one was saved while it still ran.
 */
export async function halfFormed(
  database: Database,
  { dataset, other }: Comparison,
): Promise<Finding[]> {
  const [fine, coarse] =
    dataset.stepMs! < other.stepMs! ? [dataset, other] : ([other, dataset] as const);
  const each = coarse.stepMs! / fine.stepMs!;
  const whole = `SELECT bar FROM (SELECT DISTINCT time,
      floor((time - c.first) / ${coarse.stepMs}) * ${coarse.stepMs} + c.first AS bar
      FROM ${parquet(partFiles(fine))}, (SELECT min(time) AS first FROM ${parquet(partFiles(coarse))}) c)
    GROUP BY bar HAVING count(*) = ${each}`;
  const prices = ['open', 'high', 'low', 'close']
    .map((name) => `f.${name} <> c.${name}`)
    .join(' OR ');
  const differing = `SELECT c.time AS time, ${prices} AS in_price, f.open AS fo, f.high AS fh, f.low AS fl, f.close AS fc,
      f.volume AS fv, c.open AS co, c.high AS ch, c.low AS cl, c.close AS cc, c.volume AS cv
    FROM ${parquet(partFiles(coarse))} c
    JOIN (${barsOf(fine, coarse.stepMs!)}) f ON c.time = f.time
    JOIN (${whole}) w ON w.bar = c.time
    WHERE ${prices} OR abs(f.volume - c.volume) > ${VOLUME_TOLERANCE} * greatest(f.volume, c.volume)`;
  const { count } = await database.row(`SELECT count(*) AS count FROM (${differing})`);
  const bar = (p: string): string =>
    `concat_ws(' ', ${['o', 'h', 'l', 'c', 'v'].map((name) => p + name).join(', ')})`;
  const detail = `if(in_price, 'prices and volume: ', 'volume: ') || '${coarse.resolution} ' || ${bar('c')} || ', from ${fine.resolution} ' || ${bar('f')}`;
  const places = await placesOf(database, `SELECT time, ${detail} AS detail FROM (${differing})`);
  return finding('half-formed', count, places);
}
