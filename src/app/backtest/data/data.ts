import { createHash } from 'node:crypto';
import { type DepthColumns, INTERVAL_MS, INTERVALS } from '../../../domain/index.ts';
import {
  amountUnitsOf,
  type Chunk,
  type Dataset,
  type DatasetKind,
  type DatasetOf,
  datasetNames,
  openingBook,
  openScan,
  priceRangeOf,
  requireDataset,
} from '../../../history/index.ts';
import { HOUR_MS, readMoment } from '../../../kernel/index.ts';
import { didYouMean } from '../../config/suggest.ts';
import { AppError } from '../../errors.ts';
import { requireLegible } from '../../history/data-folder.ts';
import { onDisk, rowsOnDisk } from '../../history/disk.ts';
import type { GeneratedSettings } from '../config.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { momentText } from '../moment.ts';
import { SILENCE_MS } from './findings/silence-findings.ts';
import { generatedRange, generatedRows } from './generated.ts';
import { marketOf, requireHeld, worthOf } from './market.ts';
import type { Source } from './source.ts';

export type { CandleSource, Source } from './source.ts';

/** From when to when. */
export interface Period {
  /** From when on data ahead of `warmFromMs` may be told as known history. Default: all of them. */
  readonly knownFromMs?: number;
  /** First moment that strategies hear as it comes, milliseconds since the epoch. */
  readonly warmFromMs: number;
  /** From when on they are heard. */
  readonly fromMs: number;
  /** End, not included. */
  readonly toMs: number;
}

/**
 * Opens the data of every market of a deployment, in its order.
 *
 * @throws {AppError} `configuration` for a market without data, or with two kinds of it;
 * `recording` for a dataset that there is not or that the fill model cannot use.
 */
export async function openSources(deployment: BacktestDeployment): Promise<Source[]> {
  const { config, yaml, backtest } = deployment;
  for (const section of ['data', 'generate', 'markets'] as const) {
    for (const id of Object.keys(backtest[section])) {
      if (config.markets.includes(id)) continue;
      const place = yaml.locate(['backtest', section], id);
      const hint =
        didYouMean(id, config.markets) || `, one of ${config.markets.join(', ')} is wanted`;
      const what = `Cannot use backtest.${section} of ${id}: the deployment does not trade it`;
      throw new AppError('configuration', `${place}: ${what}${hint}`);
    }
  }
  const sources: Source[] = [];
  for (const id of config.markets) sources.push(await openSource(id, deployment));
  return sources;
}

async function openSource(id: string, deployment: BacktestDeployment): Promise<Source> {
  const { yaml, backtest } = deployment;
  const name = backtest.data[id];
  const settings = backtest.generate[id];
  if (name !== undefined && settings !== undefined) {
    const what = `Cannot make up the prices of ${id}: it has a dataset, one of both is wanted`;
    throw new AppError('configuration', `${yaml.locate(['backtest', 'generate'], id)}: ${what}`);
  }
  if (name !== undefined) return recordedSource(id, { deployment, name });
  if (settings !== undefined) return generatedSource(id, { deployment, settings });
  const what =
    `Cannot replay ${id}: it has no data, its dataset in backtest.data is wanted ` +
    '(`tradewind data list` shows those there are)';
  throw new AppError('configuration', `${yaml.locate(['backtest'], 'data')}: ${what}`);
}

async function generatedSource(
  id: string,
  { deployment, settings }: { deployment: BacktestDeployment; settings: GeneratedSettings },
): Promise<Source> {
  const { yaml, backtest } = deployment;
  const { priceScale } = settings;
  const rows = generatedRows(id, { backtest, settings });
  const range = () => generatedRange(rows);
  const worth = await worthOf(id, { deployment, priceScale, range });
  const market = marketOf(id, { deployment, scales: settings, worth });
  const source = { ...rows, market, worth };
  requirePlayable(source, { deployment, place: yaml.locate(['backtest', 'generate'], id) });
  return source;
}

interface Named {
  readonly deployment: BacktestDeployment;
  readonly name: string;
}

async function recordedSource(id: string, { deployment, name }: Named): Promise<Source> {
  const { yaml } = deployment;
  const place = yaml.locate(['backtest', 'data', id]);
  const dataset = datasetOf({ deployment, name }, place);
  const refuse = (what: string): AppError => new AppError('recording', `${place}: ${what}`);
  if (dataset.market !== id) {
    throw refuse(`Cannot replay ${name} as ${id}: it is of ${dataset.market}`);
  }
  const { priceScale } = dataset;
  const range = () => onDisk(`replay ${dataset.id}`, () => priceRangeOf(dataset));
  const worth = await worthOf(id, { deployment, priceScale, range });
  const shared = {
    market: marketOf(id, { deployment, scales: dataset, worth }),
    worth,
    ...{ name, hash: hashOf(dataset), firstMs: dataset.firstTime },
    ...{ gaps: dataset.gaps, findings: [...disorderOf(dataset), ...unitsOf(dataset)] },
  };
  const source = sourceOf(dataset, shared);
  if (source === undefined) {
    throw refuse(
      dataset.kind === 'candles'
        ? `Cannot replay ${name}: its candles of ${dataset.resolution} are none of ` +
            `${INTERVALS.join(', ')}; \`tradewind data resample\` makes such`
        : `Cannot replay ${name}: of ${dataset.kind} alone nobody knows when orders fill; ` +
            'candles, trades or depth are wanted',
    );
  }
  requirePlayable(source, { deployment, place });
  return source;
}

