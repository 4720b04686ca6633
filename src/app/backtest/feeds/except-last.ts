import type { CandleColumns } from '../../../domain/index.ts';

/** All candles but the last one, which is handed over at the end in columns of its own. */
export async function* exceptLast(
  chunks: AsyncIterable<CandleColumns>,
  onLast: (row: CandleColumns) => void,
): AsyncGenerator<CandleColumns> {
  let held: CandleColumns | undefined;
  for await (const chunk of chunks) {
    const last = chunk.time.length - 1;
    if (last < 0) continue;
    if (held !== undefined) yield held;
    if (last > 0) yield part(chunk, (column) => column.subarray(0, last));
    // A copy: the arrays of a chunk serve the next one.
    held = part(chunk, (column) => column.slice(last));
  }
  if (held !== undefined) onLast(held);
}

function part(
  { time, open, high, low, close, volume }: CandleColumns,
  of: (column: Float64Array) => Float64Array,
): CandleColumns {
  return {
    ...{ time: of(time), open: of(open), high: of(high) },
    ...{ low: of(low), close: of(close), volume: of(volume) },
  };
}
