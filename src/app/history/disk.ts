import { basename, dirname } from 'node:path';
import { diskTrouble, HistoryError, isDiskFull, requireDataset } from '../../history/index.ts';
import { messageOf, TradewindError } from '../../kernel/index.ts';

/** What the database says of a dataset's file that is gone, broken or closed to this user. */
const GONE = /No files found that match the pattern "(.+?)"/;
const DAMAGED =
  /No magic bytes|too small to be|Failed to read|enough bytes|TProtocol|TType|know what type/;
const CLOSED = /Permission denied/;
/** And of work that does not fit in its memory and temporary disk space. */
const TOO_MUCH = /^Out of Memory Error/;
/** Which file it names, if any. */
const FILE = /file ['"](.+?)['"]/i;
const ANEW = '`tradewind data remove` of its dataset and a new import or download are wanted';
const CHANGED = 'because the dataset was changed meanwhile; another try is wanted';

/** Does work on files. Failures of disk or database become errors that name what was to be done. */
export async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw asHistoryError(what, thrown);
  }
}

/** The rows; failures of disk or database meanwhile become errors as in `onDisk`. */
export async function* rowsOnDisk<T>(what: string, rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows;
  } catch (thrown) {
    throw asHistoryError(what, thrown);
  }
}

function asHistoryError(what: string, thrown: unknown): unknown {
  // An error about a file that was read may hide that the disk is full.
  if (thrown instanceof TradewindError && !isDiskFull(thrown)) return thrown;
  return new HistoryError(`Cannot ${what}: ${wordingOf(thrown)}`, { cause: thrown });
}

function wordingOf(thrown: unknown): string {
  const message = messageOf(thrown);
  const [, gone] = GONE.exec(message) ?? [];
  const [, file = 'a file of it'] = FILE.exec(message) ?? [];
  if (gone !== undefined) return `${gone} is gone, ${isNamed(gone) ? ANEW : CHANGED}`;
  if (DAMAGED.test(message)) return `${file} is damaged, ${ANEW}`;
  if (CLOSED.test(message)) return `you may not use ${file}, permission to read it is wanted`;
  if (TOO_MUCH.test(message))
    return 'it does not fit into the memory allowed for it, less at once is wanted';
  return diskTrouble(thrown) ?? message.split('\n')[0]!;
}

/** Whether the dataset still lists that file as its own. */
function isNamed(file: string): boolean {
  const folder = dirname(file);
  try {
    const { parts } = requireDataset(dirname(folder), basename(folder));
    return parts.some((part) => part.file === basename(file));
  } catch {
    return true;
  }
}
