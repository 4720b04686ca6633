import { messageOf, TradewindError } from '../kernel/index.ts';

/** The journal could not be opened, written or read. */
export class StorageError extends TradewindError {
  override readonly name = 'StorageError';
}

/** "Cannot <action> the journal <path>: <what was thrown>", with the original as its cause. */
export function storageError(action: string, path: string, thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const message = `Cannot ${action} the journal ${path}: ${messageOf(thrown)}`;
  return new StorageError(message, { cause: thrown });
}
