import {
  type EventKind,
  type JournalMemory,
  type OrderState,
  type TradingEvent,
  timeOf,
} from '../domain/index.ts';
import { MINUTE_MS } from '../kernel/index.ts';
import { BY_HAND, type RunBasis, readBasis } from './basis.ts';
import { departedEvents } from './departures.ts';
import { type DatabaseFile, type Disk, machineDisk, type Row, type SqlValue } from './disk.ts';
import { readingError, StorageError, storageError } from './errors.ts';
import { kindSetOf, RECALLED } from './kind-set.ts';
import { endedOrderIds, orderLine, ownerOf, readMemory, type Span } from './memory.ts';
import { checkSchema, hasSnapshots, IS_RECALLED } from './schema.ts';
import { reviveEvent, reviveOrder } from './text/revive.ts';
import { type RunEnd, type Verification, verifyRun } from './verify.ts';

/** How long to wait for a writer, milliseconds: in write-ahead mode only its recovery blocks us. */
const BUSY_WAIT_MS = 5_000;
/** Chunks read at a time while events are iterated. */
const CHUNKS_AT_ONCE = 64;

/** One run of a deployment. */
export interface RunRecord {
  /** From 1, in the order of their starts. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly configHash: string;
  /** Undefined while it runs, and for ever when it was killed. */
  readonly ended: number | undefined;
  /** Hash over all its lines, once it has ended. */
  readonly hash: string | undefined;
  /** Whether its market data was dropped since, to save room. */
  readonly isPruned: boolean;
  /** Whether no deployment ran: a person wrote into the journal. */
  readonly isByHand: boolean;
}

/** A run as its table holds it. */
interface RunRow extends RunEnd {
  readonly id: number;
  readonly started: number;
  readonly configHash: string;
  /** Absent in a file last written by a version that did not keep it. */
  readonly basis?: string | null;
}

/** A chunk of events: the place of its first line in the run, and its lines. */
interface Body {
  readonly first: number;
  readonly body: string;
}

/** The state that follows from all events up to one place. */
export interface Snapshot {
  readonly run: number;
  /** The last event of that run that it includes; it includes all events of earlier runs. */
  readonly sequence: number;
  /** Time of the newest event that matters to it. */
  readonly until: number;
  readonly body: string;
}

/** The end of a run. */
export interface RunTail {
  /** The place of its first event in the run, from 1. */
  readonly first: number;
  /** When the last event happened. */
  readonly lastTime: number;
  /** How long it took, milliseconds. */
  readonly elapsedMs: number;
}

/** Which events to read. A condition that is left out excludes nothing. */
export interface EventQuery {
  /** Default: the last run. */
  readonly run?: number | undefined;
  readonly kinds?: readonly EventKind[] | undefined;
  readonly market?: string | undefined;
  /** Events after this place in the run. */
  readonly after?: number | undefined;
  /** Events at this time or later, milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Events before this time, milliseconds since the epoch. */
  readonly until?: number | undefined;
  /** Events whose line contains one of these texts, such as an order's ids. No other is parsed. */
  readonly texts?: readonly string[] | undefined;
}

/** An event with its place in the run. */
export interface JournalEntry {
  /** From 1, without holes except for pruned market data. */
  readonly sequence: number;
  readonly event: TradingEvent;
}

/** Reads a journal, even while a run writes it. */
export class JournalReader {
  readonly #file: DatabaseFile;
  readonly #path: string;
  readonly #disk: Disk;

