import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../kernel/index.ts';
import { diskTrouble } from '../disk-trouble.ts';
import { HistoryError } from '../errors.ts';

/** SQLite's result code for a file that another connection holds. Source: sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;

/** The folder of all locks, below that of all datasets; no dataset's name begins with a dot. */
const FOLDER = '.locks';

/** A dataset that nobody else changes until it is let go. */
export interface DatasetLock {
  /** Lets go of it; does nothing when that was done already. */
  release(): void;
}

/** What is to be locked, and for what. */
export interface LockOptions {
  readonly id: string;
  /** What is done to it, as in "process 4711 imports into it". */
  readonly work: string;
}

/**
 * Takes the lock of a dataset: an exclusive transaction on a file of its own, held open.
 *
 * The operating system ends it with the process, however that ends: a lock that a dead process left
 * behind is none. The name of the file's owner stands beside it, for the message alone.
 *
 * @throws {HistoryError} naming the other process, when one holds it.
 */
export function lockDataset(root: string, { id, work }: LockOptions): DatasetLock {
  const path = join(root, FOLDER, id);
  const owner = `${path}.owner`;
  let file: DatabaseSync | undefined;
  try {
    mkdirSync(join(root, FOLDER), { recursive: true });
    file = new DatabaseSync(`${path}.lock`, { timeout: 0 });
    file.exec('BEGIN EXCLUSIVE');
    writeFileSync(owner, `process ${process.pid} ${work}`);
  } catch (thrown) {
    file?.close();
    if (!isBusy(thrown)) {
      const what = diskTrouble(thrown) ?? messageOf(thrown);
      throw new HistoryError(`Cannot lock ${id}: ${what}`, { cause: thrown });
    }
    const what = `${ownerOf(owner)} it right now, one at a time is wanted: wait until that is done`;
    throw new HistoryError(`Cannot change ${id}: ${what}`, { cause: thrown });
  }
  return {
    release: () => {
      file?.close();
      file = undefined;
    },
  };
}

function ownerOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'another process changes';
  }
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY;
}
