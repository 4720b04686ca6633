import { defer, EMPTY, merge, type Observable } from 'rxjs';
import type { Intent, TradingEvent } from '../../domain/index.ts';
import type { RunRecord } from '../../report/index.ts';
import { HashJournal, type LineSink } from '../../storage/index.ts';
import { compileSoon } from '../compile-soon.ts';
import type { StopRequest } from '../session.ts';
import { readStatus, type Status } from '../status/status.ts';
import { complete } from '../time/drive.ts';
import { flatten } from './close-at-end.ts';
import { openSources } from './data/data.ts';
import { type Period, periodOf } from './data/period.ts';
import type { Source } from './data/source.ts';
import type { BacktestDeployment } from './deployment.ts';
import { play } from './feeds/playback.ts';
import { INPUTS } from './output/inputs.ts';
import type { OrderColumns } from './record/order-columns.ts';
import { recordOf } from './record/run-record.ts';
import { renamed } from './record/shown-names.ts';
import { openSpools, type Spools } from './record/spools.ts';
import { requireStarted } from './require-started.ts';
import { type Stage, setStage } from './stage.ts';

export interface Progress {
  /** Rows played so far, of all markets. */
  readonly rows: number;
  /** The moment that is replayed, milliseconds since the epoch. */
  readonly timeMs: number;
  readonly period: Period;
}

export interface BacktestOptions {
  readonly deployment: BacktestDeployment;
  /** The period to run, over the same data. Default: as the deployment says. */
  readonly period?: Period;
  /**
   * The period whose data recorded latencies are taken from. Runs that are compared must share it.
   * Default: `period`.
   */
  readonly surveyed?: Period;
  /** Asks to stop while strategies are still being loaded. Default: nobody does. */
  readonly stop?: Observable<StopRequest> | undefined;
  /** Called now and then; `false` ends the run there. */
  readonly onProgress?: ((progress: Progress) => boolean) | undefined;
  /** The data to replay, in the order of the deployment's markets. Default: as the file says. */
  readonly sources?: readonly Source[] | undefined;
  /** Takes the lines of the journal as they come. Default: they are only hashed. */
  readonly sink?: LineSink;
  /** Where orders, fills and samples are kept until the run is over. Default: memory. */
  readonly spools?: Spools;
  /** Hears every decision and effect, as it is journalled. */
  readonly onEvent?: (event: TradingEvent) => void;
}

/** The result of a backtest. */
export interface BacktestResult {
  readonly record: RunRecord;
  /**
   * The last state of every order, in order of creation, block by block; the record does not have
   * them. To be iterated once.
   */
  readonly orders: Iterable<OrderColumns>;
  readonly status: Status;
  /** What the strategies logged, line by line. */
  readonly log: readonly string[];
  readonly journal: HashJournal;
  /** Whether the run was ended before the data were over. */
  readonly interrupted: boolean;
  /** Whether any row lay in the period, its warm-up apart. */
  readonly hasPlayed: boolean;
  /** The wishes that the warm-up dropped and that stood at its end, by strategy and market. */
  readonly dropped: ReadonlyMap<string, Intent>;
  /** How long the rows took to be read and played, milliseconds of this machine. */
  readonly playMs: number;
  /** The datasets by name, with hashes of their rows. */
  readonly inputs: readonly { readonly name: string; readonly hash: string }[];
}

/**
 * Replays history through the bot as it runs live, on virtual time.
 *
 * @throws {AppError} when the data, the strategies or the settings cannot be had, or a strategy
 * fails before the first row.
 */
export async function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  const { deployment, sink, onEvent, surveyed, stop, spools = openSpools() } = options;
  if (deployment.backtest.fill.model === 'candles') compileSoon('backtest');
  const { sources = await openSources(deployment) } = options;
  const period = options.period ?? periodOf(deployment, sources);
  const journal = new HashJournal({ leavesOut: INPUTS, sink, onEvent });
  const stage = await setStage(deployment, { sources, period, surveyed, journal, spools, stop });
  const { bot, clock, meters, feeds, strays, machineReads } = stage;
  const { closeAtEnd } = deployment.backtest;
  const isWanted = (): boolean => options.onProgress?.(progressOf(stage)) ?? true;
  machineReads.begin();
  try {
    await complete(bot.engine.start(), clock);
    const isTold = await stage.known.tell(isWanted);
    strays.begin();
    requireStarted(renamed(bot.engine.strategies, stage.names), deployment);
    await valueAtStart(stage);
    stage.exchange.line.isSlow = true;
    const startMs = performance.now();
    const onChunk = (): boolean => {
      journal.commit();
      return isWanted();
    };
    const isOver = isTold && (await play({ feeds, clock, meters, onChunk, played: strays.played }));
    strays.end();
    const playMs = performance.now() - startMs;
    for (const feed of feeds) feed.recordPlayed();
    const hasPlayed = hasRows(stage);
    if (isOver && closeAtEnd !== 'none') flatten(stage, deployment.backtest);
    stage.exchange.line.isSlow = false;
    const status = statusOf(stage);
    // The last answers may still be on their way: what they tell counts.
    await complete(stopped(stage, isOver ? 'the data are over' : 'interrupted'), clock);
    meters.end(clock.now());
    journal.commit();
    const inputs = sources.map(({ name, hash }) => ({ name, hash }));
    const interrupted = !isOver;
    const record = recordOf(stage, { deployment, status, interrupted });
    const orders = stage.recorder.orders();
    const log = stage.log.lines;
    const dropped = stage.early.standing;
    return {
      record,
      orders,
      log,
      dropped,
      status,
      journal,
      interrupted,
      hasPlayed,
      inputs,
      playMs,
    };
  } finally {
    machineReads.end();
    for (const feed of feeds) await feed.close();
  }
}

/** Whether rows were played, apart from the warm-up and from the book or quote at the start. */
function hasRows({ feeds, clock, sources, period: { warmFromMs, fromMs } }: Stage): boolean {
  if (feeds.every(({ rows }) => rows === 0)) return false;
  if (clock.now() > fromMs) return true;
  const isOpened = (kind: string): boolean => kind === 'quotes' || kind === 'depth';
  const isFirst = sources.some(({ kind, firstMs }) => !isOpened(kind) || firstMs >= fromMs);
  return warmFromMs === fromMs && isFirst;
}

/** Stops the bot. Orders still waiting for a candle fail: no further candle opens. */
function stopped({ bot, exchange }: Stage, reason: string): Observable<unknown> {
  const end = defer(() => {
    exchange.held.end();
    return EMPTY;
  });
  return merge(bot.engine.stop(reason), end);
}

async function valueAtStart({ feeds, meters, rates, period }: Stage): Promise<void> {
  const prices = new Map<string, number>();
  for (const feed of feeds) {
    await feed.refill();
    if (feed.firstPrice !== undefined) prices.set(feed.market, feed.firstPrice);
  }
  rates.begin(prices);
  // If rows come before the period, its first sample is taken when it begins, at their prices.
  const { warmFromMs, fromMs } = period;
  const lastWarmMs = warmFromMs < fromMs ? fromMs : fromMs - 1;
  if (feeds.every(({ nextMs }) => nextMs > lastWarmMs)) meters.begin(fromMs, prices);
  else meters.noteStart();
}

function progressOf({ feeds, clock, period }: Stage): Progress {
  const rows = feeds.reduce((sum, feed) => sum + feed.rows, 0);
  return { rows, timeMs: clock.now(), period };
}

function statusOf({ bot, names }: Stage): Status {
  const status = readStatus(bot.sources);
  return { ...status, strategies: renamed(status.strategies, names) };
}
