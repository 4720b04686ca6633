import { MINUTE_MS } from '../kernel/index.ts';
import type { DatabaseFile, Statement } from './disk.ts';

/** Most characters of a joined chunk: finding one line takes reading its whole chunk. */
const JOINED_MAX = 65_536;

/** A row of `chunks` whose market data lines are emptied. */
export interface EmptiedChunk {
  readonly run: number;
  readonly first: number;
  readonly kinds: number;
  readonly since: number;
  readonly until: number;
  readonly marketDataHash: string;
  readonly othersHash: string;
  readonly requests: string | null;
  readonly body: string;
}

/**
 * Joins consecutive emptied chunks into one row per minute: the hashes of a row take several times
 * the room of what is left in it. No longer than a minute, because a restart goes by the times of
 * the rows.
 */
export class EmptiedChunks {
  readonly #drop: Statement;
  readonly #widen: Statement;
  #chunks: EmptiedChunk[] = [];
  /** The times and the length of the joined row. */
  #since = 0;
  #until = 0;
  #characters = 0;
  /** The place of the line after the last chunk. */
  #next = 0;

  constructor(file: DatabaseFile) {
    this.#drop = file.prepare('DELETE FROM chunks WHERE run = ? AND first > ? AND first <= ?');
    this.#widen = file.prepare(
      `UPDATE chunks SET kinds = ?, since = ?, until = ?, marketDataHash = ?, othersHash = ?,
       requests = ?, body = ? WHERE run = ? AND first = ?`,
    );
  }

  /**
   * Takes the next chunk, whose own row is already written. If it does not continue the chunks
   * before it, those are joined first. Returns how many characters the joining wrote again.
   */
  add(chunk: EmptiedChunk): number {
    const written = this.#goesOn(chunk) ? 0 : this.#join();
    const isFirst = this.#chunks.length === 0;
    this.#since = isFirst ? chunk.since : Math.min(this.#since, chunk.since);
    this.#until = isFirst ? chunk.until : Math.max(this.#until, chunk.until);
    this.#chunks.push(chunk);
    this.#characters += chunk.body.length;
    this.#next = chunk.first + chunk.body.split('\n').length;
    return written;
  }

  #goesOn({ run, first, since, until, body }: EmptiedChunk): boolean {
    if (this.#chunks[0]?.run !== run || first !== this.#next) return false;
    if (this.#characters + body.length > JOINED_MAX) return false;
    return Math.max(this.#until, until) - Math.min(this.#since, since) <= MINUTE_MS;
  }

  #join(): number {
    const [chunks, written] = [this.#chunks, this.#characters];
    this.#chunks = [];
    this.#characters = 0;
    const [begin] = chunks;
    const end = chunks.at(-1);
    if (begin === undefined || end === undefined || begin === end) return 0;
    const kinds = chunks.reduce((set, chunk) => set | chunk.kinds, 0);
    const hashes = [end.marketDataHash, end.othersHash] as const;
    const body = chunks.map((chunk) => chunk.body).join('\n');
    const rest = [requestsOf(chunks), body, begin.run, begin.first] as const;
    this.#drop.run(begin.run, begin.first, end.first);
    this.#widen.run(kinds, this.#since, this.#until, ...hashes, ...rest);
    return written;
  }
}

function requestsOf(chunks: readonly EmptiedChunk[]): string | null {
  const times = chunks.flatMap(({ requests }) => JSON.parse(requests ?? '[]') as number[]);
  return times.length === 0 ? null : JSON.stringify(times);
}
