import { messageOf } from '../kernel/index.ts';
import type { DatabaseFile } from './disk.ts';
import { firstRow } from './schema.ts';

/** SQLite is told to bring the log into the database at a megabyte; a transaction may be larger. */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Looks whether the write-ahead log of an open journal is brought into its database. SQLite does not
 * say that it could not: while somebody goes on reading what was there before, or where the disk
 * refuses. The log then grows until the disk is full.
 */
export class LogWatch {
  readonly #file: DatabaseFile;
  readonly #path: string;
  #bytesMax = LOG_BYTES_MAX;

  constructor(file: DatabaseFile, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** What keeps a log of that many bytes from the database, and what to do; told once. */
  warning(bytes: number): string | undefined {
    if (bytes < this.#bytesMax) return undefined;
    const why = this.#barrier();
    // The file of a log that is in the database stays as long as it was.
    this.#bytesMax = why === undefined ? 2 * bytes : Number.POSITIVE_INFINITY;
    if (why === undefined) return undefined;
    const size = `${Math.round(bytes / 1024 / 1024)} MB`;
    return (
      `the log beside the journal (${this.#path}-wal) has grown to ${size} and will grow on: ${why}; ` +
      'nothing of it is lost'
    );
  }

  #barrier(): string | undefined {
    try {
      const { log, checkpointed } = firstRow(this.#file, 'PRAGMA wal_checkpoint') ?? {};
      if (log === checkpointed) return undefined;
      return 'a program goes on reading the journal, such as a tool of SQLite that was left open; end it';
    } catch (thrown) {
      return `it cannot be brought into the journal (${messageOf(thrown)}); look at the disk`;
    }
  }
}
