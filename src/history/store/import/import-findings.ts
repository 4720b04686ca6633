import { formatDuration, MINUTE_MS, SECOND_MS } from '../../../kernel/index.ts';
import { IMPOSSIBLE } from '../../check/candles.ts';
import { numbersText } from '../../check/report.ts';
import { longerRuns } from '../../check/step-runs.ts';
import { IMPOSSIBLE_TRADE } from '../../check/trades.ts';
import { type Dataset, type DatasetKey, partFiles } from '../catalogue.ts';
import { APART_MIN_MS } from '../commit/spans.ts';
import type { Database } from '../database.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import type { ImportedSource } from '../manifest.ts';
import { unknownBeginning, unknownBook } from '../read/unknown-beginning.ts';
import type { Remark } from '../remark.ts';
import { originMs, resolutionName } from '../resolution.ts';
import { STAGED } from '../staging/staging.ts';
import { repeatedRows } from './repeated-rows.ts';

/** The hint at what shows impossible rows, and more. */
export const SHOWN_BY_CHECK = '`tradewind data check` shows them';

/** Holes that are told one by one. */
const HOLES_TOLD = 5;

/** Rows that were staged and joined a dataset. */
export interface Joined {
  readonly key: DatasetKey;
  /** The name of the rows in messages. */
  readonly name: string;
  readonly stepMs?: number | undefined;
  /** The files, by their number in the staging table. */
  readonly sources: readonly ImportedSource[];
  /** The dataset as it was, and as it is now. */
  readonly before: Dataset | undefined;
  readonly dataset: Dataset;
  /** Which of the staged rows are in the dataset now: a condition of SQL. */
  readonly kept: string;
}

/** What a user should know of imported rows. */
export async function importFindings(database: Database, joined: Joined): Promise<Remark[]> {
  return [
    ...(await ofKind(database, joined)),
    ...(await holes(database, joined)),
    ...(await repeatedRows(database, joined)),
  ];
}

async function ofKind(database: Database, joined: Joined): Promise<Remark[]> {
  const { stepMs, key } = joined;
  switch (key.kind) {
    case 'trades':
      return impossible(database, joined, TRADES);
    case 'depth':
      return [
        ...(await impossible(database, joined, DEPTH_TRADES)),
        ...(await withoutBook(database, joined)),
      ];
    case 'candles':
      return [
        ...(await impossible(database, joined, CANDLES)),
        ...(await atLongerStep(database, { ...joined, stepMs: stepMs! })),
        ...(await besideGrid(database, { ...joined, stepMs: stepMs! })),
        ...(await withoutVolume(database, joined)),
      ];
    case 'quotes':
      return [];
    default:
      return key.kind satisfies never;
  }
}

/** Impossible rows: their kind in words, the numbers to show, and the condition. */
interface Impossible {
  readonly noun: readonly [one: string, many: string];
  readonly numbers: readonly string[];
  readonly where: string;
}

const CANDLES: Impossible = {
  noun: ['candle', 'candles'],
  numbers: ['open', 'high', 'low', 'close', 'volume'],
  where: IMPOSSIBLE,
};
const TRADES: Impossible = {
  noun: ['trade', 'trades'],
  numbers: ['price', 'amount'],
  where: IMPOSSIBLE_TRADE,
};
const DEPTH_TRADES: Impossible = {
  ...TRADES,
  where: `event = ${DEPTH_EVENTS.trade} AND (${IMPOSSIBLE_TRADE})`,
};

/** A remark if the book is unknown at the dataset's beginning, from which later rows go on. */
async function withoutBook(database: Database, { name, dataset }: Joined): Promise<Remark[]> {
  const unknown = await unknownBeginning(database, { files: partFiles(dataset) });
  return unknown === undefined ? [] : [unknownBook(name, unknown)];
}

async function impossible(
  database: Database,
  { name, sources, kept }: Joined,
  { noun, numbers, where }: Impossible,
): Promise<Remark[]> {
  const first = numbers.map((column) => `arg_min(${column}, time) AS ${column}`);
  const row = await database.row(`SELECT count(*) AS count, min(time) AS time,
    arg_min(file, time) AS file, ${first.join(', ')} FROM ${STAGED}
    WHERE (${where}) AND ${kept}`);
  if (Number(row.count) === 0) return [];
  const values = numbersText(numbers.map((column) => [column, Number(row[column])]));
  const place = `the first in ${sources[Number(row.file)]!.name} at ${utc(Number(row.time))}`;
  const text = `${countText(row.count, noun)} of ${name} cannot be, ${place}: ${values}`;
  return [{ text, hint: SHOWN_BY_CHECK }];
}

