import { messageOf, TradewindError } from '../kernel/index.ts';
import { type Access, barrierTo } from './access.ts';

/** The journal could not be opened, written or read. */
export class StorageError extends TradewindError {
  override readonly name = 'StorageError';
}

/**
 * SQLite's result codes for a file that is damaged: its pages make no sense, or it ends too early.
 * Source: sqlite.org/rescode.html.
 */
const DAMAGE: ReadonlySet<unknown> = new Set([11, 522]);
/** SQLite's code for a write-protected file or folder. Source: as above. */
const READ_ONLY = 8;
/** Codes of SQLite and of the system for a file that this user may not use. Sources: as above. */
const CLOSED: ReadonlySet<unknown> = new Set([READ_ONLY, 14, 'EACCES', 'EPERM', 'EROFS']);
/** SQLite's code for a failing disk, and for a file at its size limit. Source: as above. */
const FAILED = 10;
/** Codes of SQLite and of the system for a full disk. Sources: as above, errno(3). */
const FULL: ReadonlySet<unknown> = new Set([13, 'ENOSPC']);

/** "Cannot <action> the journal <path>: <what was thrown>", with the original as its cause. */
export function storageError(action: string, path: string, thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const what = barrierIn(thrown, path, action === 'read' ? 'read' : 'read and write');
  const words = what ?? [messageOf(thrown), ...wantedFor(thrown)].join(', ');
  return new StorageError(`Cannot ${action} the journal ${path}: ${words}`, { cause: thrown });
}

/** Which permission was missing, in words; undefined if the error has another cause. */
export function barrierIn(thrown: unknown, path: string, access: Access): string | undefined {
  const { errcode, code, path: place = path } = thrown as NodeJS.ErrnoException & CodeOfSQLite;
  const isClosed = CLOSED.has(Number(errcode) & 0xff) || CLOSED.has(code);
  return isClosed ? barrierTo(place, access) : undefined;
}

interface CodeOfSQLite {
  readonly errcode?: unknown;
}

/**
 * The same for reading. The file may be sound while the text in its rows is not: an error that came
 * neither from the disk nor from SQLite means damage, too.
 */
export function readingError(path: string, thrown: unknown): StorageError {
  const isTold = thrown instanceof Error && ('errcode' in thrown || 'code' in thrown);
  if (isTold || thrown instanceof StorageError) return storageError('read', path, thrown);
  const what = `${messageOf(thrown)}, ${WHOLE_JOURNAL_WANTED}`;
  return new StorageError(`Cannot read the journal ${path}: ${what}`, { cause: thrown });
}

export const WHOLE_JOURNAL_WANTED =
  'a whole journal is wanted, or that it is moved away once its orders and positions are looked after';

/** What is wanted in place of the fault, if a person can see to it. */
function wantedFor(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [];
  const { errcode, code } = thrown as { readonly errcode?: unknown; readonly code?: unknown };
  if (DAMAGE.has(errcode)) return [WHOLE_JOURNAL_WANTED];
  if (FULL.has(errcode) || FULL.has(code)) return ['more room on its disk is wanted'];
  const kind = Number(errcode) & 0xff;
  if (kind === FAILED)
    return ['a disk without faults, and files without a limit (`ulimit -f`), are wanted'];
  return kind === READ_ONLY ? ['a file and a folder that this user may write are wanted'] : [];
}
