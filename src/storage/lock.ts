import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type DatabaseFile, type Disk, machineDisk } from './disk.ts';
import { barrierIn, StorageError, storageError } from './errors.ts';
import { checkJournalFile } from './journal-file.ts';
import { type JournalReader, readFrom } from './journal-reader.ts';

/** SQLite's result code for a file that another connection holds. Source: sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;

/**
 * Holds a file. Nothing is ever written, not to the disk: a journal of its own would be one more file
 * to lay beside it. The table is never there, and is wanted all the same: in a file that may only be
 * read SQLite begins a transaction that holds nothing, and says so of the first change alone.
 */
const HOLD = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; CREATE TABLE held (by)';

/** Something that is ours alone until it is let go. */
export interface Lock {
  /** Lets go of it; does nothing when that was done already. */
  release(): void;
}

/**
 * Takes the lock of what is at a path: an exclusive transaction on a file beside it, held open. In
 * another file stands whose it is while it is held, for messages alone. Undefined when another
 * process, or another holder in this one, has it.
 *
 * The operating system ends it with the process, however that ends: a file that a dead process left
 * behind is no lock. Throws as the disk does.
 */
export function tryLock(path: string, owner: string, disk: Disk = machineDisk): Lock | undefined {
  let file: DatabaseFile | undefined;
  const place = `${disk.placeOf(path)}.lock`;
  // On no other disk are there processes beside this one.
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
      // Its own file stays: were it removed, one who has opened it could hold it beside another.
      if (file !== undefined && told !== undefined) remove(told);
      file?.close();
      file = undefined;
    },
  };
}

/** What cannot be removed stays: nothing hangs on it. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Nobody reads it but to tell whose a lock is that is held.
  }
}

/**
 * Takes the lock of a journal; the journal itself stays open for readers.
 *
 * @throws {StorageError} when another process, or another journal of this one, holds it: names it;
 * before anything is written where the file is no journal.
 */
export function takeLock(path: string, disk: Disk = machineDisk): Lock {
  let lock: Lock | undefined;
  try {
    if (disk === machineDisk) checkJournalFile(path);
    const owner = `${process.pid} ${startOf(process.pid) ?? ''}`.trimEnd();
    // Where somebody has deleted a lock under its holder, its file alone tells of none.
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
 * The process of this machine that writes a journal, by its own word; undefined where there is none
 * that lives, as after a kill. Takes no lock, and lays nothing beside the journal.
 */
export function writerOf(path: string): number | undefined {
  try {
    const [id, start] = readFileSync(ownerFile(path), 'utf8').split(' ');
    // Numbers are given anew, after a reboot and in each container.
    const isIt = start === undefined || startOf(Number(id)) === start;
    return Number(id) > 0 && isIt && isAlive(Number(id)) ? Number(id) : undefined;
  } catch {
    // What cannot be read names nobody.
    return undefined;
  }
}

/** Whether another process of this machine is sure to write a journal, by its own word. */
function isOthers(path: string): boolean {
  try {
    const [id, start] = readFileSync(ownerFile(path), 'utf8').split(' ');
    return Number(id) !== process.pid && start !== undefined && startOf(Number(id)) === start;
  } catch {
    return false;
  }
}

/**
 * When a process began, as the system counts it; undefined where it does not tell, or the process is
 * over and its parent has not heard of that (a zombie). Source: proc(5).
 */
function startOf(id: number): string | undefined {
  try {
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
    // Fields 3 and 22: the third is the first behind the name.
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

/** ` (newest run: of <file>, since <time>)`, or nothing where the journal does not tell. */
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
