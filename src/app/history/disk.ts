import { basename, dirname } from 'node:path';
import { diskTrouble, HistoryError, isDiskFull, requireDataset } from '../../history/index.ts';
import { messageOf, TradewindError } from '../../kernel/index.ts';

/** What the database says of a file of a dataset that is gone, broken or closed to this user. */
const GONE = /No files found that match the pattern "(.+?)"/;
const DAMAGED =
  /No magic bytes|too small to be|Failed to read|enough bytes|TProtocol|TType|know what type/;
const CLOSED = /Permission denied/;
/** And of work for which its memory and the disk behind that do not do. */
const TOO_MUCH = /^Out of Memory Error/;
/** Which file it names, if any. */
const FILE = /file ['"](.+?)['"]/i;
const ANEW = '`tradewind data remove` of its dataset and the data anew are wanted';
const CHANGED = 'for the dataset was changed meanwhile; the same once more is wanted';

/** Does work on files; what the disk or the database fails with is told as what it was done for. */
export async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw toldAs(what, thrown);
  }
}

/** The rows; what the disk or the database fails with meanwhile is told as `onDisk` tells it. */
export async function* rowsOnDisk<T>(what: string, rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows;
  } catch (thrown) {
    throw toldAs(what, thrown);
  }
}

function toldAs(what: string, thrown: unknown): unknown {
  // A full disk may have been met while a file was read.
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
    return 'it does not fit into the memory for it, less at once is wanted';
  return diskTrouble(thrown) ?? message.split('\n')[0]!;
}

/** Whether a dataset still has that file of it. */
function isNamed(file: string): boolean {
  const folder = dirname(file);
  try {
    const { parts } = requireDataset(dirname(folder), basename(folder));
    return parts.some((part) => part.file === basename(file));
  } catch {
    return true;
  }
}
