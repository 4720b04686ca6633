import { HistoryError } from '../../history/index.ts';
import { messageOf, TradewindError } from '../../kernel/index.ts';

/** What disks and the database say when nothing more fits. */
const FULL = /ENOSPC|EDQUOT|EFBIG|no space left|file too large|disk quota/i;

/** Does work on files; what the disk or the database fails with is told as what it was done for. */
export async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const message = messageOf(thrown);
    if (FULL.test(message)) {
      const text = `Cannot ${what}: the disk is full, more room is wanted; the dataset is as it was`;
      throw new HistoryError(text, { cause: thrown });
    }
    if (thrown instanceof TradewindError) throw thrown;
    const [first] = message.split('\n');
    throw new HistoryError(`Cannot ${what}: ${first}`, { cause: thrown });
  }
}
