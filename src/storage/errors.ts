import { messageOf, TradewindError } from '../kernel/index.ts';

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
/** What a full disk is told by: SQLite's code, and the system's. Sources: as above, errno(3). */
const FULL: ReadonlySet<unknown> = new Set([13, 'ENOSPC']);

/** "Cannot <action> the journal <path>: <what was thrown>", with the original as its cause. */
export function storageError(action: string, path: string, thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const what = [messageOf(thrown), ...wantedFor(thrown)].join(', ');
  return new StorageError(`Cannot ${action} the journal ${path}: ${what}`, { cause: thrown });
}

/**
 * The same of reading. The file may be sound and what its rows say not: an error of anybody else than
 * the disk and SQLite is damage, too.
 */
export function readingError(path: string, thrown: unknown): StorageError {
  const isTold = thrown instanceof Error && ('errcode' in thrown || 'code' in thrown);
  if (isTold || thrown instanceof StorageError) return storageError('read', path, thrown);
  const what = `${messageOf(thrown)}, ${WHOLE_ONE_WANTED}`;
  return new StorageError(`Cannot read the journal ${path}: ${what}`, { cause: thrown });
}

export const WHOLE_ONE_WANTED =
  'a whole one is wanted, or that it is moved away once its orders and positions are looked after';

/** What is wanted in place of what SQLite or the system tells, where a person can see to it. */
function wantedFor(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [];
  const { errcode, code } = thrown as { readonly errcode?: unknown; readonly code?: unknown };
  if (DAMAGE.has(errcode)) return [WHOLE_ONE_WANTED];
  if (FULL.has(errcode) || FULL.has(code)) return ['more room on its disk is wanted'];
  const isReadOnly = (Number(errcode) & 0xff) === READ_ONLY;
  return isReadOnly ? ['a file and a folder that this user may write are wanted'] : [];
}
