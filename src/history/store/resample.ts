import { createHash } from 'node:crypto';
import { IMPOSSIBLE_TRADE } from '../check/trades.ts';
import { HistoryError } from '../errors.ts';
import {
  amountUnitsOf,
  type Dataset,
  type DatasetKey,
  datasetId,
  openDataset,
  rowsOf,
} from './catalogue.ts';
import type { BesideKnown } from './commit/beside-known.ts';
import { commit, type OverlapRule } from './commit/commit.ts';
import { type Database, withDatabase } from './database.ts';
import { type Interruptible, interruptionOr } from './interruption.ts';
import { type DatasetKind, DEPTH_EVENTS } from './kinds.ts';
import { lockDataset } from './lock.ts';
import { originMs, resolutionMs, resolutionName } from './resolution.ts';
import { createStaging, describeStaged, STAGED } from './staging/staging.ts';
import { withWorkFolder } from './work-folder.ts';

/** Decimal digits that every double keeps. Source: IEEE 754, `DBL_DIG`. */
const DIGITS_SURE = 15;

export interface ResampleOptions extends Interruptible {
  readonly root: string;
  /** Length of the candles, such as `5min`. */
  readonly resolution: string;
  /** The source of the new dataset. Default: that of the old. */
  readonly source?: string | undefined;
  readonly overlap?: OverlapRule | undefined;
  /** Let rows join those of another origin. Default: false. */
  readonly mix?: boolean | undefined;
}

/**
 * Builds candles from trades (also those of depth), from the middles of quotes, or from finer
 * candles.
 *
 * Rows with impossible prices are left out, as in a backtest, and counted (`dropped` of the
 * source). A bar without a row is left out. At the edges, bars of candles are left out if the
 * candles do not cover them; the first and last bar of trades or quotes hold what there is.
 *
 * @throws {HistoryError} when the dataset has no rows that they can be built from.
 */
export async function resample(dataset: Dataset, options: ResampleOptions): Promise<Dataset> {
  const stepMs = stepFor(dataset, options.resolution);
  const { root, signal } = options;
  try {
    return await withWorkFolder(root, (workFolder) =>
      withDatabase((database) => build(database, { dataset, options, stepMs, workFolder }), {
        spillFolder: workFolder,
        signal,
      }),
    );
  } catch (thrown) {
    throw interruptionOr(thrown, { signal, left: 'nothing was resampled' });
  }
}

interface Build {
  readonly dataset: Dataset;
  readonly options: ResampleOptions;
  readonly stepMs: number;
  readonly workFolder: string;
}

async function build(
  database: Database,
  { dataset, options, stepMs, workFolder }: Build,
): Promise<Dataset> {
  await createStaging(database, 'candles');
  await database.run(`INSERT INTO ${STAGED} SELECT 0, row_number() OVER (ORDER BY time), *
    FROM (${barsOf(dataset, stepMs)}) ORDER BY time`);
  const { count } = await database.row(`SELECT count(*) AS count FROM ${STAGED}`);
  if (Number(count) === 0) {
    throw unfit(dataset, 'it covers no whole bar of that length, a shorter one is wanted');
  }
  const source = options.source ?? dataset.source;
  const resolution = resolutionName(stepMs);
  const key: DatasetKey = { source, market: dataset.market, kind: 'candles', resolution };
  const staged = await describeStaged(database, { file: 0 });
  const sha256 = hashOf(dataset);
  const origin = { kind: 'dataset', name: dataset.id } as const;
  const [amountUnit] = dataset.kind === 'quotes' ? (['quotes'] as const) : amountUnitsOf(dataset);
  const unit = amountUnit === undefined ? {} : { amountUnit };
  const format = 'resampled';
  const made = {
    name: dataset.id,
    sha256,
    format,
    origin,
    ...unit,
    ...staged,
    dropped: await leftOutOf(database, dataset),
  };
  const { root, overlap = 'refuse', mix } = options;
  const change = { root, workFolder, key, stepMs, overlap, mix };
  const lock = lockDataset(root, { id: datasetId(key), work: 'resamples into' });
  try {
    const before = openDataset(root, datasetId(key));
    const known = overlap === 'append' ? before : undefined;
    const isAdded = known !== undefined && dataset.kind !== 'candles';
    const beside = isAdded ? await besideBars(database, known) : undefined;
    const isOld = known !== undefined && (await differ(database, known));
    const sources = isOld ? [{ ...made, sha256: hashOf(dataset, known) }] : [made];
    return await commit(database, { ...change, sources, beside, action: 'resample' });
  } finally {
    lock.release();
  }
}

