import { type Disk, machineDisk } from './disk.ts';
import { StorageError, storageError } from './errors.ts';

/** SQLite's result code for a file that another connection holds. Source: sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;

/** A journal that is ours alone until it is let go. */
export interface Lock {
  /** Lets go of it; does nothing when that was done already. */
  release(): void;
}

/**
 * Takes the lock of a journal: an exclusive transaction on a file beside it, held open.
 *
 * The operating system ends it with the process, however that ends; the journal itself stays open
 * for readers.
 *
 * @throws {StorageError} when another process, or another journal of this one, holds it.
 */
export function takeLock(path: string, disk: Disk = machineDisk): Lock {
  let file: ReturnType<Disk['open']> | undefined;
  try {
    file = disk.open(`${path}.lock`, { waitMs: 0 });
    file.execute('BEGIN EXCLUSIVE');
  } catch (thrown) {
    file?.close();
    if (!isBusy(thrown)) throw storageError('lock', path, thrown);
    throw new StorageError(
      `Cannot open the journal ${path}: another process uses it, one at a time is wanted`,
      { cause: thrown },
    );
  }
  let held: typeof file | undefined = file;
  return {
    release: () => {
      held?.close();
      held = undefined;
    },
  };
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY;
}
