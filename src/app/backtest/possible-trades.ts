import type { TradeColumns } from '../../domain/index.ts';
import type { PrintFindings } from './volume-findings.ts';

/**
 * The trades that can be: one with a price of 0 or below, or with an amount below 0, is left out, as
 * if it were missing. The findings count them.
 */
export async function* possibleTrades(
  chunks: AsyncIterable<TradeColumns>,
  findings?: Pick<PrintFindings, 'leaveOut'>,
): AsyncGenerator<TradeColumns> {
  for await (const chunk of chunks) {
    const possible = possibleOf(chunk);
    findings?.leaveOut(chunk.time.length - possible.time.length);
    if (possible.time.length > 0) yield possible;
  }
}

function possibleOf(chunk: TradeColumns): TradeColumns {
  const { time, received, price, amount, side } = chunk;
  const isPossible = (at: number): boolean => price[at]! > 0 && amount[at]! >= 0;
  let at = 0;
  while (at < time.length && isPossible(at)) at++;
  if (at === time.length) return chunk;
  const part = (column: Float64Array) => column.filter((_, place) => isPossible(place));
  return {
    ...{ time: part(time), received: part(received), price: part(price) },
    ...{ amount: part(amount), side: part(side) },
  };
}
