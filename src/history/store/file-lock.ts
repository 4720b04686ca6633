import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's result code for a file that another connection holds. Source: sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;

/**
 * Nothing is ever written, and nothing must be: what makes room on a full disk takes a lock too. The
 * table is never there, and is wanted all the same: in a file that may only be read SQLite begins a
 * transaction that holds nothing, and says so of the first change alone.
 */
const HOLD = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; CREATE TABLE held (by)';

/** A file that nobody else holds until it is let go. */
export interface FileLock {
  /** Lets go of it; does nothing when that was done already. */
  release(): void;
}

/**
 * Holds a file, which is made where there is none, by an exclusive transaction; undefined when
 * another holds it. The operating system lets go of it with the process, however that ends.
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
    // The system says of it more than SQLite does.
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
 * Makes a file where there is none, for whom the umask says: SQLite's own may be written by its user
 * alone, and others of a group who share a folder could not hold it. One that is there is not opened:
 * closing it would end a lock of this process. Source: fcntl(2), advisory record locking.
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
