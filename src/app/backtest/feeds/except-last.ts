import type { CandleColumns } from '../../../domain/index.ts';
import { eachColumn } from './each-column.ts';

/** All candles but the last, which `onLast` gets at the end, in columns of its own. */
export async function* exceptLast(
  chunks: AsyncIterable<CandleColumns>,
  onLast: (row: CandleColumns) => void,
): AsyncGenerator<CandleColumns> {
  let held: CandleColumns | undefined;
  for await (const chunk of chunks) {
    const last = chunk.time.length - 1;
    if (last < 0) continue;
    if (held !== undefined) yield held;
    if (last > 0) yield eachColumn(chunk, (column) => column.subarray(0, last));
    // A copy, because the arrays of a chunk are reused for the next one.
    held = eachColumn(chunk, (column) => column.slice(last));
  }
  if (held !== undefined) onLast(held);
}
