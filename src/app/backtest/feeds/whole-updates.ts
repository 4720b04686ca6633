import type { DepthColumns } from '../../../domain/index.ts';
import { eachColumn } from './each-column.ts';

/**
 * The same rows of depth in chunks that end where an update ends, so that none is split in two.
 * The arrays of a chunk are valid only until the next chunk is requested.
 */
export async function* wholeUpdates(
  chunks: AsyncIterable<DepthColumns>,
): AsyncGenerator<DepthColumns> {
  let held: DepthColumns | undefined;
  for await (const chunk of chunks) {
    const { update } = chunk;
    const end = update.length;
    if (end === 0) continue;
    let from = 0;
    if (held !== undefined) {
      while (from < end && update[from] === held.update[0]) from++;
      held = joined(held, partOf(chunk, 0, from));
      if (from === end) continue;
      yield held;
    }
    let to = end;
    while (to > from && update[to - 1] === update[end - 1]) to--;
    if (to > from) yield partOf(chunk, from, to);
    // A copy, because the arrays of a chunk are reused for the next one.
    held = eachColumn(chunk, (column) => column.slice(to));
  }
  if (held !== undefined) yield held;
}

function partOf(rows: DepthColumns, from: number, to: number): DepthColumns {
  return eachColumn(rows, (column) => column.subarray(from, to));
}

function joined(some: DepthColumns, others: DepthColumns): DepthColumns {
  return eachColumn(some, (first, name) => {
    const column = new Float64Array(first.length + others[name].length);
    column.set(first);
    column.set(others[name], first.length);
    return column;
  });
}
