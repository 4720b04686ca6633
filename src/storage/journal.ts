import type { Subscription } from 'rxjs';
import type { Journal, TradingEvent } from '../domain/index.ts';
import { type Clock, DAY_MS } from '../kernel/index.ts';
import type { RunBasis } from './basis.ts';
import { Departures, departedEvents } from './departures.ts';
import { type DatabaseFile, type Disk, machineDisk } from './disk.ts';
import { StorageError, storageError } from './errors.ts';
import { JournalWriter } from './journal-writer.ts';
import { type Lock, takeLock } from './lock.ts';
import { LogWatch } from './log-watch.ts';
import { unwritten } from './memory.ts';
import { Pruner } from './prune.ts';
import { firstRow, prepareSchema } from './schema.ts';
import { isMarketData } from './text/line.ts';
import { Whereabouts } from './whereabouts.ts';

/**
 * So many pending events are written in the clock's next turn, without waiting for the flush. A
 * transaction costs as much as the lines of some sixty events, and blocks everything else.
 */
const PENDING_MAX = 250;
/**
 * SQLite checkpoints the write-ahead log after the write that makes it this many pages long, a
 * megabyte. That blocks everything else for 5 ms; for eight times as many pages it took 40 ms.
 * Measured on a virtual disk.
 */
const LOG_PAGES_MAX = 256;
/** How long to wait for a tool that happens to hold the file, milliseconds. */
const BUSY_WAIT_MS = 5_000;

export interface JournalOptions {
  /** The file; with `-wal`, `-shm`, `.departures`, `.lock` and `.owner` beside it. */
  readonly path: string;
  /** Schedules the flushes. */
  readonly clock: Clock;
  /** Names the configuration of this run. */
  readonly configHash: string;
  /** What this run depends on, so that it can be replayed. Default: not kept. */
  readonly basis?: RunBasis | undefined;
  /** `full` survives a loss of power, `normal` a kill of the process. Default: `normal`. */
  readonly durability?: 'full' | 'normal';
  /** Longest time that an event waits to be written, milliseconds. Default: 200. */
  readonly flushIntervalMs?: number;
  /** Days after which market data is dropped, that of this run too. Default: never. */
  readonly keepDays?: number | undefined;
  /** Whether tickers, depth, trades and candles are kept. Default: true. */
  readonly marketData?: boolean;
  /** Called once when the disk fails, also between two calls. */
  readonly onFailure?: (error: StorageError) => void;
  /** Called once, with words, when the write-ahead log grows without end. */
  readonly onWarning?: (text: string) => void;
  /** Default: the machine's own. */
  readonly disk?: Disk;
  /** The journal's lock, if already taken; the journal releases it. Default: it takes one. */
  readonly lock?: Lock | undefined;
}

/**
 * A journal on disk: one database file that holds the runs of one deployment, in write-ahead mode,
 * and a small log beside it.
 *
 * `append` keeps the event in memory; it is written on `commit`, `flushIntervalMs` later, or in the
 * clock's next turn when many are pending. It is never written within the turn that brought it, so
 * that events published together (an order and its fill) are on disk together or not at all.
 * `commitOrders` puts orders about to leave in the small log, before the events that led to them. A
 * killed process leaves its last transaction whole; orders that are only in the small log become
 * the first events of the next run. After a failed write the journal refuses everything: what the
 * bot does would no longer be on record.
 */
export class FileJournal implements Journal {
  /** Number of this run in the file, from 1. */
  readonly run: number;
  readonly #options: JournalOptions;
  readonly #lock: Lock;
  readonly #file: DatabaseFile;
  readonly #departures: Departures;
  readonly #writer: JournalWriter;
  /** Undefined if no other program can reach the disk. */
  readonly #whereabouts: Whereabouts | undefined;
  readonly #logWatch: LogWatch;
  #pending: TradingEvent[] = [];
  /** How many of the pending events were seen by `commitOrders`. */
  #seen = 0;
  #flush: Subscription | undefined;
  #failure: StorageError | undefined;
  #closed = false;

  /**
   * Begins a run. @throws {StorageError} when the file can't be opened, is no journal or is in use.
   */
  constructor(options: JournalOptions) {
    const { path, disk = machineDisk, durability } = options;
    this.#options = options;
    this.#lock = options.lock ?? takeLock(path, disk);
    let file: DatabaseFile | undefined;
    let departures: Departures | undefined;
    try {
      file = disk.open(path, { waitMs: BUSY_WAIT_MS });
      prepareFile(file, options);
      this.#file = file;
      this.#logWatch = new LogWatch(file, path);
      const left = unwritten(file, departedEvents(path, disk));
      const pruner = prunerOf(file, options);
      this.run = beginRun(file, options, pruner);
      departures = new Departures(path, { disk, synced: durability === 'full' });
      this.#departures = departures;
      this.#writer = new JournalWriter(file, { run: this.run, departures, pruner });
      if (left.length > 0) this.#writer.writeLeft(left);
      // Else the next line would be appended to a torn one.
      else departures.clear();
      const isShared = disk === machineDisk;
      this.#whereabouts = isShared ? new Whereabouts(disk.placeOf(path)) : undefined;
    } catch (thrown) {
      departures?.close();
      file?.close();
      this.#lock.release();
      throw storageError('open', path, thrown);
    }
  }

