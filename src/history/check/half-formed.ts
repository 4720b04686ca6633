import { type Dataset, rowsOf } from '../store/catalogue.ts';
import type { Database } from '../store/database.ts';
import { coarser } from '../store/resample.ts';
import { type Finding, numbersText } from './report.ts';
import { found, type Row } from './rows.ts';

const PRICES = ['open', 'high', 'low', 'close'] as const;
const NUMBERS = [...PRICES, 'volume'] as const;

/** Sums of the same volumes in another order differ by less, a missing trade makes more. */
const VOLUME_TOLERANCE = 1e-9;

interface Comparison {
  readonly dataset: Dataset;
  readonly other: Dataset;
  /** Whether the other is checked too and reports its own. */
  readonly isOtherChecked: boolean;
}

/**
 * Candles of a dataset that disagree with another resolution. Bars that the finer one covers wholly
 * are built from it and compared with the coarser: where they differ, one was saved while it still
 * ran. If both are checked, only the one with less volume reports it; if volumes are equal, the
 * coarser.
 */
export function halfFormed(
  database: Database,
  { dataset, other, isOtherChecked }: Comparison,
): Promise<Finding[]> {
  const [fine, coarse] =
    dataset.stepMs! < other.stepMs! ? [dataset, other] : ([other, dataset] as const);
  const each = coarse.stepMs! / fine.stepMs!;
  const whole = `SELECT bar FROM (SELECT DISTINCT time,
      floor((time - c.first) / ${coarse.stepMs}) * ${coarse.stepMs} + c.first AS bar
      FROM ${rowsOf(fine)}, (SELECT min(time) AS first FROM ${rowsOf(coarse)}) c)
    GROUP BY bar HAVING count(*) = ${each}`;
  const prices = PRICES.map((name) => `f.${name} <> c.${name}`).join(' OR ');
  const cells = NUMBERS.map((name) => `f.${name} AS f_${name}, c.${name} AS c_${name}`);
  const tolerance = `${VOLUME_TOLERANCE} * greatest(f.volume, c.volume)`;
  const differs = `(${prices} OR abs(f.volume - c.volume) > ${tolerance})`;
  const fineIsLess = `c.volume - f.volume > ${tolerance}`;
  const isOwn = dataset === fine ? fineIsLess : `NOT (${fineIsLess})`;
  const places = `SELECT c.time AS time, ${cells.join(', ')}
    FROM ${rowsOf(coarse)} c
    JOIN (${coarser(fine, { stepMs: coarse.stepMs! })}) f ON c.time = f.time
    JOIN (${whole}) w ON w.bar = c.time
    WHERE ${differs}${isOtherChecked ? ` AND ${isOwn}` : ''}`;
  return found(database, 'half-formed', {
    places,
    detailOf: (row) => detailOf(row, { fine, coarse }),
  });
}

interface Resolutions {
  readonly fine: Dataset;
  readonly coarse: Dataset;
}

/** Which candles differ, in what, and which of them was saved too early. */
function detailOf(row: Row, { fine, coarse }: Resolutions): string {
  const all = NUMBERS.map(
    (name) => [name, Number(row[`f_${name}`]), Number(row[`c_${name}`])] as const,
  );
  const differing = all.filter(([name, f, c]) =>
    name === 'volume' ? Math.abs(f - c) > VOLUME_TOLERANCE * Math.max(f, c) : f !== c,
  );
  const end = new Date(Number(row.time) + coarse.stepMs!).toISOString();
  const facts =
    `the ${coarse.resolution} candle until ${end} has ` +
    `${numbersText(differing.map(([name, , c]) => [name, c]))}, its ${fine.resolution} candles ` +
    `have ${numbersText(differing.map(([name, f]) => [name, f]))}`;
  const volume = differing.find(([name]) => name === 'volume');
  if (volume === undefined) return facts;
  // Volume only grows while a candle runs.
  const [, f, c] = volume;
  const early = c < f ? `the ${coarse.resolution} candle` : `one of the ${fine.resolution} candles`;
  return `${facts}: ${early} is half-formed`;
}