/**
 * Identifies states of datasets: from another state other bars may be built. If bars joined older
 * ones that differ, the state of the older ones counts too.
 */
function hashOf(...datasets: readonly Dataset[]): string {
  // A dataset that was removed and made anew numbers its parts from the beginning.
  const states = datasets.map(({ parts, sources }) => [parts, sources.map((one) => one.sha256)]);
  return createHash('sha256').update(JSON.stringify(states)).digest('hex');
}

/** Whether bars of a dataset differ from the staged ones of the same times. */
async function differ(database: Database, before: Dataset): Promise<boolean> {
  const columns = 'time, open, high, low, close, volume';
  const { count } = await database.row(`SELECT count(*) AS count FROM
    (SELECT ${columns} FROM ${rowsOf(before)} EXCEPT SELECT ${columns} FROM ${STAGED})
    WHERE time IN (SELECT time FROM ${STAGED})`);
  return Number(count) > 0;
}

/** Whether all of a dataset was resampled from the present state of another. */
export function isResampled({ sources }: Dataset, from: Dataset): boolean {
  const sha256 = hashOf(from);
  return sources.length > 0 && sources.every((source) => source.sha256 === sha256);
}

/**
 * The bars to add beside those of a dataset. Its first and last bar may hold a part of their trades
 * only: they are replaced by staged ones with more volume.
 */
async function besideBars(database: Database, before: Dataset): Promise<BesideKnown> {
  const { firstTime: first, lastTime: last } = before;
  const grown = await database.rows(`SELECT time FROM ${STAGED} AS own
    JOIN ${rowsOf(before)} AS known USING (time)
    WHERE time IN (${first}, ${last}) AND own.volume > known.volume`);
  const times = grown.map(({ time }) => Number(time));
  return {
    ahead: times.includes(first) ? `time <= ${first}` : `time < ${first}`,
    behind: times.includes(last) && last > first ? `time >= ${last}` : `time > ${last}`,
    kept: times.length === 0 ? 'true' : `time NOT IN (${times.join(', ')})`,
  };
}

/** Rows that count as left out, as in a backtest. A quote that lacks a side is not one of them. */
const UNPRICED = 'least(open, high, low, close) <= 0';
const LEFT_OUT: Readonly<Record<DatasetKind, string>> = {
  candles: UNPRICED,
  trades: IMPOSSIBLE_TRADE,
  depth: `event = ${DEPTH_EVENTS.trade} AND (${IMPOSSIBLE_TRADE})`,
  quotes: 'false',
};

async function leftOutOf(database: Database, dataset: Dataset): Promise<number> {
  const rows = `${rowsOf(dataset)} WHERE ${LEFT_OUT[dataset.kind]}`;
  const { count } = await database.row(`SELECT count(*) AS count FROM ${rows}`);
  return Number(count);
}

/** SQL for the bars of a dataset. */
function barsOf(dataset: Dataset, stepMs: number): string {
  if (dataset.kind === 'candles') return coarser(dataset, { stepMs, where: `NOT (${UNPRICED})` });
  return dataset.kind === 'quotes' ? fromQuotes(dataset, stepMs) : fromTrades(dataset, stepMs);
}

function barTime(stepMs: number): string {
  const origin = originMs(stepMs);
  return `floor((time - ${origin}) / ${stepMs}) * ${stepMs} + ${origin}`;
}

