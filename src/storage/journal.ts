import type { Subscription } from 'rxjs';
import type { Journal, JournalMemory, TradingEvent } from '../domain/index.ts';
import { type Clock, DAY_MS } from '../kernel/index.ts';
import { type DatabaseFile, type Disk, sqliteDisk } from './disk.ts';
import { StorageError, storageError } from './errors.ts';
import { JournalWriter, type RunPlace } from './journal-writer.ts';
import { isMarketData, MARKET_DATA_KINDS } from './line.ts';
import { type Lock, takeLock } from './lock.ts';
import { departedLines, readMemory } from './memory.ts';
import { reviveEvent } from './revive.ts';
import { firstRow, prepareSchema, quotedList } from './schema.ts';

/** As many pending events are written at once, without waiting for the next flush. */
const PENDING_MAX = 1_000;
/** How long to wait for a tool that happens to hold the file, milliseconds. */
const BUSY_WAIT_MS = 5_000;

export interface JournalOptions {
  /** The file; with `-wal`, `-shm` and `.lock` beside it. */
  readonly path: string;
  /** Times the flushes. */
  readonly clock: Clock;
  /** Names the configuration of this run. */
  readonly configHash: string;
  /** `full` survives a loss of power, `normal` a kill of the process. Default: `normal`. */
  readonly durability?: 'full' | 'normal';
  /** Longest time that an event waits to be written. Default: 200. */
  readonly flushIntervalMs?: number;
  /** Days after which market data of earlier runs is dropped. Default: never. */
  readonly keepDays?: number | undefined;
  /** Whether tickers, depth, trades and candles are kept. Default: true. */
  readonly marketData?: boolean;
  /** Told once when the disk fails, also between two calls. */
  readonly onFailure?: (error: StorageError) => void;
  /** Default: the machine's own. */
  readonly disk?: Disk;
}

/**
 * A journal on disk: one database file that holds the runs of one deployment, in write-ahead mode.
 *
 * `append` keeps the event in memory; it is written on `commit`, `flushIntervalMs` later, or when
 * many are pending. `commitOrders` writes the orders about to leave alone, in one small row ahead of
 * all that led to them: that waits for nobody. A process that is killed leaves the last transaction
 * whole; the next one puts orders that only departed at the end of the killed run's events. After a
 * failed write nothing more is taken: what the bot does would no longer be on record.
 */
export class FileJournal implements Journal {
  /** Number of this run in the file, from 1. */
  readonly run: number;
  /** What the runs before it left behind. */
  readonly memory: JournalMemory;
  readonly #options: JournalOptions;
  readonly #lock: Lock;
  readonly #file: DatabaseFile;
  readonly #writer: JournalWriter;
  #pending: TradingEvent[] = [];
  /** How many of the pending events were seen by `commitOrders`. */
  #seen = 0;
  #flush: Subscription | undefined;
  #failure: StorageError | undefined;
  #closed = false;

  /** @throws {StorageError} when the file can't be opened, is no journal or is in use. */
  constructor(options: JournalOptions) {
    const { path, disk = sqliteDisk } = options;
    this.#options = options;
    this.#lock = takeLock(path, disk);
    let file: DatabaseFile | undefined;
    try {
      file = disk.open(path, { waitMs: BUSY_WAIT_MS });
      prepareFile(file, options);
      placeDepartures(file);
      this.#file = file;
      this.memory = readMemory(file, options.clock.now());
      const run = beginRun(file, options);
      this.run = run.id;
      this.#writer = new JournalWriter(file, run);
    } catch (thrown) {
      file?.close();
      this.#lock.release();
      throw storageError('open', path, thrown);
    }
  }

