import type { CandleColumns } from '../../../domain/index.ts';
import { type CandleFindings, isPriced } from '../data/findings/candle-findings.ts';
import { eachColumn } from './each-column.ts';

/**
 * Candles once each, and with prices: one that opens no later than one before it is passed over, and
 * so is one with a price of 0 or below, as if it were missing. The findings see all of them.
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

/** The rows of a chunk that have prices and open later than all such before them. */
function rising(chunk: CandleColumns, lastMs: number): CandleColumns {
  let newestMs = Number.isNaN(lastMs) ? Number.NEGATIVE_INFINITY : lastMs;
  const isLater = chunk.time.map((timeMs, at) => {
    if (timeMs <= newestMs || !isPriced(chunk, at)) return 0;
    newestMs = timeMs;
    return 1;
  });
  return eachColumn(chunk, (column) => column.filter((_, at) => isLater[at] === 1));
}
