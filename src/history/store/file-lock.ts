import { DatabaseSync } from 'node:sqlite';

/** SQLite's result code for a file that another connection holds. Source: sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;

/** A file that nobody else holds until it is let go. */
export interface FileLock {
  /** Lets go of it; does nothing when that was done already. */
  release(): void;
}

/**
 * Holds a file, which is made where there is none, by an exclusive transaction; undefined when
 * another holds it. The operating system lets go of it with the process, however that ends.
 *
 * @throws what SQLite throws when the file cannot be opened.
 */
export function lockFile(path: string): FileLock | undefined {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: 0 });
    // Nothing is ever written, and nothing must be: what makes room on a full disk takes a lock too.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (thrown) {
    file?.close();
    if (isBusy(thrown)) return undefined;
    throw thrown;
  }
  return {
    release: () => {
      file?.close();
      file = undefined;
    },
  };
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY;
}
