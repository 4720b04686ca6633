import { readFileSync, writeFileSync } from 'node:fs';
import { type DatabaseFile, type Disk, machineDisk } from './disk.ts';
import { StorageError, storageError } from './errors.ts';
import { checkJournalFile } from './journal-file.ts';
import { JournalReader } from './journal-reader.ts';

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
 * Takes the lock of a journal, a file beside it; the journal itself stays open for readers. Whose it
 * is stands in another file, for the message alone.
 *
 * @throws {StorageError} when another process, or another journal of this one, holds it: names it;
 * before anything is written where the file is no journal.
 */
export function takeLock(path: string, disk: Disk = machineDisk): Lock {
  let lock: Lock | undefined;
  try {
    if (disk === machineDisk) checkJournalFile(path);
    lock = tryLock(`${path}.lock`, disk);
    // On no other disk are there processes beside this one.
    if (lock !== undefined && disk === machineDisk)
      writeFileSync(ownerFile(path), `${process.pid}`);
  } catch (thrown) {
    lock?.release();
    throw storageError('lock', path, thrown);
  }
  if (lock !== undefined) return lock;
  const use = `${ownerOf(path)} uses it${newestRun(path, disk)}`;
  throw new StorageError(
    `Cannot open the journal ${path}: ${use}, one at a time is wanted: ` +
      'its lock ends with that process',
  );
}

function ownerFile(path: string): string {
  return `${path}.owner`;
}

/** Who wrote that the lock is theirs: a process of this machine, where it is one that lives. */
function ownerOf(path: string): string {
  try {
    const id = Number(readFileSync(ownerFile(path), 'utf8'));
    if (id > 0 && isAlive(id)) return `process ${id}`;
  } catch {
    // What cannot be read names nobody.
  }
  return 'another process';
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** ` (newest run: of <file>, since <time>)`, or nothing where the journal does not tell. */
function newestRun(path: string, disk: Disk): string {
  let reader: JournalReader | undefined;
  try {
    reader = new JournalReader(path, disk);
    const run = reader.runs().findLast(({ isByHand }) => !isByHand);
    if (run === undefined) return '';
    const file = reader.basis(run.id)?.file;
    const since = `${new Date(run.started).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    return ` (newest run: ${file === undefined ? '' : `of ${file}, `}since ${since})`;
  } catch {
    return '';
  } finally {
    reader?.close();
  }
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY;
}
