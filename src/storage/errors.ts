import { messageOf, TradewindError } from '../kernel/index.ts';

/** The journal could not be opened, written or read. */
export class StorageError extends TradewindError {
  override readonly name = 'StorageError';
}

/** SQLite's result code for a file that is damaged. Source: sqlite.org/rescode.html. */
const SQLITE_CORRUPT = 11;

/** "Cannot <action> the journal <path>: <what was thrown>", with the original as its cause. */
export function storageError(action: string, path: string, thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const what = isDamage(thrown) ? `${messageOf(thrown)}, ${WHOLE_ONE_WANTED}` : messageOf(thrown);
  return new StorageError(`Cannot ${action} the journal ${path}: ${what}`, { cause: thrown });
}

export const WHOLE_ONE_WANTED =
  'a whole one is wanted, or that it is moved away once its orders and positions are looked after';

function isDamage(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_CORRUPT;
}
