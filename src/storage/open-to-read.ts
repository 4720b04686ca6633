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
 * Opens a database in write-ahead mode for reading, and leaves nothing beside it that was not there:
 * SQLite makes `-wal` and `-shm` for a reader too, and takes away none of a connection that may not
 * write.
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
      // What stands in one, as after a writer's crash, is not ours to bring in.
      if (sizeOf(log) === 0) tidyUp(place);
    },
  };
}

/** Opens a file that holds all that was written: no log is beside it, nor can one be made. */
function openAsItIs(place: string): ReadDatabase {
  const url = pathToFileURL(place);
  // Source: sqlite.org/uri.html, immutable.
  url.search = 'immutable=1';
  const database = new DatabaseSync(url, { readOnly: true });
  return { database, close: () => database.close() };
}

/**
 * Opens a copy of what a killed writer left: rows in a log, and beside it no index (`-shm`), which
 * whoever has a journal open lays there, and which a kill leaves. Without locks SQLite keeps the
 * index in memory, and makes and changes nothing. Source: sqlite.org/wal.html, "Use of WAL Without
 * Shared-Memory".
 *
 * A log in which nothing counts is left aside: SQLite would take it away as it closes, and with no
 * locks do so to one that a bot has begun to write by then.
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
 * Takes away what readers have laid beside a database: SQLite does so as the last connection closes,
 * where that one may write. While another has it open, in this process or in another, all stays.
 */
function tidyUp(place: string): void {
  try {
    const database = new DatabaseSync(place, { timeout: 0 });
    try {
      // Nothing is opened before something is read.
      database.prepare('SELECT 1 FROM sqlite_schema').all();
    } finally {
      database.close();
    }
  } catch {
    // Who comes upon a writer leaves it as it is.
  }
}