function fromTrades(dataset: Dataset, stepMs: number): string {
  const isTrade = dataset.kind === 'depth' ? `event = ${DEPTH_EVENTS.trade} AND ` : '';
  const trades = `SELECT * FROM ${rowsOf(dataset)} WHERE ${isTrade}NOT (${IMPOSSIBLE_TRADE})`;
  return fromPrints(trades, { stepMs, volume: exactSum('amount', dataset) });
}

/** Bars of quotes with both sides, as in a backtest: of the middles; the volume is their number. */
function fromQuotes(dataset: Dataset, stepMs: number): string {
  const rows = rowsOf(dataset);
  const bare = `(SELECT max(greatest("bidAmount", "askAmount")) FROM ${rows}) = 0`;
  const hasAmounts = `(least("bidAmount", "askAmount") > 0 OR ${bare})`;
  // A middle has at most one decimal place more; rounding removes binary noise.
  const middles = `SELECT time, round((bid + ask) / 2, ${dataset.priceScale + 1}) AS price
    FROM ${rows} WHERE least(bid, ask) > 0 AND ${hasAmounts}`;
  return fromPrints(middles, { stepMs, volume: 'count(*)::DOUBLE' });
}

/** SQL for the bars of rows with `time` and `price`. */
function fromPrints(
  prints: string,
  { stepMs, volume }: { readonly stepMs: number; readonly volume: string },
): string {
  return `SELECT bar AS time, arg_min(price, row) AS open, max(price) AS high, min(price) AS low,
      arg_max(price, row) AS close, ${volume} AS volume
    FROM (SELECT *, row_number() OVER () AS row, ${barTime(stepMs)} AS bar FROM (${prints}))
    GROUP BY bar`;
}

/** SQL for longer bars of a dataset's candles that meet a condition. */
export function coarser(
  dataset: Dataset,
  { stepMs, where = 'true' }: { readonly stepMs: number; readonly where?: string },
): string {
  const { stepMs: fineMs = 0 } = dataset;
  const rows = rowsOf(dataset);
  return `SELECT bar AS time, arg_min(open, time) AS open, max(high) AS high, min(low) AS low,
      arg_max(close, time) AS close, ${exactSum('volume', dataset)} AS volume
    FROM (SELECT DISTINCT ON (time) *, ${barTime(stepMs)} AS bar FROM ${rows} WHERE ${where})
    GROUP BY bar
    HAVING bar >= ${dataset.firstTime} AND bar + ${stepMs} <= ${dataset.lastTime + fineMs}`;
}

/**
 * SQL for a sum of amounts, exact to the dataset's decimal places: sums of binary fractions end in
 * noise, so decimals are added up.
 */
function exactSum(column: string, { amountScale }: Dataset): string {
  const decimal = `DECIMAL(38, ${amountScale})`;
  // Longer numbers need the digits of their text, which takes many times as long to read.
  const isShort = `abs(${column}) < 1e${DIGITS_SURE - amountScale}`;
  const exact = `CASE WHEN ${isShort} THEN ${column}::${decimal} ELSE ${column}::VARCHAR::${decimal} END`;
  return `sum(${exact})::VARCHAR::DOUBLE`;
}

function stepFor(dataset: Dataset, resolution: string): number {
  const stepMs = resolutionMs(resolution);
  if (stepMs === undefined) {
    throw unfit(dataset, `"${resolution}" is no length, one such as 5min or 1hour is wanted`);
  }
  const fineMs = dataset.stepMs ?? 1;
  if (stepMs > fineMs && stepMs % fineMs === 0) return stepMs;
  if (dataset.kind !== 'candles') return stepMs;
  throw unfit(dataset, `its candles are ${dataset.resolution}, a multiple of that is wanted`);
}

function unfit({ id }: Dataset, what: string): HistoryError {
  return new HistoryError(`Cannot resample ${id}: ${what}`);
}