/** The dataset of that name. @throws {AppError} `recording`, with the name nearest to it. */
function datasetOf({ deployment, name }: Named, place: string): Dataset {
  const { dataFolder } = deployment.backtest;
  requireLegible(dataFolder);
  const names = datasetNames(dataFolder);
  if (names.includes(name)) return requireDataset(dataFolder, name);
  const hint =
    didYouMean(name, names) ||
    (names.length === 0
      ? ', `tradewind data import` makes one'
      : `, one of ${names.slice(0, 10).join(', ')} is wanted`);
  const what = `Cannot replay ${name}: the folder ${dataFolder} has no dataset of that name${hint}`;
  throw new AppError('recording', `${place}: ${what}`);
}

type Shared = Pick<Source, 'market' | 'worth' | 'name' | 'hash' | 'firstMs' | 'gaps' | 'findings'>;

function sourceOf(dataset: Dataset, shared: Shared): Source | undefined {
  const { lastTime } = dataset;
  if (isOf(dataset, 'candles')) {
    const interval = INTERVALS.find((one) => INTERVAL_MS[one] === dataset.stepMs);
    if (interval === undefined) return undefined;
    const stepMs = INTERVAL_MS[interval];
    const chunks = (from: number, to: number) => scanned(dataset, { from, to });
    return { ...shared, kind: 'candles', interval, stepMs, endMs: lastTime + stepMs, chunks };
  }
  // A millisecond is the finest that a period can be given in.
  const ticks = { stepMs: 1, endMs: Math.floor(lastTime) + 1 };
  if (isOf(dataset, 'trades')) {
    const chunks = (from: number, to: number) => scanned(dataset, { from, to });
    return { ...shared, kind: 'trades', ...ticks, chunks };
  }
  if (isOf(dataset, 'depth')) {
    const chunks = (from: number, to: number) => depthFrom(dataset, { from, to });
    return { ...shared, kind: 'depth', ...ticks, chunks };
  }
  return undefined;
}

/** The rows of a dataset; damage is told with its file. */
function scanned<K extends DatasetKind>(
  dataset: DatasetOf<K>,
  span: { readonly from: number; readonly to: number },
): AsyncIterable<Chunk<K>> {
  return rowsOnDisk(`replay ${dataset.id}`, openScan(dataset, span));
}

