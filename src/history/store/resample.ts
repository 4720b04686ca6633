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
 * Builds candles from trades (those of a recording too), from the middles of quotes, or coarser ones
 * from candles.
 *
 * Rows whose price cannot be are left out, as in a backtest, and counted (`dropped` of the source). A
 * bar without a row is left out. Coarser bars at the edges that the finer ones do not cover are left
 * out; the first and last bar of others hold what there is.
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
 * Tells one state of a dataset from others: of another one its bars may be others, and of older ones
 * some are where its bars joined those.
 */
function hashOf(...datasets: readonly Dataset[]): string {
  // Parts are numbered anew in a dataset that was removed.
  const states = datasets.map(({ parts, sources }) => [parts, sources.map((one) => one.sha256)]);
  return createHash('sha256').update(JSON.stringify(states)).digest('hex');
}

/** Whether bars that there are differ from those of the same times that were staged. */
async function differ(database: Database, before: Dataset): Promise<boolean> {
  const columns = 'time, open, high, low, close, volume';
  const { count } = await database.row(`SELECT count(*) AS count FROM
    (SELECT ${columns} FROM ${rowsOf(before)} EXCEPT SELECT ${columns} FROM ${STAGED})
    WHERE time IN (SELECT time FROM ${STAGED})`);
  return Number(count) > 0;
}

/** Whether a dataset holds what was resampled from another as that is now, and nothing else. */
export function isResampled({ sources }: Dataset, from: Dataset): boolean {
  const sha256 = hashOf(from);
  return sources.length > 0 && sources.every((source) => source.sha256 === sha256);
}

/**
 * Bars of trades beside those that there are. The first and the last of these may be of a part of
 * their trades: they are built anew where more was traded in them than was known.
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

/** Which rows are left out, as in a backtest: of quotes those that lack a side, which are none. */
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

/** The bars of a dataset, as SQL. */
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

/** As in a backtest: of quotes that have both sides, the middle, and their number as the volume. */
function fromQuotes(dataset: Dataset, stepMs: number): string {
  const rows = rowsOf(dataset);
  const bare = `(SELECT max(greatest("bidAmount", "askAmount")) FROM ${rows}) = 0`;
  const hasAmounts = `(least("bidAmount", "askAmount") > 0 OR ${bare})`;
  // Halfway between two prices is at most one place more: a sum of binary fractions ends in noise.
  const middles = `SELECT time, round((bid + ask) / 2, ${dataset.priceScale + 1}) AS price
    FROM ${rows} WHERE least(bid, ask) > 0 AND ${hasAmounts}`;
  return fromPrints(middles, { stepMs, volume: 'count(*)::DOUBLE' });
}

/** The bars of rows with `time` and `price`, as SQL. */
function fromPrints(
  prints: string,
  { stepMs, volume }: { readonly stepMs: number; readonly volume: string },
): string {
  return `SELECT bar AS time, arg_min(price, row) AS open, max(price) AS high, min(price) AS low,
      arg_max(price, row) AS close, ${volume} AS volume
    FROM (SELECT *, row_number() OVER () AS row, ${barTime(stepMs)} AS bar FROM (${prints}))
    GROUP BY bar`;
}

/** The bars of those candles of a dataset for which a condition holds, as SQL. */
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
 * The sum of amounts, as SQL, to the last of the dataset's decimal places: added up as decimals,
 * for sums of binary fractions end in noise.
 */
function exactSum(column: string, { amountScale }: Dataset): string {
  const decimal = `DECIMAL(38, ${amountScale})`;
  // The digits of longer numbers stand in their text alone, which takes many times as long to read.
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
