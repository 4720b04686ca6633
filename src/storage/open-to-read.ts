import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { refuseCutShort } from './database-header.ts';
import { StorageError } from './errors.ts';
import { placeOf } from './place.ts';
import { hasCommit } from './write-ahead-log.ts';

export interface ReadDatabase {
  readonly database: DatabaseSync;
  close(): void;
}

/**
 * Opens a database in write-ahead mode for reading, and leaves no new files beside it: SQLite makes
 * `-wal` and `-shm` for a reader too, and does not remove those of a read-only connection.
 */
export function openToRead(path: string, waitMs: number): ReadDatabase {
  const place = placeOf(path);
  refuseCutShort(place);
  const log = `${place}-wal`;
  if (!existsSync(log) && !mayWrite(dirname(place))) return openAsItIs(place);
  const isCopy = (sizeOf(log) ?? 0) > 0 && !existsSync(`${place}-shm`);
  if (isCopy && process.platform !== 'win32') return openAlone(place);
  const database = new DatabaseSync(place, { readOnly: true, timeout: waitMs });
  return {
    database,
    close: () => {
      database.close();
      // A log with something in it, as after a writer's crash, is not ours to checkpoint.
      if (sizeOf(log) === 0) tidyUp(place);
    },
  };
}

/** Opens a file that is complete by itself: there is no log beside it, and none can be made. */
function openAsItIs(place: string): ReadDatabase {
  const url = pathToFileURL(place);
  // Source: sqlite.org/uri.html, immutable.
  url.search = 'immutable=1';
  const database = new DatabaseSync(url, { readOnly: true });
  return { database, close: () => database.close() };
}

/**
 * Opens a copy of what a killed writer left: a log with rows, but no index (`-shm`) beside it. Only
 * a copy has none: every process that has a journal open makes one, and a kill leaves it. Without
 * locks SQLite keeps the index in memory, and makes and changes no file. Source:
 * sqlite.org/wal.html, "Use of WAL Without Shared-Memory".
 *
 * A log without a valid transaction is ignored: SQLite would remove it on closing, and without
 * locks even one that a bot has begun to write by then.
 */
function openAlone(place: string): ReadDatabase {
  const url = pathToFileURL(place);
  url.search = hasCommit(`${place}-wal`) ? 'vfs=unix-none' : 'immutable=1';
  const database = new DatabaseSync(url, { readOnly: true });
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  return {
    database,
    close: () => {
      database.close();
      if (!existsSync(`${place}-shm`) && (sizeOf(`${place}-wal`) ?? 0) > 0) return;
      const is = 'it was opened for writing while it was read';
      throw new StorageError(`Cannot read the journal ${place}: ${is}, another try is wanted`);
    },
  };
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the files that readers have made beside a database: SQLite does so when the last
 * connection closes, if that one may write. While any other connection is open, they stay.
 */
function tidyUp(place: string): void {
  try {
    const database = new DatabaseSync(place, { timeout: 0 });
    try {
      // SQLite opens the file only when something is read.
      database.prepare('SELECT 1 FROM sqlite_schema').all();
    } finally {
      database.close();
    }
  } catch {
    // A writer has it open: its files stay.
  }
}
