import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's result code for a file that another connection holds. Source: sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;

/**
 * Locks a file without writing to it: removing data from a full disk takes a lock too. The table is
 * never committed, but it has to be created: in a file that may only be read, SQLite begins a
 * transaction that locks nothing, and fails only at the first change.
 */
const HOLD = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; CREATE TABLE held (by)';

/** A file that is locked until it is released. */
export interface FileLock {
  /** Releases it; does nothing when that was done already. */
  release(): void;
}

/**
 * Locks a file by an exclusive transaction, and makes it if there is none; undefined when it is
 * locked already. The operating system releases it with the process, however that ends.
 *
 * @throws what the system or SQLite throws when the file cannot be opened or may not be written.
 */
export function lockFile(path: string): FileLock | undefined {
  let file: DatabaseSync | undefined;
  makeFile(path);
  try {
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec(HOLD);
  } catch (thrown) {
    file?.close();
    if (isBusy(thrown)) return undefined;
    // The system's error says more than SQLite's.
    accessSync(path, constants.R_OK | constants.W_OK);
    throw thrown;
  }
  return {
    release: () => {
      file?.close();
      file = undefined;
    },
  };
}

/**
 * Makes a file if there is none, with the permissions of the umask. SQLite's own file could be
 * written by its user alone, and others of a group who share a folder could not lock it. A file
 * that is there is not opened: closing it would end a lock of this process. Source: fcntl(2),
 * advisory record locking.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx'));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY;
}
