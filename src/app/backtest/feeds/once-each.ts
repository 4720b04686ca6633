import type { CandleColumns } from '../../../domain/index.ts';
import { type CandleFindings, isPriced } from '../data/findings/candle-findings.ts';
import { eachColumn } from './each-column.ts';

/**
 * Drops candles that open no later than one before them, and candles with a price of 0 or below, as
 * if they were missing. The findings see all candles.
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

/** The rows of a chunk that have prices and open later than every such row before them. */
function rising(chunk: CandleColumns, lastMs: number): CandleColumns {
  let newestMs = Number.isNaN(lastMs) ? Number.NEGATIVE_INFINITY : lastMs;
  const isLater = chunk.time.map((timeMs, at) => {
    if (timeMs <= newestMs || !isPriced(chunk, at)) return 0;
    newestMs = timeMs;
    return 1;
  });
  return eachColumn(chunk, (column) => column.filter((_, at) => isLater[at] === 1));
}
