import { messageOf } from '../kernel/index.ts';
import type { DatabaseFile } from './disk.ts';
import { firstRow } from './schema.ts';

/** Far above the megabyte at which SQLite checkpoints the log: one transaction may be larger. */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Watches whether the write-ahead log of an open journal is checkpointed into its database. SQLite
 * does not report when it cannot, because a reader still uses an older state, or because the disk
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

  /** Why a log of that many bytes is not checkpointed, and what to do; returned only once. */
  warning(bytes: number): string | undefined {
    if (bytes < this.#bytesMax) return undefined;
    const why = this.#barrier();
    // A log's file does not shrink when it is checkpointed.
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