  append(event: TradingEvent): void {
    this.#check('append to');
    if (this.#options.marketData === false && isMarketData(event)) return;
    this.#pending.push(event);
    if (this.#pending.length >= PENDING_MAX) this.commit();
    else this.#flush ??= this.#scheduleFlush();
  }

  commitOrders(): void {
    this.#check('write');
    const orders: TradingEvent[] = [];
    for (; this.#seen < this.#pending.length; this.#seen++) {
      const event = this.#pending[this.#seen]!;
      if (event.kind === 'order' && event.order.status === 'pending') orders.push(event);
    }
    if (orders.length > 0) this.#attempt(() => this.#writer.depart(orders));
  }

  commit(): void {
    this.#check('write');
    if (this.#pending.length === 0) return;
    const events = this.#pending;
    this.#pending = [];
    this.#seen = 0;
    this.#attempt(() => this.#writer.write(events));
  }

  hash(): string {
    this.commit();
    return this.#writer.hash;
  }

  close(): void {
    if (this.#closed) return;
    try {
      if (this.#failure === undefined) {
        this.commit();
        this.#attempt(() => this.#endRun());
      }
    } finally {
      this.#closed = true;
      this.#flush?.unsubscribe();
      this.#letGo();
    }
  }

  #letGo(): void {
    try {
      this.#file.close();
    } finally {
      this.#lock.release();
    }
  }

  #scheduleFlush(): Subscription {
    const { clock, flushIntervalMs = 200 } = this.#options;
    return clock.schedule(() => {
      this.#flush = undefined;
      try {
        this.commit();
      } catch {
        // `onFailure` was told, and the next call throws.
      }
    }, flushIntervalMs);
  }

  #check(action: string): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#closed) return;
    throw new StorageError(
      `Cannot ${action} the journal ${this.#options.path}: it is closed, an open one is wanted`,
    );
  }

  /** Runs a write; the first failure is the last. */
  #attempt(write: () => void): void {
    try {
      write();
    } catch (thrown) {
      this.#failure = storageError('write', this.#options.path, thrown);
      this.#options.onFailure?.(this.#failure);
      throw this.#failure;
    }
  }

  #endRun(): void {
    const { hash, events } = this.#writer;
    this.#file
      .prepare('UPDATE runs SET ended = ?, events = ?, hash = ? WHERE id = ?')
      .run(this.#options.clock.now(), events, hash, this.run);
  }
}

/** Opens the journal of a deployment and begins a run. @throws {StorageError} when it can't. */
export function openJournal(options: JournalOptions): FileJournal {
  return new FileJournal(options);
}

function prepareFile(file: DatabaseFile, { path, durability = 'normal' }: JournalOptions): void {
  file.execute('PRAGMA journal_mode = WAL');
  file.execute('PRAGMA wal_autocheckpoint = 0');
  file.execute(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  prepareSchema(file, path);
}

/** Orders that departed from a run that was killed are the last of its events. */
function placeDepartures(file: DatabaseFile): void {
  const lines = departedLines(file);
  if (lines.length === 0) return;
  const last = 'SELECT id, firstEvent FROM runs ORDER BY id DESC LIMIT 1';
  const run = firstRow(file, last) as unknown as RunPlace;
  const end = firstRow(file, 'SELECT id, hash FROM events ORDER BY id DESC LIMIT 1') as
    | { readonly id: number; readonly hash: string }
    | undefined;
  const place =
    end === undefined || end.id < run.firstEvent
      ? run
      : { ...run, events: end.id + 1 - run.firstEvent, hash: end.hash };
  new JournalWriter(file, place).write(lines.map(reviveEvent));
}

/** Drops old market data and enters the run, in one transaction. */
function beginRun(file: DatabaseFile, { clock, configHash, keepDays }: JournalOptions): RunPlace {
  const now = clock.now();
  file.execute('BEGIN IMMEDIATE');
  if (keepDays !== undefined) prune(file, now - keepDays * DAY_MS);
  const last = firstRow(file, 'SELECT max(id) AS id FROM events')?.id as number | null;
  const firstEvent = (last ?? 0) + 1;
  file
    .prepare('INSERT INTO runs (started, configHash, firstEvent) VALUES (?,?,?)')
    .run(now, configHash, firstEvent);
  file.execute('COMMIT');
  const { id } = firstRow(file, 'SELECT max(id) AS id FROM runs') as { id: number };
  return { id, firstEvent };
}

function prune(file: DatabaseFile, beforeTime: number): void {
  const old = `time < ${beforeTime} AND kind IN (${quotedList(MARKET_DATA_KINDS)})`;
  file.execute(`UPDATE runs SET pruned = 1 WHERE id IN (SELECT run FROM events WHERE ${old})`);
  file.execute(`DELETE FROM events WHERE ${old}`);
}
