import type { EventKind, JournalMemory, OrderState, TradingEvent } from '../domain/index.ts';
import { type DatabaseFile, type Disk, type Row, type SqlValue, sqliteDisk } from './disk.ts';
import { StorageError, storageError } from './errors.ts';
import { chainHash, EMPTY_HASH, isMarketData } from './line.ts';
import { departedOrders, readMemory } from './memory.ts';
import { reviveEvent, reviveOrder } from './revive.ts';
import { checkSchema, NOT_MARKET_DATA } from './schema.ts';

/** How long to wait for a writer, milliseconds: in write-ahead mode it is only for recovery. */
const BUSY_WAIT_MS = 5_000;

/** One run of a deployment. */
export interface RunRecord {
  /** From 1, in the order of their starts. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly configHash: string;
  /** Undefined while it runs, and for ever when it was killed. */
  readonly ended: number | undefined;
  /** Hash over all its lines, once it ended. */
  readonly hash: string | undefined;
}

/** A run as its table holds it. */
interface RunRow {
  readonly id: number;
  readonly started: number;
  readonly configHash: string;
  readonly firstEvent: number;
  /** 1 once market data was taken out of it. */
  readonly pruned: number;
  readonly ended: number | null;
  readonly events: number | null;
  readonly hash: string | null;
}

/** Which events to read. What is left out does not narrow. */
export interface EventQuery {
  /** Default: the last run. */
  readonly run?: number;
  readonly kinds?: readonly EventKind[];
  readonly market?: string;
  /** Events at this time or later, milliseconds since the epoch. */
  readonly since?: number;
  /** Events before this time, milliseconds since the epoch. */
  readonly until?: number;
}

/** An event with its place in the run. */
export interface JournalEntry {
  /** From 1, without holes but for pruned market data. */
  readonly sequence: number;
  readonly event: TradingEvent;
}

/** Whether the lines of a run are those that were written. */
export interface Verification {
  readonly intact: boolean;
  /** Lines that are there. */
  readonly events: number;
  /** The first line that does not fit, where one does not. */
  readonly brokenAt?: number;
}

/** Reads a journal, also while a run writes it. */
export class JournalReader {
  readonly #file: DatabaseFile;

  /** @throws {StorageError} when there is no such journal. */
  constructor(path: string, disk: Disk = sqliteDisk) {
    let file: DatabaseFile | undefined;
    try {
      file = disk.open(path, { readOnly: true, waitMs: BUSY_WAIT_MS });
      checkSchema(file, path);
      this.#file = file;
    } catch (thrown) {
      file?.close();
      throw storageError('read', path, thrown);
    }
  }

  /** All runs, the oldest first. */
  runs(): RunRecord[] {
    return this.#rows('SELECT * FROM runs ORDER BY id').map(runOf);
  }

  /** What a restart at that time would take over. */
  memory(nowMs: number): JournalMemory {
    return readMemory(this.#file, nowMs);
  }

  /** The last known state of an order, undefined when the journal never heard of it. */
  order(clientOrderId: string): OrderState | undefined {
    const sql = 'SELECT body FROM orders JOIN events ON events.id = event WHERE clientOrderId = ?';
    const [row] = this.#rows(sql, clientOrderId);
    if (row !== undefined) return reviveOrder(row.body as string);
    return departedOrders(this.#file).find((order) => order.clientOrderId === clientOrderId);
  }

  /** Events in the order of their run, read as they are asked for. */
  *events(query: EventQuery = {}): Generator<JournalEntry> {
    const run = this.#run(query.run);
    if (run === undefined) return;
    const { where, values } = conditionsOf(query);
    const sql = `SELECT id, body FROM events WHERE id >= ? AND run = ?${where} ORDER BY id`;
    const rows = this.#file.prepare(sql).iterate(run.firstEvent, run.id, ...values);
    for (const { id, body } of rows) {
      const sequence = (id as number) - run.firstEvent + 1;
      yield { sequence, event: reviveEvent(body as string) };
    }
  }

  /** Checks the chain of hashes over a run. Default: the last one. */
  verify(runId?: number): Verification {
    const run = this.#run(runId);
    if (run === undefined) return { intact: true, events: 0 };
    let before = { sequence: 0, hash: EMPTY_HASH };
    let events = 0;
    const sql = 'SELECT id, body, hash FROM events WHERE id >= ? AND run = ? ORDER BY id';
    for (const row of this.#file.prepare(sql).iterate(run.firstEvent, run.id)) {
      const sequence = (row.id as number) - run.firstEvent + 1;
      const line = { sequence, hash: row.hash as string };
      const follows = line.sequence === before.sequence + 1;
      const fits = follows
        ? line.hash === chainHash(before.hash, row.body as string)
        : run.pruned === 1 && line.sequence > before.sequence;
      if (!fits) return { intact: false, events, brokenAt: line.sequence };
      before = line;
      events++;
    }
    return endFits(run, before)
      ? { intact: true, events }
      : { intact: false, events, brokenAt: before.sequence + 1 };
  }

  close(): void {
    this.#file.close();
  }

  #run(id: number | undefined): RunRow | undefined {
    const rows =
      id === undefined
        ? this.#rows('SELECT * FROM runs ORDER BY id DESC LIMIT 1')
        : this.#rows('SELECT * FROM runs WHERE id = ?', id);
    if (rows[0] !== undefined || id === undefined) return rows[0] as RunRow | undefined;
    throw new StorageError(`Cannot read the run ${id}: there is none of that number, see runs()`);
  }

  #rows(sql: string, ...values: SqlValue[]): Row[] {
    return [...this.#file.prepare(sql).iterate(...values)];
  }
}

/** Opens a journal for reading. @throws {StorageError} when there is no such journal. */
export function openJournalReader(path: string, disk: Disk = sqliteDisk): JournalReader {
  return new JournalReader(path, disk);
}

/** An ended run says how its chain ends; its last lines may have been pruned. */
function endFits(run: RunRow, last: { readonly sequence: number; readonly hash: string }): boolean {
  if (run.ended === null) return true;
  if (last.sequence === run.events) return last.hash === run.hash;
  return run.pruned === 1 && last.sequence < run.events!;
}

function runOf(row: Row): RunRecord {
  const { id, started, configHash, ended, hash } = row as unknown as RunRow;
  return { id, started, configHash, ended: ended ?? undefined, hash: hash ?? undefined };
}

function conditionsOf(query: EventQuery): { where: string; values: SqlValue[] } {
  let where = '';
  const values: SqlValue[] = [];
  const add = (condition: string, ...of: SqlValue[]): void => {
    where += ` AND ${condition}`;
    values.push(...of);
  };
  if (query.kinds !== undefined) {
    add(`kind IN (${query.kinds.map(() => '?')})`, ...query.kinds);
    if (!query.kinds.some((kind) => isMarketData({ kind }))) add(NOT_MARKET_DATA);
  }
  if (query.market !== undefined) add('market = ?', query.market);
  if (query.since !== undefined) add('time >= ?', query.since);
  if (query.until !== undefined) add('time < ?', query.until);
  return { where, values };
}
