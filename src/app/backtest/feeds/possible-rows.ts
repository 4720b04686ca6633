import type { TradeColumns } from '../../../domain/index.ts';
import { DEPTH_EVENTS } from '../../../history/index.ts';
import type { PrintCounts, PrintFindings } from '../data/findings/volume-findings.ts';
import { eachColumn } from './each-column.ts';

/** Columns of trades, or of depth with trades among its events. */
type PrintColumns<Rows> = { readonly [column in keyof Rows]: Float64Array } & TradeColumns & {
    readonly event?: Float64Array;
  };

/**
 * Drops impossible trades, those with a price of 0 or below or an amount below 0, as if they were
 * missing; `Rows` are trades, or depth with trades among its events. The same pass counts the
 * trades for the findings.
 */
export async function* possibleRows<Rows extends PrintColumns<Rows>>(
  chunks: AsyncIterable<Rows>,
  findings?: Pick<PrintFindings, 'count'>,
): AsyncGenerator<Rows> {
  for await (const chunk of chunks) {
    const counts = printsIn(chunk);
    findings?.count(counts);
    const possible = counts.impossible === 0 ? chunk : possibleOf(chunk);
    if (possible.time.length > 0) yield possible;
  }
}

function printsIn<Rows extends PrintColumns<Rows>>(chunk: Rows): PrintCounts {
  const { amount, event } = chunk;
  let trades = 0;
  let empty = 0;
  let impossible = 0;
  for (let at = 0; at < amount.length; at++) {
    if (event !== undefined && event[at] !== DEPTH_EVENTS.trade) continue;
    if (!isPossible(chunk, at)) impossible++;
    else {
      trades++;
      if (amount[at] === 0) empty++;
    }
  }
  return { trades, empty, impossible };
}

function isPossible(
  { price, amount }: Pick<TradeColumns, 'price' | 'amount'>,
  at: number,
): boolean {
  return price[at]! > 0 && amount[at]! >= 0;
}

function possibleOf<Rows extends PrintColumns<Rows>>(chunk: Rows): Rows {
  const { event } = chunk;
  const isKept = (_: number, at: number): boolean =>
    (event !== undefined && event[at] !== DEPTH_EVENTS.trade) || isPossible(chunk, at);
  return eachColumn(chunk, (column) => column.filter(isKept));
}
