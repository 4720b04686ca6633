import { isFinal, type OrderState, type TradingEvent } from '../domain/index.ts';
import type { DatabaseFile, Statement } from './disk.ts';
import { chainHash, EMPTY_HASH, lineOf, timeOf } from './line.ts';

/** What a page of the write-ahead log holds, bytes. Source: sqlite.org/pgszchng2016.html. */
const PAGE_BYTES = 4_096;
/** The log is brought into the database when it may have grown by so many bytes. */
const CHECKPOINT_BYTES = 8 * 2 ** 20;

/** A run, and how far its chain of lines has come. */
export interface RunPlace {
  readonly id: number;
  /** Id of its first event in the file. */
  readonly firstEvent: number;
  /** Events that are there. Default: 0. */
  readonly events?: number;
  /** The hash over them. */
  readonly hash?: string;
}

/** Writes the events of one run, and with them the tables that a restart reads. */
export class JournalWriter {
  readonly #file: DatabaseFile;
  readonly #run: RunPlace;
  readonly #event: Statement;
  readonly #order: Statement;
  readonly #departure: Statement;
  #events: number;
  #hash: string;
  /** The lines of events that departed ahead of the others. */
  readonly #departed = new Map<TradingEvent, string>();
  /** What the write-ahead log may have grown by since it was last brought in, bytes. */
  #logBytes = 0;

  constructor(file: DatabaseFile, run: RunPlace) {
    this.#file = file;
    this.#run = run;
    this.#events = run.events ?? 0;
    this.#hash = run.hash ?? EMPTY_HASH;
    this.#event = file.prepare(
      'INSERT INTO events (id, run, time, kind, market, body, hash) VALUES (?,?,?,?,?,?,?)',
    );
    this.#order = file.prepare(
      'INSERT OR REPLACE INTO orders (clientOrderId, final, event) VALUES (?,?,?)',
    );
    this.#departure = file.prepare('INSERT INTO departures (time, body) VALUES (?,?)');
  }

  /** Events written so far. */
  get events(): number {
    return this.#events;
  }

  /** The hash over all lines so far. */
  get hash(): string {
    return this.#hash;
  }

  /** Puts events on disk ahead of those before them, all or none; `write` gives them their place. */
  depart(events: readonly TradingEvent[]): void {
    const lines = events.map(lineOf);
    this.#departure.run(timeOf(events[0]!), lines.join('\n'));
    for (const [at, event] of events.entries()) this.#departed.set(event, lines[at]!);
    this.#logBytes += PAGE_BYTES;
  }

  /** Writes events in one transaction: all of them are there afterwards, or none. */
  write(events: readonly TradingEvent[]): void {
    const orders = new Map<string, { readonly order: OrderState; readonly id: number }>();
    this.#file.execute('BEGIN IMMEDIATE');
    for (const event of events) {
      const id = this.#write(event);
      if (event.kind === 'order') orders.set(event.order.clientOrderId, { order: event.order, id });
    }
    for (const [clientOrderId, { order, id }] of orders) {
      this.#order.run(clientOrderId, isFinal(order) ? 1 : 0, id);
    }
    this.#file.execute('DELETE FROM departures');
    this.#file.execute('COMMIT');
    this.#departed.clear();
    if (this.#logBytes > CHECKPOINT_BYTES) this.#checkpoint();
  }

  #write(event: TradingEvent): number {
    const line = this.#departed.get(event) ?? lineOf(event);
    const market = 'market' in event ? event.market : null;
    const id = this.#run.firstEvent + this.#events;
    this.#events++;
    this.#hash = chainHash(this.#hash, line);
    this.#event.run(id, this.#run.id, timeOf(event), event.kind, market, line, this.#hash);
    this.#logBytes += line.length + this.#hash.length;
    return id;
  }

  /** Not by SQLite's own counting, which may choose the moment at which an order leaves. */
  #checkpoint(): void {
    this.#file.execute('PRAGMA wal_checkpoint(PASSIVE)');
    this.#logBytes = 0;
  }
}
