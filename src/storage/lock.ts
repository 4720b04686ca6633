import { type DatabaseFile, type Disk, machineDisk } from './disk.ts';
import { StorageError, storageError } from './errors.ts';

/** SQLite's result code for a file that another connection holds. Source: sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;

/** Something that is ours alone until it is let go. */
export interface Lock {
  /** Lets go of it; does nothing when that was done already. */
  release(): void;
}

/**
 * Takes a lock: an exclusive transaction on a file of its own, held open. Undefined when another
 * process, or another holder in this one, has it.
 *
 * The operating system ends it with the process, however that ends: a file that a dead process left
 * behind is no lock. Throws as the disk does.
 */
export function tryLock(path: string, disk: Disk = machineDisk): Lock | undefined {
  let file: DatabaseFile | undefined;
  try {
    file = disk.open(path, { waitMs: 0 });
    file.execute('BEGIN EXCLUSIVE');
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

/**
 * Takes the lock of a journal, a file beside it; the journal itself stays open for readers.
 *
 * @throws {StorageError} when another process, or another journal of this one, holds it.
 */
export function takeLock(path: string, disk: Disk = machineDisk): Lock {
  let lock: Lock | undefined;
  try {
    lock = tryLock(`${path}.lock`, disk);
  } catch (thrown) {
    throw storageError('lock', path, thrown);
  }
  if (lock !== undefined) return lock;
  throw new StorageError(
    `Cannot open the journal ${path}: another process uses it, one at a time is wanted`,
  );
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY;
}
