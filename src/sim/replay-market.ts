import { AsyncSubject, type Observable, type Subscription } from 'rxjs';
import type { MarketRecord } from '../domain/index.ts';
import { assert, type Clock } from '../kernel/index.ts';
import type { Liquidity } from './liquidity.ts';
import { ReplayFeeder } from './replay-feeder.ts';
import { type Batches, batchesOf, type RecordSource } from './replay-source.ts';

/** Between the last record of one pass and the first of the next, in recorded time. */
const LOOP_PAUSE_MS = 1_000;

export interface ReplayOptions {
  /** The records, oldest first. An asynchronous source is read ahead in bounded batches. */
  readonly records: RecordSource;
  /** The market that the records drive. */
  readonly liquidity: Liquidity;
  readonly clock: Clock;
  /** How much faster than real time. Default: 1. */
  readonly speed?: number;
  /** Whether to begin anew at the end, while `records` can be iterated again. Default: false. */
  readonly loop?: boolean;
}

/** What was played. */
export interface ReplaySummary {
  readonly records: number;
  readonly trades: number;
  /** Places where recorded depth was missing. */
  readonly gaps: number;
  /** Times that the source was played to its end. */
  readonly passes: number;
  /** Recorded times of the first and the last record played; undefined when there was none. */
  readonly firstTime: number | undefined;
  readonly lastTime: number | undefined;
}

const EMPTY: ReplaySummary = {
  records: 0,
  trades: 0,
  gaps: 0,
  passes: 0,
  firstTime: undefined,
  lastTime: undefined,
};

/** A replay at work. */
export interface Replay {
  /** Emits the summary and completes at the end or when stopped; fails as the source failed. */
  readonly ended: Observable<ReplaySummary>;
  /** What was played so far. */
  readonly summary: ReplaySummary;
  /** Plays nothing more. The market keeps the liquidity that rests in it. */
  stop(): void;
}

/**
 * Plays a recorded market into a simulated one, at its own pace or faster.
 *
 * The first record falls on the clock's present time, the others as far behind it as they were
 * recorded, divided by `speed`. Records keep their order, whatever their stamps say; all that are
 * due are applied in one go. How records become liquidity: see `ReplayFeeder`.
 *
 * What it does not model: others do not react to the bot's orders. What the bot took from the
 * recorded book comes back with the next recorded change of that price.
 */
export function startReplay(options: ReplayOptions): Replay {
  const player = new Player(options);
  player.start();
  return player;
}

class Player implements Replay {
  readonly #options: ReplayOptions;
  readonly #speed: number;
  readonly #ended = new AsyncSubject<ReplaySummary>();
  readonly ended: Observable<ReplaySummary> = this.#ended.asObservable();
  #summary: ReplaySummary = EMPTY;
  #stopped = false;
  #step: Subscription | undefined;

  #batches: Batches;
  #batch: readonly MarketRecord[] = [];
  #at = 0;
  #feeder: ReplayFeeder | undefined;
  /** When this pass began: by the clock, and by its first record once that is known. */
  #startMs: number | undefined;
  #firstTime: number | undefined;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#speed = options.speed ?? 1;
    assert(this.#speed > 0, `Cannot replay: the speed is ${this.#speed}, more than 0 is wanted`);
    this.#batches = this.#open();
  }

  get summary(): ReplaySummary {
    return this.#summary;
  }

  start(): void {
    this.#schedule(0);
  }

  stop(): void {
    if (!this.#close()) return;
    this.#ended.next(this.#summary);
    this.#ended.complete();
  }

  #open(): Batches {
    return batchesOf(this.#options.records, () => this.#schedule(0));
  }

  /** Lets go of everything; false when that was done before. */
  #close(): boolean {
    if (this.#stopped) return false;
    this.#stopped = true;
    this.#step?.unsubscribe();
    this.#batches.stop();
    return true;
  }

  #schedule(delayMs: number): void {
    this.#step?.unsubscribe();
    this.#step = this.#options.clock.schedule(() => this.#playSafely(), delayMs);
  }

  #playSafely(): void {
    try {
      this.#play();
    } catch (thrown) {
      if (this.#close()) this.#ended.error(thrown);
    }
  }

  /** Plays the records of a batch that are due; between batches other work of the clock runs. */
  #play(): void {
    if (this.#at === this.#batch.length && !this.#nextBatch()) return;
    while (this.#at < this.#batch.length) {
      const record = this.#batch[this.#at]!;
      const waitMs = this.#dueMs(record) - this.#options.clock.now();
      if (waitMs > 0) {
        this.#schedule(waitMs);
        return;
      }
      this.#at++;
      this.#count(record);
      this.#feeder!.apply(record);
      if (this.#stopped) return;
    }
    this.#schedule(0);
  }

  #dueMs(record: MarketRecord): number {
    this.#startMs ??= this.#options.clock.now();
    this.#firstTime ??= record.time;
    return this.#startMs + (record.time - this.#firstTime) / this.#speed;
  }

  /** False when there is nothing to play now: the source is still reading, or it ended. */
  #nextBatch(): boolean {
    const batch = this.#batches.take();
    if (batch === undefined) return false;
    if (batch.length === 0) {
      this.#endPass();
      return false;
    }
    this.#batch = batch;
    this.#at = 0;
    this.#feeder ??= new ReplayFeeder(this.#options.liquidity, batch);
    return true;
  }

  #endPass(): void {
    const hadRecords = this.#firstTime !== undefined;
    if (hadRecords) this.#summary = { ...this.#summary, passes: this.#summary.passes + 1 };
    if (!hadRecords || this.#options.loop !== true) {
      this.stop();
      return;
    }
    this.#startMs = this.#options.clock.now() + LOOP_PAUSE_MS / this.#speed;
    this.#firstTime = undefined;
    this.#batches = this.#open();
    this.#schedule(0);
  }

  #count(record: MarketRecord): void {
    const { records, trades, gaps, passes, firstTime } = this.#summary;
    this.#summary = {
      records: records + 1,
      trades: trades + (record.kind === 'trade' ? 1 : 0),
      gaps: gaps + (record.kind === 'gap' ? 1 : 0),
      passes,
      firstTime: firstTime ?? record.time,
      lastTime: record.time,
    };
  }
}
