import {
  exhaustMap,
  lastValueFrom,
  type Observable,
  ReplaySubject,
  race,
  Subscription,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { INTERVAL_MS, type Interval, type TradingEvent } from '../../domain/index.ts';
import { type DatasetKey, type DatasetKind, DatasetWriter } from '../../history/index.ts';
import { Bus, SECOND_MS, silentLogger } from '../../kernel/index.ts';
import { MarketStreams, marketConfigSchema } from '../../market/index.ts';
import type { ConnectedVenue } from '../terminal/connected-venue.ts';
import { marketsOf, pick } from '../terminal/markets.ts';
import { requireWritable } from './data-folder.ts';
import { onDisk } from './disk.ts';
import {
  type BeginRecording,
  type RecordedDataset,
  type RecordingFeeds,
  recordCandles,
  recordDepth,
  recordQuotes,
  recordTrades,
} from './record-market.ts';
import { RecordedRows } from './recorded-rows.ts';
import { sourceOfHost } from './source-name.ts';

/** What may be recorded of a market. */
export const RECORDED_KINDS = [
  'depth',
  'trades',
  'quotes',
  'candles',
] as const satisfies readonly DatasetKind[];

export interface RecordChoice {
  /** The folder of all datasets. */
  readonly root: string;
  readonly markets: readonly string[];
  readonly kinds: readonly DatasetKind[];
  /** Length of the candles. */
  readonly interval: Interval;
  /** Default: the venue's host. */
  readonly source?: string | undefined;
  /** Let rows join those of another origin. Default: false. */
  readonly mix?: boolean | undefined;
  /** Default: until it is stopped. */
  readonly durationMs?: number | undefined;
}

/** How far the recording of one dataset is. */
export interface RecordReport {
  readonly id: string;
  /** Rows, and gaps between them, that this recording added. */
  readonly rows: number;
  readonly gaps: number;
}

/** Where rows begin to be missing. */
export interface GapNews {
  readonly id: string;
  readonly from: number;
  readonly reason: string;
}

export interface RecordOptions {
  /** Emits when it is to end. */
  readonly stop: Observable<unknown>;
  readonly onProgress?: (reports: readonly RecordReport[]) => void;
  readonly onGap?: (gap: GapNews) => void;
}

/** How often rows go to disk: a crash costs no more than these. */
const FLUSH_MS = 5 * SECOND_MS;
/** The candles that are read to join an earlier recording. Source: contract, kline `size`. */
const CANDLE_HISTORY = 999;

/**
 * Records live market data into datasets until its time is over or it is stopped.
 *
 * Lost connections, silence and jumps in the data are recorded as gaps.
 *
 * @throws {AppError} when a market is unknown, the venue does not answer, or the disk takes no
 * more; what went to disk before stays there.
 */
export async function recordData(
  venue: ConnectedVenue,
  choice: RecordChoice,
  options: RecordOptions,
): Promise<RecordReport[]> {
  const stopped = new ReplaySubject<unknown>(1);
  const hearing = options.stop.subscribe(stopped);
  const recording = new Recording(venue, choice, options);
  try {
    requireWritable(choice.root, 'record');
    await recording.start();
    return await onDisk(recordInto(choice), () => recording.until(stopped));
  } finally {
    recording.close();
    hearing.unsubscribe();
  }
}

function recordInto({ root }: RecordChoice): string {
  return `record into ${root}`;
}

/** Markets being recorded. */
class Recording {
  readonly #venue: ConnectedVenue;
  readonly #choice: RecordChoice;
  readonly #options: RecordOptions;
  readonly #datasets: RecordedDataset[] = [];
  readonly #feeds = new Subscription();

  constructor(venue: ConnectedVenue, choice: RecordChoice, options: RecordOptions) {
    this.#venue = venue;
    this.#choice = choice;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { clock, exchange } = this.#venue;
    const { interval } = this.#choice;
    const markets = await marketsOf(this.#venue);
    const chosen = new Set(this.#choice.markets);
    for (const id of chosen) pick(markets, { venue: this.#venue, id });
    const bus = new Bus<TradingEvent>();
    const streams = new MarketStreams({
      ...{ clock, bus, markets, logger: silentLogger, limits: exchange.limits },
      ...{ data: exchange.market, feed: exchange.marketFeed },
      config: marketConfigSchema.parse({ candles: 'venue', candleHistory: CANDLE_HISTORY }),
    });
    const connection = exchange.marketFeed.connection();
    const begins: BeginRecording[] = [];
    for (const market of chosen) {
      for (const kind of new Set(this.#choice.kinds)) {
        const dataset = this.#open(market, kind);
        const feeds = { streams, bus, clock, connection, market, interval };
        begins.push(await onDisk(recordInto(this.#choice), () => RECORDERS[kind](feeds, dataset)));
      }
    }
    for (const begin of begins) this.#feeds.add(begin());
  }

  /** Records until it is over; then writes the rest to disk. */
  async until(stopped: Observable<unknown>): Promise<RecordReport[]> {
    const { clock } = this.#venue;
    const { durationMs } = this.#choice;
    const over = durationMs === undefined ? stopped : race(stopped, timer(durationMs, clock));
    // What comes while rows go to disk waits for the next time.
    const flushes = timer(FLUSH_MS, FLUSH_MS, clock).pipe(
      takeUntil(over),
      tap({ complete: () => this.#feeds.unsubscribe() }),
      exhaustMap(() => this.#flush()),
    );
    await lastValueFrom(flushes, { defaultValue: undefined });
    await this.#flush();
    return this.#reports();
  }

  close(): void {
    this.#feeds.unsubscribe();
    for (const { writer } of this.#datasets) writer.close();
  }

  #open(market: string, kind: DatasetKind): RecordedDataset {
    const { host, clock } = this.#venue;
    const { root, interval, mix, source = sourceOfHost(host) } = this.#choice;
    const isCandles = kind === 'candles';
    const key: DatasetKey = { source, market, kind, resolution: isCandles ? interval : undefined };
    const stepMs = isCandles ? INTERVAL_MS[interval] : undefined;
    const writer = new DatasetWriter({ root, key, stepMs, name: host, format: 'record', mix });
    const onGap = (gap: GapNews): void => this.#options.onGap?.(gap);
    const dataset = { writer, rows: new RecordedRows({ writer, clock, onGap }) };
    this.#datasets.push(dataset);
    return dataset;
  }

  /** Writes waiting rows to disk. */
  async #flush(): Promise<void> {
    for (const { rows } of this.#datasets) await rows.flush();
    this.#options.onProgress?.(this.#reports());
  }

  #reports(): RecordReport[] {
    return this.#datasets.map(({ rows }) => ({ id: rows.id, rows: rows.count, gaps: rows.gaps }));
  }
}

type Recorder = (
  feeds: RecordingFeeds & { readonly interval: Interval },
  dataset: RecordedDataset,
) => Promise<BeginRecording>;

const RECORDERS: { readonly [kind in DatasetKind]: Recorder } = {
  depth: recordDepth,
  trades: recordTrades,
  quotes: recordQuotes,
  candles: recordCandles,
};
