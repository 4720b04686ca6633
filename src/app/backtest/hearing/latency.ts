import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DepthColumns, TradeColumns } from '../../../domain/index.ts';
import { messageOf, type Random } from '../../../kernel/index.ts';
import {
  type LatencyModel,
  type OrderLatencySettings,
  openLatency,
  readLatencySamples,
  SimulationError,
  StampSurvey,
  type StatedLatency,
} from '../../../sim/index.ts';
import { wordsOfDisk } from '../../disk.ts';
import { AppError } from '../../errors.ts';
import { refuseNamedPipe } from '../../named-pipe.ts';
import type { Period } from '../data/period.ts';
import type { Source } from '../data/source.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { momentText } from '../moment.ts';

/** How long a row of ticks takes to reach strategies, milliseconds. */
export type RowLatency = (rows: TradeColumns | DepthColumns, at: number) => number;

/** The latencies of a run. */
export interface BacktestLatency {
  readonly request: LatencyModel;
  readonly answer: LatencyModel;
  /** Whether neither takes any time. */
  readonly isInstant: boolean;
  /** The latency of rows, by market; undefined where they take no time. */
  readonly rows: ReadonlyMap<string, RowLatency | undefined>;
  /** The latency of candles, milliseconds. */
  readonly candlesMs: number;
  /** What the latencies leave out: whole sentences. */
  readonly confession: readonly string[];
  /** What the reader must know about their origin: whole sentences. */
  readonly notes: readonly string[];
}

export interface LatencyParts {
  readonly sources: readonly Source[];
  /** The data that recorded latencies are taken from. */
  readonly surveyed: Period;
  readonly random: Random;
}

/**
 * Opens the latencies that a deployment asks for.
 *
 * @throws {AppError} `configuration` when one cannot be had; `SimulationError` when the data lack
 * the stamps that it is to be taken from.
 */
export async function openBacktestLatency(
  deployment: BacktestDeployment,
  parts: LatencyParts,
): Promise<BacktestLatency> {
  const { latency } = deployment.backtest;
  const request = open(latency.order, { subject: 'A request', key: 'order' }, deployment, parts);
  const answer = open(latency.answer, { subject: 'An answer', key: 'answer' }, deployment, parts);
  const isInstant = constantOf(latency.order) === 0 && constantOf(latency.answer) === 0;
  const feed = await openFeed(deployment, parts);
  return {
    ...{ request: request.next, answer: answer.next, isInstant },
    ...{ rows: feed.rows, candlesMs: feed.candlesMs },
    confession: [request.confession, answer.confession, ...feed.confession],
    notes: [...request.notes, ...answer.notes, ...feed.notes],
  };
}

type OpenFeed = Pick<BacktestLatency, 'rows' | 'candlesMs' | 'confession' | 'notes'>;

async function openFeed(deployment: BacktestDeployment, parts: LatencyParts): Promise<OpenFeed> {
  const { feed } = deployment.backtest.latency;
  if (typeof feed === 'object' && 'recorded' in feed) {
    return recordedFeed(deployment, parts, { negative: feed.recorded, leastMs: feed.leastMs });
  }
  const stated = open(feed, { subject: 'A row of market data', key: 'feed' }, deployment, parts);
  const candlesMs = constantOf(feed);
  const hasCandles = parts.sources.some(({ kind }) => kind === 'candles');
  if (hasCandles && candlesMs === undefined) throw candlesWantConstant(deployment);
  for (const source of parts.sources) requireShorter(candlesMs ?? 0, { source, deployment });
  const ofRow: RowLatency | undefined =
    candlesMs === 0 ? undefined : ({ time }, at) => stated.next(time[at]!);
  const rows = new Map(parts.sources.map(({ market }) => [market.id, ofRow]));
  const { confession, notes } = stated;
  return { rows, candlesMs: candlesMs ?? 0, confession: [confession], notes };
}

