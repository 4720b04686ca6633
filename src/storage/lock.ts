import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type DatabaseFile, type Disk, machineDisk } from './disk.ts';
import { barrierIn, StorageError, storageError } from './errors.ts';
import { checkJournalFile } from './journal-file.ts';
import { type JournalReader, readFrom } from './journal-reader.ts';

/**
 * SQLite's result code for a file that another connection holds. Source: sqlite.org/rescode.html.
 */
const SQLITE_BUSY = 5;

/**
 * Holds a file by an exclusive transaction that is never committed, so that nothing reaches the
 * disk. The rollback journal is kept in memory, to create no further file. The table is created
 * because on a write-protected file SQLite begins a transaction that locks nothing, and fails only
 * with the first change.
 */
const HOLD = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; CREATE TABLE held (by)';

/** A lock that this process holds until it releases it. */
export interface Lock {
  /** Releases the lock; does nothing the second time. */
  release(): void;
}

/**
 * Takes the lock of a path: an exclusive transaction on a file beside it, kept open. While the lock
 * is held, a second file names its owner, for messages only. Undefined when another process, or
 * another holder in this one, has it.
 *
 * The operating system releases it when the process ends, however it ends: a file that a dead
 * process left behind locks nothing. Throws as the disk does.
 */
export function tryLock(path: string, owner: string, disk: Disk = machineDisk): Lock | undefined {
  let file: DatabaseFile | undefined;
  const place = `${disk.placeOf(path)}.lock`;
  // Only the machine's disk is shared with other processes.
  const told = disk === machineDisk ? ownerFile(path) : undefined;
  try {
    file = disk.open(place, { waitMs: 0 });
    file.execute(HOLD);
    if (told !== undefined) writeFileSync(told, owner);
  } catch (thrown) {
    file?.close();
    if (isBusy(thrown)) return undefined;
    const barrier = barrierIn(thrown, place, 'read and write');
    throw barrier === undefined ? thrown : new Error(barrier, { cause: thrown });
  }
  return {
    release: () => {
      // The lock's file stays: if it were removed, a process that has it open already and one that
      // makes it anew could both hold the lock.
      if (file !== undefined && told !== undefined) remove(told);
      file?.close();
      file = undefined;
    },
  };
}

/** Removes a file if possible. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The owner is only read while a lock is held.
  }
}

/**
 * Takes the lock of a journal; the journal itself stays open for readers.
 *
 * @throws {StorageError} when another process, named in the message, or another journal of this one
 * holds it; or when the file is no journal, before anything is written.
 */
export function takeLock(path: string, disk: Disk = machineDisk): Lock {
  let lock: Lock | undefined;
  try {
    if (disk === machineDisk) checkJournalFile(path);
    const owner = `${process.pid} ${startOf(process.pid) ?? ''}`.trimEnd();
    // If somebody deleted the lock's file under its holder, only the owner's file shows the holder.
    if (disk !== machineDisk || !isOthers(path)) lock = tryLock(path, owner, disk);
  } catch (thrown) {
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
  return `${machineDisk.placeOf(path)}.owner`;
}

/** The holder of the lock, in words. */
function ownerOf(path: string): string {
  const id = writerOf(path);
  return id === undefined ? 'another process' : `process ${id}`;
}

/**
 * The process of this machine that writes a journal, as it has noted itself; undefined if none is
 * alive, as after a kill. Takes no lock and creates no file.
 */
export function writerOf(path: string): number | undefined {
  try {
    const [id, start] = readFileSync(ownerFile(path), 'utf8').split(' ');
    // The system reuses process ids, after a reboot and in each container.
    const isIt = start === undefined || startOf(Number(id)) === start;
    return Number(id) > 0 && isIt && isAlive(Number(id)) ? Number(id) : undefined;
  } catch {
    // A file that cannot be read names nobody.
    return undefined;
  }
}

/** Whether another process of this machine certainly writes a journal, as it has noted itself. */
function isOthers(path: string): boolean {
  try {
    const [id, start] = readFileSync(ownerFile(path), 'utf8').split(' ');
    return Number(id) !== process.pid && start !== undefined && startOf(Number(id)) === start;
  } catch {
    return false;
  }
}

/**
 * When a process began, as the system counts it; undefined if the system does not tell, or if the
 * process is a zombie (over, but not yet reaped). Source: proc(5).
 */
function startOf(id: number): string | undefined {
  try {
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
    // Fields 3 and 22: the third is the first after the name.
    const { 0: state, 19: start } = fields.split(' ');
    return state === 'Z' ? undefined : start;
  } catch {
    return undefined;
  }
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** ` (newest run: of <file>, since <time>)`, or nothing if the journal cannot be read. */
function newestRun(path: string, disk: Disk): string {
  const tell = (reader: JournalReader): string => {
    const run = reader.runs().findLast(({ isByHand }) => !isByHand);
    if (run === undefined) return '';
    const file = reader.basis(run.id)?.file;
    const since = `${new Date(run.started).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    return ` (newest run: ${file === undefined ? '' : `of ${file}, `}since ${since})`;
  };
  try {
    return readFrom(path, tell, disk);
  } catch {
    return '';
  }
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY;
}
