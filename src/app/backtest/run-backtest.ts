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
  /** From when to when, the data being the same. Default: as the deployment says. */
  readonly period?: Period;
  /**
   * The data that recorded latencies are taken from, which they must share whose runs are compared.
   * Default: those of the period.
   */
  readonly surveyed?: Period;
  /** Asks to stop while strategies are loaded still. Default: nobody does. */
  readonly stop?: Observable<StopRequest> | undefined;
  /** Called now and then; `false` ends the run there. */
  readonly onProgress?: ((progress: Progress) => boolean) | undefined;
  /** What is replayed, in the order of the deployment's markets. Default: as the file says. */
  readonly sources?: readonly Source[] | undefined;
  /** Where the lines of the journal go as they come. Default: nowhere, they are hashed alone. */
  readonly sink?: LineSink;
  /** Where what becomes of orders is kept until the run is over. Default: memory. */
  readonly spools?: Spools;
  /** Hears every decision and effect, as it is journalled. */
  readonly onEvent?: (event: TradingEvent) => void;
}

/** What a backtest came to. */
export interface BacktestResult {
  readonly record: RunRecord;
  /**
   * The last state of every order, in the order of their creation, some at a time: the record has
   * none. To be gone through once.
   */
  readonly orders: Iterable<OrderColumns>;
  readonly status: Status;
  /** What the strategies said, a line each. */
  readonly log: readonly string[];
  readonly journal: HashJournal;
  /** Whether it was ended before the data were. */
  readonly interrupted: boolean;
  /** Whether any row lay in the period, its warm-up apart. */
  readonly hasPlayed: boolean;
  /** The wishes that the warm-up dropped and that stood at its end, by strategy and market. */
  readonly dropped: ReadonlyMap<string, Intent>;
  /** How long the rows took to be read and played, milliseconds of this machine. */
  readonly playMs: number;
  /** Inputs by name, and what their rows are. */
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
    // The last answers may still be under way: what they tell of counts.
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

/** Whether rows were played that neither belong to the warm-up nor tell what stood at the start. */
function hasRows({ feeds, clock, sources, period: { warmFromMs, fromMs } }: Stage): boolean {
  if (feeds.every(({ rows }) => rows === 0)) return false;
  if (clock.now() > fromMs) return true;
  const isOpened = (kind: string): boolean => kind === 'quotes' || kind === 'depth';
  const isFirst = sources.some(({ kind, firstMs }) => !isOpened(kind) || firstMs >= fromMs);
  return warmFromMs === fromMs && isFirst;
}

/** Stops the bot. What waits for a candle behind the last one never leaves, and is not waited for. */
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
  // Where the data begin before the period, its first sample has the prices of its own beginning.
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
