import type { CandleColumns } from '../../domain/index.ts';
import type { CandleFindings } from './findings.ts';

/**
 * Candles once each: one that opens no later than one before it is passed over. The findings see
 * all of them.
 */
export async function* onceEach(
  chunks: AsyncIterable<CandleColumns>,
  findings: CandleFindings,
): AsyncGenerator<CandleColumns> {
  for await (const chunk of chunks) {
    const lastMs = findings.lastMs;
    yield findings.observe(chunk) === 0 ? chunk : rising(chunk, lastMs);
  }
  findings.end();
}

/** The rows of a chunk that open later than all before them. */
function rising(
  { time, open, high, low, close, volume }: CandleColumns,
  lastMs: number,
): CandleColumns {
  let newestMs = Number.isNaN(lastMs) ? Number.NEGATIVE_INFINITY : lastMs;
  const isLater = time.map((timeMs) => {
    if (timeMs <= newestMs) return 0;
    newestMs = timeMs;
    return 1;
  });
  const part = (column: Float64Array) => column.filter((_, at) => isLater[at] === 1);
  return {
    ...{ time: part(time), open: part(open), high: part(high) },
    ...{ low: part(low), close: part(close), volume: part(volume) },
  };
}