/** Rows of depth, ahead of them the book that stood when they begin, as far as it is known. */
async function* depthFrom(
  dataset: DatasetOf<'depth'>,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<DepthColumns> {
  const opening = from > dataset.firstTime ? await openingBook(dataset, from) : undefined;
  if (opening !== undefined) yield opening;
  yield* scanned(dataset, { from, to });
}

function isOf<K extends DatasetKind>(dataset: Dataset, kind: K): dataset is DatasetOf<K> {
  return dataset.kind === kind;
}

function requirePlayable(
  { kind, name, market, worth }: Source,
  { deployment, place }: { deployment: BacktestDeployment; place: string },
): void {
  requireHeld(market, { worth, place });
  const { model } = deployment.backtest.fill;
  if (model === kind) return;
  const what = `Cannot fill by the model ${model} from ${name}: it holds ${kind}`;
  throw new AppError('configuration', `${place}: ${what}, backtest.fill.model: ${kind} is wanted`);
}

/** What the import put right; rows of depth keep the order of their coming, whatever their stamps. */
function disorderOf({ kind, sources }: Dataset): string[] {
  return sources.flatMap(({ name, outOfOrder, dropped }) => [
    ...(outOfOrder > 0 && kind !== 'depth' ? [`Of ${name} ${reordered(outOfOrder)}.`] : []),
    ...(dropped > 0 ? [`Of ${name} ${leftOut(dropped)}.`] : []),
  ]);
}

/** What its amounts count, where fills that go by amounts mean nothing with them. */
function unitsOf(dataset: Dataset): string[] {
  return amountUnitsOf(dataset).map(
    (unit) =>
      `The amounts of ${dataset.id} count ${unit}, not ${baseOf(dataset)}: fills that go by ` +
      'amounts mean nothing.',
  );
}

function baseOf({ market }: Dataset): string {
  return market.split('_')[0]!;
}

function reordered(rows: number): string {
  return rows === 1
    ? '1 row stood behind a later one; it was put in order'
    : `${rows} rows stood behind a later one; they were put in order`;
}

function leftOut(rows: number): string {
  return rows === 1
    ? '1 row that was there already was left out'
    : `${rows} rows that were there already were left out`;
}

/** What the rows of a dataset came from: the same files give the same. */
function hashOf({ id, rows, revision, sources }: Dataset): string {
  const files = sources.map(({ sha256, rows: count }) => [sha256, count]);
  return createHash('sha256')
    .update(JSON.stringify([id, rows, revision, files]))
    .digest('hex');
}

/**
 * The period of a run: as configured, else what all markets have data for.
 *
 * @throws {AppError} `configuration` when its end is not behind its beginning; `recording` when a
 * market has no data in it.
 */
export function periodOf(
  { backtest, yaml }: BacktestDeployment,
  sources: readonly Source[],
): Period {
  const firstMs = Math.max(...sources.map((source) => source.firstMs));
  const fromMs = readMoment(backtest.from) ?? firstMs + backtest.warmUpHours * HOUR_MS;
  const toMs = readMoment(backtest.to) ?? Math.min(...sources.map((source) => source.endMs));
  const texts = `${momentText(fromMs)} to ${momentText(toMs)}`;
  if (backtest.from !== undefined && backtest.to !== undefined && toMs <= fromMs) {
    const what = `Cannot replay ${texts}: the end is not behind the beginning`;
    throw new AppError('configuration', `${yaml.locate(['backtest', 'to'])}: ${what}`);
  }
  for (const { name, firstMs: first, endMs: end } of sources) {
    if (end > fromMs && first < toMs && toMs > fromMs) continue;
    const place = yaml.locate(['backtest', backtest.from === undefined ? 'to' : 'from']);
    const has = `it has ${momentText(first)} to ${momentText(end)}`;
    const what = `Cannot replay ${texts}: ${name} has no data then, ${has}`;
    throw new AppError('recording', `${place}: ${what}`);
  }
  // Time without any data would count as time in which nothing was earned.
  const earliestMs = Math.min(...sources.map((source) => source.firstMs));
  return {
    warmFromMs: Math.max(fromMs - backtest.warmUpHours * HOUR_MS, earliestMs),
    fromMs: Math.max(fromMs, earliestMs),
    toMs: Math.min(toMs, Math.max(...sources.map((source) => source.endMs))),
  };
}

/**
 * The period that a run measures whose last row was at `lastMs`: it ends there where it was
 * interrupted, or where its end lies in a hole of the data.
 */
export function measuredPeriod(
  period: Period,
  { sources, lastMs, interrupted, holdsLast }: PlayedRows,
): Period {
  const longestMs = Math.max(
    ...sources.map(({ kind, stepMs }) => (kind === 'candles' ? stepMs : SILENCE_MS)),
  );
  // A last candle that is left for its open ends the run a candle early.
  const usualMs = holdsLast ? 2 * longestMs : longestMs;
  const isShort = interrupted || period.toMs - lastMs >= usualMs;
  return isShort ? { ...period, toMs: lastMs } : period;
}

/** What was played of a period. */
interface PlayedRows {
  readonly sources: readonly Source[];
  /** Milliseconds since the epoch. */
  readonly lastMs: number;
  readonly interrupted: boolean;
  /** Whether the last candles are left for their open. */
  readonly holdsLast: boolean;
}

/** A period that lies in a hole of all its data. */
export function nothingPlayed(
  { backtest, yaml }: BacktestDeployment,
  { sources, period: { fromMs, toMs } }: { sources: readonly Source[]; period: Period },
): AppError {
  const place = yaml.locate(['backtest', backtest.from === undefined ? 'to' : 'from']);
  const [name = '', ...others] = sources.map((source) => source.name);
  const has = others.length === 0 ? 'has' : 'have';
  const what =
    `Cannot replay ${momentText(fromMs)} to ${momentText(toMs)}: ` +
    `${[name, ...others].join(' and ')} ${has} no row then, a period with data is wanted ` +
    `(\`tradewind data check ${name}\` tells where rows are missing)`;
  return new AppError('recording', `${place}: ${what}`);
}

/** Says where the data begin later or end earlier than was asked for, ahead of `from` too. */
export function periodNotes({ backtest }: BacktestDeployment, period: Period): string[] {
  const { warmFromMs, fromMs, toMs } = period;
  const asked = { from: readMoment(backtest.from), to: readMoment(backtest.to) };
  const notes: string[] = [];
  if (asked.from !== undefined && asked.from < fromMs) {
    notes.push(
      `The data begin at ${momentText(fromMs)} UTC, later than asked: measured from there.`,
    );
  }
  const warmedMs = fromMs - warmFromMs;
  if (backtest.warmUpHours * HOUR_MS - warmedMs >= 1) {
    const begin = `the data begin at ${momentText(warmFromMs)} UTC`;
    const hours = (warmedMs / HOUR_MS).toFixed(1);
    notes.push(`The warm-up is ${hours} hours, not ${backtest.warmUpHours} as asked: ${begin}.`);
  }
  if (asked.to !== undefined && asked.to > toMs) {
    notes.push(
      `The data end at ${momentText(toMs)} UTC, earlier than asked: measured until there.`,
    );
  }
  return notes;
}