  append(event: TradingEvent): void {
    this.#check('append to');
    if (this.#options.marketData === false && isMarketData(event)) return;
    this.#pending.push(event);
    if (this.#pending.length === PENDING_MAX) this.#scheduleFlush(0);
    else if (this.#flush === undefined) this.#scheduleFlush(this.#options.flushIntervalMs ?? 200);
  }

  commitOrders(): void {
    this.#check('write');
    const orders: TradingEvent[] = [];
    for (; this.#seen < this.#pending.length; this.#seen++) {
      const event = this.#pending[this.#seen]!;
      if (event.kind === 'order' && event.order.status === 'pending') orders.push(event);
    }
    if (orders.length > 0) this.#attempt(() => this.#departures.add(orders));
  }

  commit(): void {
    this.#check('write');
    if (this.#pending.length === 0) return;
    const events = this.#pending;
    this.#pending = [];
    this.#seen = 0;
    this.#attempt(() => {
      this.#requireInPlace();
      this.#writer.write(events);
    });
    const warning = this.#logWatch.warning(this.#whereabouts?.logBytes ?? 0);
    if (warning !== undefined) this.#options.onWarning?.(warning);
  }

  /**
   * Keeps the state that follows from all events so far, so that a restart reads on from here. Only
   * the last one of each day is kept. `until`: the time of the newest event that it includes.
   */
  keepSnapshot({ until, body }: { readonly until: number; readonly body: string }): void {
    this.commit();
    const day = Math.floor(this.#options.clock.now() / DAY_MS);
    const sql = 'INSERT OR REPLACE INTO snapshots VALUES (?,?,?,?,?)';
    const { events } = this.#writer;
    this.#attempt(() => this.#file.prepare(sql).run(day, this.run, events, until, body));
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
      this.#departures.close();
      this.#file.close();
    } finally {
      this.#lock.release();
    }
  }

  #scheduleFlush(delayMs: number): void {
    this.#flush?.unsubscribe();
    this.#flush = this.#options.clock.schedule(() => {
      this.#flush = undefined;
      try {
        this.commit();
      } catch {
        // `onFailure` was called, and the next call throws.
      }
    }, delayMs);
  }

  #check(action: string): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#closed) return;
    throw new StorageError(
      `Cannot ${action} the journal ${this.#options.path}: it is closed, an open one is wanted`,
    );
  }

  /** Runs a write; after the first failure there are no more. */
  #attempt(write: () => void): void {
    try {
      write();
    } catch (thrown) {
      this.#failure = storageError('write', this.#options.path, thrown);
      this.#options.onFailure?.(this.#failure);
      throw this.#failure;
    }
  }

  /** Refuses to write into files that are no longer at their path: nobody would find them again. */
  #requireInPlace(): void {
    const trouble = this.#whereabouts?.trouble();
    if (trouble === undefined) return;
    throw new StorageError(
      `Cannot write the journal ${this.#options.path}: ${trouble}, the file that this run opened is ` +
        'wanted there for as long as it runs',
    );
  }

  #endRun(): void {
    const { hash, events } = this.#writer;
    this.#file
      .prepare('UPDATE runs SET ended = ?, events = ?, hash = ? WHERE id = ?')
      .run(this.#options.clock.now(), events, hash, this.run);
  }
}

function prepareFile(file: DatabaseFile, { path, durability }: JournalOptions): void {
  file.execute('PRAGMA journal_mode = WAL');
  file.execute(`PRAGMA wal_autocheckpoint = ${LOG_PAGES_MAX}`);
  file.execute(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  prepareSchema(file, path);
}

function prunerOf(file: DatabaseFile, { clock, keepDays }: JournalOptions): Pruner | undefined {
  return keepDays === undefined ? undefined : new Pruner(file, { clock, keepDays });
}

/** Drops old market data and inserts the run's row, in one transaction. */
function beginRun(
  file: DatabaseFile,
  { clock, configHash, basis }: JournalOptions,
  pruner: Pruner | undefined,
): number {
  const now = clock.now();
  const text = basis === undefined ? null : JSON.stringify(basis);
  file.execute('BEGIN IMMEDIATE');
  pruner?.begin();
  const sql = 'INSERT INTO runs (started, configHash, basis) VALUES (?,?,?)';
  file.prepare(sql).run(now, configHash, text);
  file.execute('COMMIT');
  return firstRow(file, 'SELECT max(id) AS id FROM runs')?.id as number;
}
