import { isFinal, type TradingEvent } from '../domain/index.ts';
import { HOUR_MS, MINUTE_MS } from '../kernel/index.ts';
import type { DatabaseFile, Statement } from './disk.ts';
import { chainHash, EMPTY_HASH, lineOf, timeOf } from './line.ts';

/** How long request times are kept: as long as the exchange locks an address that asked too much. */
export const REQUESTS_KEPT_MS = HOUR_MS;

/** A run's number and the id of its first event in the file. */
export interface RunPlace {
  readonly id: number;
  readonly firstEvent: number;
}

/** Writes the events of one run, and with them the tables that a restart reads. */
export class JournalWriter {
  readonly #file: DatabaseFile;
  readonly #run: RunPlace;
  readonly #event: Statement;
  readonly #order: Statement;
  readonly #request: Statement;
  readonly #forget: Statement;
  #events = 0;
  #hash = EMPTY_HASH;
  #forgotTime = 0;

  constructor(file: DatabaseFile, run: RunPlace) {
    this.#file = file;
    this.#run = run;
    this.#event = file.prepare(
      'INSERT INTO events (id, run, time, kind, market, body, hash) VALUES (?,?,?,?,?,?,?)',
    );
    this.#order = file.prepare(
      'INSERT OR REPLACE INTO orders (clientOrderId, final, event) VALUES (?,?,?)',
    );
    this.#request = file.prepare('INSERT INTO requests (time) VALUES (?)');
    this.#forget = file.prepare('DELETE FROM requests WHERE time < ?');
  }

  /** Events written so far. */
  get events(): number {
    return this.#events;
  }

  /** The hash over all lines so far. */
  get hash(): string {
    return this.#hash;
  }

  /** Writes events in one transaction: all of them are there afterwards, or none. */
  write(events: readonly TradingEvent[]): void {
    this.#file.execute('BEGIN IMMEDIATE');
    for (const event of events) this.#write(event);
    this.#file.execute('COMMIT');
  }

  #write(event: TradingEvent): void {
    const line = lineOf(event);
    const market = 'market' in event ? event.market : null;
    const id = this.#run.firstEvent + this.#events;
    this.#events++;
    this.#hash = chainHash(this.#hash, line);
    this.#event.run(id, this.#run.id, timeOf(event), event.kind, market, line, this.#hash);
    if (event.kind === 'order') {
      this.#order.run(event.order.clientOrderId, isFinal(event.order) ? 1 : 0, id);
    }
    if (event.kind === 'request') this.#writeRequest(event.time);
  }

  #writeRequest(time: number): void {
    this.#request.run(time);
    if (time < this.#forgotTime + MINUTE_MS) return;
    this.#forgotTime = time;
    this.#forget.run(time - REQUESTS_KEPT_MS);
  }
}