function candlesWantConstant({ yaml }: BacktestDeployment): AppError {
  const place = yaml.locate(['backtest', 'latency', 'feed']);
  const what =
    'Cannot use backtest.latency.feed: it varies, of candles a constant number of milliseconds is ' +
    'wanted';
  return new AppError('configuration', `${place}: ${what}`);
}

/** Refuses to deliver a candle after the next one has closed: its price would be long gone. */
function requireShorter(
  feedMs: number,
  { source, deployment }: { readonly source: Source; readonly deployment: BacktestDeployment },
): void {
  const { kind, name, stepMs } = source;
  if (kind !== 'candles' || feedMs < stepMs) return;
  const place = deployment.yaml.locate(['backtest', 'latency', 'feed']);
  const what = `Cannot use backtest.latency.feed: it is ${feedMs} ms`;
  const wanted = `less than a candle of ${name} lasts, ${stepMs} ms, is wanted`;
  throw new AppError('configuration', `${place}: ${what}, ${wanted}`);
}

/** Delays rows as they were delayed when they were recorded; surveys all of them beforehand. */
async function recordedFeed(
  deployment: BacktestDeployment,
  { sources, surveyed }: LatencyParts,
  options: { readonly negative: 'refuse' | 'shift'; readonly leastMs: number },
): Promise<OpenFeed> {
  const rows = new Map<string, RowLatency>();
  const confession: string[] = [];
  for (const source of sources) {
    if (source.kind === 'candles') throw candlesWantConstant(deployment);
    const survey = new StampSurvey();
    for await (const chunk of source.chunks(surveyed.warmFromMs, surveyed.toMs))
      survey.observe(chunk);
    const recorded = survey.latency(options);
    rows.set(source.market.id, (columns, at) => recorded.of(columns, at));
    confession.push(`${source.market.id}: ${recorded.confession}`);
  }
  return { rows, candlesMs: 0, confession, notes: [] };
}

function open(
  settings: OrderLatencySettings,
  { subject, key }: { readonly subject: string; readonly key: string },
  deployment: BacktestDeployment,
  { random, surveyed }: LatencyParts,
): StatedLatency & Pick<BacktestLatency, 'notes'> {
  const file =
    typeof settings === 'object' && 'measured' in settings ? settings.measured : undefined;
  const samples = file === undefined ? undefined : readSamples(file, { deployment, key });
  const stated = openLatency(settings, { subject, samples, random: random.fork(`latency ${key}`) });
  const away = samples?.times && awayFrom(surveyed, samples.times);
  return {
    ...stated,
    notes: away === undefined ? [] : [`backtest.latency.${key}: ${file} ${away}`],
  };
}

/** Says that nothing was measured in a period and what counts instead; undefined otherwise. */
function awayFrom({ warmFromMs, toMs }: Period, times: Float64Array): string | undefined {
  const [first, last] = [times[0]!, times.at(-1)!];
  if (last >= warmFromMs && first < toMs) return undefined;
  const [side, one] = last < warmFromMs ? ['ahead of', 'last'] : ['behind', 'first'];
  const span = `${momentText(first)} to ${momentText(last)} UTC`;
  return `was measured from ${span}, all ${side} the period: its ${one} latency counts throughout.`;
}

/** The milliseconds of a constant latency; undefined of any other. */
function constantOf(settings: unknown): number | undefined {
  if (typeof settings === 'number') return settings;
  const { constantMs } = settings as { readonly constantMs?: number };
  return constantMs;
}

function readSamples(
  file: string,
  { deployment, key }: { deployment: BacktestDeployment; key: string },
) {
  const { yaml } = deployment;
  try {
    const path = resolve(dirname(yaml.file), file);
    refuseNamedPipe(path);
    return readLatencySamples(readFileSync(path, 'utf8'), file);
  } catch (thrown) {
    const place = yaml.locate(['backtest', 'latency', key]);
    const text =
      thrown instanceof SimulationError
        ? messageOf(thrown)
        : `Cannot read the latencies of ${file}: ${wordsOfDisk(thrown)}`;
    throw new AppError('configuration', `${place}: ${text}`, { cause: thrown });
  }
}
