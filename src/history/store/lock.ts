import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../kernel/index.ts';
import { diskTrouble, isDiskFull } from '../disk-trouble.ts';
import { HistoryError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { type FileLock, lockFile } from './file-lock.ts';

/** The folder of all locks, below that of all datasets; no dataset's name begins with a dot. */
const FOLDER = '.locks';

export interface LockOptions {
  readonly id: string;
  /** What is done to it, as in "process 4711 imports into it". */
  readonly work: string;
}

/**
 * Locks a dataset by a file beside it; the file of a dead process does not lock it. Another file
 * names the lock's owner, only for the message.
 *
 * @throws {HistoryError} naming the other process, when one holds it.
 */
export function lockDataset(root: string, { id, work }: LockOptions): FileLock {
  const path = join(root, FOLDER, id);
  const owner = `${path}.owner`;
  let lock: FileLock | undefined;
  try {
    makeFolder(join(root, FOLDER));
    lock = lockFile(`${path}.lock`);
    if (lock !== undefined) writeOwner(owner, `process ${process.pid} ${work}`);
  } catch (thrown) {
    lock?.release();
    const what = diskTrouble(thrown) ?? messageOf(thrown);
    throw new HistoryError(`Cannot lock ${id}: ${what}`, { cause: thrown });
  }
  if (lock !== undefined) return lock;
  const what = `${ownerOf(owner)} it right now, one at a time is wanted: wait until that is done`;
  throw new HistoryError(`Cannot change ${id}: ${what}`);
}

/** Names the owner of a lock. On a full disk the lock is held without that. */
function writeOwner(file: string, owner: string): void {
  try {
    writeFileSync(file, owner);
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown;
  }
}

function ownerOf(file: string): string {
  const unknown = 'another process changes';
  try {
    return readFileSync(file, 'utf8') || unknown;
  } catch {
    return unknown;
  }
}
