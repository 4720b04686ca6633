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
/** Its code for a file, or a folder, that may not be written. Source: as above. */
const READ_ONLY = 8;
/** What a file that this user may not use is told by: SQLite's codes, and the system's. Sources: as above. */
const CLOSED: ReadonlySet<unknown> = new Set([READ_ONLY, 14, 'EACCES', 'EPERM', 'EROFS']);
/** Its code for a disk that fails, and for a file that may grow no more. Source: as above. */
const FAILED = 10;
/** What a full disk is told by: SQLite's code, and the system's. Sources: as above, errno(3). */
const FULL: ReadonlySet<unknown> = new Set([13, 'ENOSPC']);

/** "Cannot <action> the journal <path>: <what was thrown>", with the original as its cause. */
export function storageError(action: string, path: string, thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const what = barrierIn(thrown, path, action === 'read' ? 'read' : 'read and write');
  const words = what ?? [messageOf(thrown), ...wantedFor(thrown)].join(', ');
  return new StorageError(`Cannot ${action} the journal ${path}: ${words}`, { cause: thrown });
}

/** Which permission was lacking where something was thrown, in words; undefined where none was. */
export function barrierIn(thrown: unknown, path: string, access: Access): string | undefined {
  const { errcode, code, path: place = path } = thrown as NodeJS.ErrnoException & CodeOfSQLite;
  const isClosed = CLOSED.has(Number(errcode) & 0xff) || CLOSED.has(code);
  return isClosed ? barrierTo(place, access) : undefined;
}

interface CodeOfSQLite {
  readonly errcode?: unknown;
}

/**
 * The same of reading. The file may be sound and what its rows say not: an error of anybody else than
 * the disk and SQLite is damage, too.
 */
export function readingError(path: string, thrown: unknown): StorageError {
  const isTold = thrown instanceof Error && ('errcode' in thrown || 'code' in thrown);
  if (isTold || thrown instanceof StorageError) return storageError('read', path, thrown);
  const what = `${messageOf(thrown)}, ${WHOLE_JOURNAL_WANTED}`;
  return new StorageError(`Cannot read the journal ${path}: ${what}`, { cause: thrown });
}

export const WHOLE_JOURNAL_WANTED =
  'a whole journal is wanted, or that it is moved away once its orders and positions are looked after';

/** What is wanted in place of what SQLite or the system tells, where a person can see to it. */
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