  /** @throws {StorageError} when there is no such journal. */
  constructor(path: string, disk: Disk = machineDisk) {
    this.#path = path;
    this.#disk = disk;
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
    return this.legible(() => this.#rows('SELECT * FROM runs ORDER BY id').map(runOf));
  }

  /**
   * The end of a run, even of a killed one: the chunks of its last `ms` milliseconds, or all of
   * them. A pause without events counts as a minute at most, because the clock may have been set.
   * Undefined if the run has no events.
   */
  tail(runId: number, ms: number): RunTail | undefined {
    const sql = 'SELECT first, since, until FROM chunks WHERE run = ? ORDER BY first DESC';
    return this.legible(() => tailOf(this.#file.prepare(sql).iterate(runId), ms));
  }

  /** What a run depended on; undefined if it was not kept. Default: the last run. */
  basis(runId?: number): RunBasis | undefined {
    return this.legible(() => {
      const text = this.#run(runId)?.basis ?? undefined;
      return text === undefined ? undefined : readBasis(text);
    });
  }

  /** What a restart at that time would take over. */
  memory(nowMs: number): JournalMemory {
    return this.legible(() => {
      const departed = departedEvents(this.#path, this.#disk);
      return readMemory(this.#file, { departed, nowMs });
    });
  }

  /** The exchange's ids of orders that ended after a time, filled or not; some ended earlier. */
  endedOrderIds(span: Span): string[] {
    return this.legible(() => endedOrderIds(this.#file, span));
  }

  /** The last known state of an order, undefined when the journal never heard of it. */
  order(clientOrderId: string): OrderState | undefined {
    return this.legible(() => {
      const departed = departedEvents(this.#path, this.#disk).map(({ order }) => order);
      const line = orderLine(this.#file, clientOrderId);
      if (line !== undefined) return reviveOrder(line);
      return departed.find((order) => order.clientOrderId === clientOrderId);
    });
  }

  /** Our id of the order with that id of the exchange; undefined if it is none of ours. */
  ownerOf(exchangeOrderId: string): string | undefined {
    return this.legible(() => ownerOf(this.#file, exchangeOrderId));
  }

  /** The newest snapshot in which no event is of that time or later. */
  snapshot(beforeTime: number): Snapshot | undefined {
    const sql =
      'SELECT run, sequence, until, body FROM snapshots WHERE until < ? ORDER BY run DESC, sequence DESC LIMIT 1';
    return this.legible(() => {
      if (!hasSnapshots(this.#file)) return undefined;
      return this.#rows(sql, beforeTime)[0] as Snapshot | undefined;
    });
  }

  /**
   * Events in the order of their run, read as they are iterated. The caller may pause, as a pager
   * does: no read transaction stays open, which would keep the write-ahead log from being
   * checkpointed.
   */
  *events(query: EventQuery = {}): Generator<JournalEntry> {
    try {
      yield* this.#events(query);
    } catch (thrown) {
      throw readingError(this.#path, thrown);
    }
  }

  /** Checks the chain of hashes over a run. Default: the last one. */
  verify(runId?: number): Verification {
    return this.legible(() => {
      const run = this.#run(runId);
      if (run === undefined) return { intact: true, events: 0 };
      const sql = 'SELECT * FROM chunks WHERE run = ? ORDER BY first';
      return verifyRun(run, this.#file.prepare(sql).iterate(run.id));
    });
  }

  /**
   * Runs a read of the journal, or of a text that it keeps.
   *
   * @throws {StorageError} naming the file, whatever `read` throws: in a damaged file that is
   * anything.
   */
  legible<T>(read: () => T): T {
    try {
      return read();
    } catch (thrown) {
      throw readingError(this.#path, thrown);
    }
  }

  close(): void {
    this.#file.close();
  }

  *#events(query: EventQuery): Generator<JournalEntry> {
    const run = this.#run(query.run);
    if (run === undefined) return;
    const { where, values } = conditionsOf(query, run.id);
    const sql =
      `SELECT first, body FROM chunks WHERE run = ? AND first > ?${where} ` +
      `ORDER BY first LIMIT ${CHUNKS_AT_ONCE}`;
    let passed = 0;
    for (let isOver = false; !isOver; ) {
      const chunks = this.#rows(sql, run.id, passed, ...values) as unknown as Body[];
      isOver = chunks.length < CHUNKS_AT_ONCE;
      for (const chunk of chunks) yield* entriesOf(chunk, query);
      passed = chunks.at(-1)?.first ?? passed;
    }
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

/** Opens a journal, reads, and closes it in any case. @throws {StorageError} as its reader does. */
export function readFrom<T>(
  path: string,
  read: (reader: JournalReader) => T,
  disk: Disk = machineDisk,
): T {
  const reader = new JournalReader(path, disk);
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}

function runOf(row: Row): RunRecord {
  const { id, started, configHash, ended, hash, pruned } = row as unknown as RunRow;
  const end = { ended: ended ?? undefined, hash: hash ?? undefined };
  const isByHand = configHash === BY_HAND;
  return { id, started, configHash, ...end, isPruned: pruned === 1, isByHand };
}

/** Reads chunks back from the end of a run until they span so much time. */
function tailOf(chunks: Iterable<Row>, ms: number): RunTail | undefined {
  let tail: RunTail | undefined;
  let laterTime: number | undefined;
  for (const row of chunks) {
    const { first, since, until } = row as unknown as Record<'first' | 'since' | 'until', number>;
    const passedMs = passed(since, until) + passed(until, laterTime ?? until);
    const elapsedMs = (tail?.elapsedMs ?? 0) + passedMs;
    tail = { first, lastTime: tail?.lastTime ?? until, elapsedMs };
    if (elapsedMs >= ms) break;
    laterTime = since;
  }
  return tail;
}

/** The time from one moment to a later one: a minute at most, and never negative. */
function passed(time: number, laterTime: number): number {
  return Math.min(Math.max(0, laterTime - time), MINUTE_MS);
}

/** The SQL conditions for the chunks that may hold the events asked for. */
function conditionsOf(query: EventQuery, run: number): { where: string; values: SqlValue[] } {
  const { kinds, after, since, until, texts } = query;
  let where = '';
  const values: SqlValue[] = [];
  const add = (condition: string, ...of: SqlValue[]): void => {
    where += ` AND ${condition}`;
    values.push(...of);
  };
  if (kinds !== undefined) {
    const wanted = kindSetOf(kinds);
    add('kinds & ? <> 0', wanted);
    if ((wanted & ~RECALLED) === 0) add(IS_RECALLED);
  }
  if (after !== undefined) {
    // The chunk that holds the place itself, and all after it.
    const holding = 'SELECT max(first) FROM chunks WHERE run = ? AND first <= ?';
    add(`first >= coalesce((${holding}), 0)`, run, after);
  }
  if (since !== undefined) add('until >= ?', since);
  if (until !== undefined) add('since < ?', until);
  if (texts !== undefined) {
    const holds = texts.map(() => 'instr(body, ?) > 0').join(' OR ');
    add(`(${holds})`, ...texts.map(escaped));
  }
  return { where, values };
}

function* entriesOf({ first, body }: Body, query: EventQuery): Generator<JournalEntry> {
  const marks = query.kinds?.map((kind) => `"kind":"${kind}"`);
  const texts = query.texts?.map(escaped);
  for (const [index, line] of body.split('\n').entries()) {
    const sequence = first + index;
    if (line === '' || sequence <= (query.after ?? 0)) continue;
    if (marks?.some((mark) => line.includes(mark)) === false) continue;
    if (texts?.some((text) => line.includes(text)) === false) continue;
    const event = reviveEvent(line);
    if (isWanted(event, query)) yield { sequence, event };
  }
}

/** A text as it stands within a line, which is JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function isWanted(event: TradingEvent, { kinds, market, since, until }: EventQuery): boolean {
  const time = timeOf(event);
  return (
    kinds?.includes(event.kind) !== false &&
    (market === undefined || ('market' in event && event.market === market)) &&
    (since === undefined || time >= since) &&
    (until === undefined || time < until)
  );
}
