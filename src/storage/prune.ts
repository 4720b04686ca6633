import { type Clock, DAY_MS } from '../kernel/index.ts';
import type { DatabaseFile, Statement } from './disk.ts';
import { type EmptiedChunk, EmptiedChunks } from './emptied.ts';
import { MARKET_DATA } from './kind-set.ts';
import { HAS_MARKET_DATA } from './schema.ts';
import { isMarketLine } from './text/line.ts';

/**
 * How many chunks are emptied when a run begins, and with each write. A write adds one chunk, so
 * that a backlog shrinks. `BYTES_MAX` bounds both: a tenth of a second's work.
 */
const CHUNKS_AT_START = 1_024;
const CHUNKS_A_WRITE = 4;
const BYTES_MAX = 8 * 2 ** 20;

/**
 * Emptied chunks have row ids below 0, apart from full ones: a page that held both would never
 * become free. Each gets the next id after all emptied ones, so that no id is used twice.
 */
const APART = 2 ** 52;
const BEHIND_ALL = `(SELECT coalesce(max(rowid), -${APART}) + 1 FROM chunks WHERE rowid < 0)`;

/**
 * Drops old market data from a journal, chunk by chunk, once all of a chunk is old enough: its
 * lines are emptied, all others keep their places. Later writes use the room again.
 */
export class Pruner {
  readonly #clock: Clock;
  readonly #keepMs: number;
  readonly #old: Statement;
  readonly #drop: Statement;
  readonly #put: Statement;
  readonly #mark: Statement;
  readonly #emptied: EmptiedChunks;

  constructor(file: DatabaseFile, { clock, keepDays }: { clock: Clock; keepDays: number }) {
    this.#clock = clock;
    this.#keepMs = keepDays * DAY_MS;
    this.#old = file.prepare(
      `SELECT rowid AS id, * FROM chunks WHERE ${HAS_MARKET_DATA} AND until < ?
       ORDER BY until LIMIT 1`,
    );
    // As a new row: a row that shrinks in place would keep its page.
    this.#drop = file.prepare('DELETE FROM chunks WHERE rowid = ?');
    this.#put = file.prepare(
      `INSERT INTO chunks (rowid, run, first, kinds, since, until, marketDataHash, othersHash,
       requests, body) VALUES (${BEHIND_ALL}, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#emptied = new EmptiedChunks(file);
    this.#mark = file.prepare('UPDATE runs SET pruned = 1 WHERE id = ? AND pruned = 0');
  }

  /** To be called when a run begins, within a transaction. */
  begin(): void {
    this.#emptySome(CHUNKS_AT_START);
  }

  /** To be called with each write, within its transaction. */
  write(): void {
    this.#emptySome(CHUNKS_A_WRITE);
  }

  /** Empties at most so many of the chunks that are too old, the oldest first. */
  #emptySome(most: number): void {
    const beforeMs = this.#clock.now() - this.#keepMs;
    let bytes = 0;
    for (let count = 0; count < most && bytes < BYTES_MAX; count++) {
      const [row] = [...this.#old.iterate(beforeMs)];
      if (row === undefined) break;
      const { id, ...full } = row as unknown as EmptiedChunk & { readonly id: number };
      const kinds = full.kinds & ~MARKET_DATA;
      const chunk = { ...full, kinds, body: withoutMarketData(full.body) };
      this.#drop.run(id);
      this.#insert(chunk);
      this.#mark.run(chunk.run);
      bytes += full.body.length + this.#emptied.add(chunk);
    }
  }

  #insert({ run, first, kinds, since, until, ...rest }: EmptiedChunk): void {
    const { marketDataHash, othersHash, requests, body } = rest;
    const hashes = [marketDataHash, othersHash] as const;
    this.#put.run(run, first, kinds, since, until, ...hashes, requests, body);
  }
}

function withoutMarketData(body: string): string {
  const lines = body.split('\n').map((line) => (isMarketLine(line) ? '' : line));
  return lines.join('\n');
}