async function besideGrid(
  database: Database,
  { name, sources, kept, stepMs }: Joined & { readonly stepMs: number },
): Promise<Remark[]> {
  const beside = `(time - ${originMs(stepMs)}) % ${stepMs}`;
  const row = await database.row(`SELECT count(*) AS count, min(time) AS time,
      arg_min(file, time) AS file, min(${beside}) AS least FROM ${STAGED}
    WHERE ${beside} <> 0 AND ${kept}`);
  if (Number(row.count) === 0) return [];
  const areEnds = stepMs >= MINUTE_MS && Number(row.least) >= stepMs - SECOND_MS;
  const place = `the first in ${sources[Number(row.file)]!.name} at ${utc(Number(row.time))}`;
  const text =
    `${countText(row.count, CANDLES.noun)} of ${name} do not begin on the ` +
    `${resolutionName(stepMs)} grid of UTC, ${place}` +
    (areEnds ? ': their times seem to be their ends, but are taken for their beginnings' : '');
  return [{ text }];
}

/** Candles that may be of another resolution, and are too few to refuse the file. */
async function atLongerStep(
  database: Database,
  { name, sources, kept, stepMs }: Joined & { readonly stepMs: number },
): Promise<Remark[]> {
  const { count } = await database.row(`SELECT count(*) AS count FROM ${STAGED}`);
  const steps = `SELECT time, file, row,
      time - lag(time) OVER (PARTITION BY file ORDER BY time) AS step FROM ${STAGED}`;
  const runs = `FROM (${longerRuns(steps, { stepMs, count: Number(count) })}) WHERE ${kept}`;
  const [first] = await database.rows(`SELECT * ${runs} ORDER BY time LIMIT 1`);
  if (first === undefined) return [];
  const { all } = await database.row(`SELECT sum(run) AS all ${runs}`);
  const place = `the first in ${sources[Number(first.file)]!.name} at ${utc(Number(first.time))}`;
  const step = formatDuration(Number(first.step));
  const text =
    `${countText(all, CANDLES.noun)} of ${name} may be of another resolution, ${place}: ` +
    `${first.run} in a row are each ${step} behind the one before`;
  return [{ text, hint: SHOWN_BY_CHECK }];
}

async function withoutVolume(database: Database, { sources }: Joined): Promise<Remark[]> {
  const rows = await database.rows(`SELECT file FROM ${STAGED}
    GROUP BY file HAVING max(abs(volume)) = 0 ORDER BY file`);
  const [first, ...others] = rows.map(({ file }) => sources[Number(file)]!.name);
  if (first === undefined) return [];
  const files = others.length === 0 ? `${first} has` : `${first} and ${others.length} more have`;
  const text =
    `${files} no volume, 0 is taken: in a backtest no order fills at such a candle unless ` +
    'backtest.fill.volumeCap is null';
  return [{ text }];
}

/** A time that has rows. */
interface Span {
  readonly name: string;
  readonly firstTime: number;
  readonly lastTime: number;
  readonly isNew: boolean;
}

interface Hole {
  readonly from: number;
  readonly to: number;
  readonly between: string;
}

/** Holes beside new rows that are longer than any within them: there may be a file missing. */
async function holes(
  database: Database,
  { name, stepMs, sources, before }: Joined,
): Promise<Remark[]> {
  const found = holesBetween([
    ...(before?.parts ?? []).map((part) => ({ ...part, name: 'what was there', isNew: false })),
    ...sources.map((source) => ({ ...source, isNew: true })),
  ]).filter(({ from, to }) => to - from > (stepMs ?? APART_MIN_MS));
  if (found.length === 0) return [];
  const { longest } = await database.row(`SELECT max(step) AS longest FROM (SELECT
    time - lag(time) OVER (PARTITION BY file ORDER BY time) AS step FROM ${STAGED})`);
  const long = found.filter(({ from, to }) => to - from > Number(longest ?? 0));
  const remarks = long.slice(0, HOLES_TOLD).map(({ from, to, between }) => {
    const span = `from ${utc(from + (stepMs ?? 0))} to ${utc(to)}`;
    return { text: `${name} has no rows ${span}, between ${between}` };
  });
  const more = long.length - remarks.length;
  if (more === 0) return remarks;
  return [...remarks, { text: `${name} has no rows in ${more} more places between files` }];
}

function holesBetween(spans: readonly Span[]): Hole[] {
  const found: Hole[] = [];
  let latest: Span | undefined;
  for (const span of spans.toSorted((a, b) => a.firstTime - b.firstTime)) {
    if (latest !== undefined && (span.isNew || latest.isNew)) {
      const between = `${latest.name} and ${span.name}`;
      found.push({ from: latest.lastTime, to: span.firstTime, between });
    }
    if (latest === undefined || span.lastTime > latest.lastTime) latest = span;
  }
  return found;
}

function countText(count: unknown, [one, many]: Impossible['noun']): string {
  return `${Number(count).toLocaleString('en-US')} ${Number(count) === 1 ? one : many}`;
}

function utc(time: number): string {
  return new Date(time).toISOString();
}
