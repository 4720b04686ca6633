import type { DepthColumns, TradeColumns } from '../../../domain/index.ts';
import { DEPTH_EVENTS } from '../../../history/index.ts';
import type { PrintFindings } from '../data/findings/volume-findings.ts';
import { eachColumn } from './each-column.ts';

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

/**
 * Rows of depth without the trades that cannot be, as `possibleTrades` has it. The findings count the
 * others too: so each row is looked at once.
 */
export async function* possibleDepth(
  chunks: AsyncIterable<DepthColumns>,
  findings?: Pick<PrintFindings, 'leaveOut' | 'count'>,
): AsyncGenerator<DepthColumns> {
  for await (const chunk of chunks) {
    const { trades, empty, impossible } = tradesIn(chunk);
    findings?.count(trades, empty);
    findings?.leaveOut(impossible);
    const possible = impossible === 0 ? chunk : possibleDepthOf(chunk);
    if (possible.time.length > 0) yield possible;
  }
}

/** How many trades there are among rows of depth that can be, those of no amount, and the others. */
function tradesIn(chunk: DepthColumns) {
  const { event, amount } = chunk;
  let trades = 0;
  let empty = 0;
  let impossible = 0;
  for (let at = 0; at < event.length; at++) {
    if (event[at] !== DEPTH_EVENTS.trade) continue;
    if (!isPossible(chunk, at)) impossible++;
    else {
      trades++;
      if (amount[at] === 0) empty++;
    }
  }
  return { trades, empty, impossible };
}

function isPossible({ price, amount }: Traded, at: number): boolean {
  return price[at]! > 0 && amount[at]! >= 0;
}

type Traded = Pick<TradeColumns, 'price' | 'amount'>;

function possibleOf(chunk: TradeColumns): TradeColumns {
  const { length } = chunk.time;
  let at = 0;
  while (at < length && isPossible(chunk, at)) at++;
  if (at === length) return chunk;
  return eachColumn(chunk, (column) => column.filter((_, place) => isPossible(chunk, place)));
}

function possibleDepthOf(chunk: DepthColumns): DepthColumns {
  const isKept = (_: number, at: number): boolean =>
    chunk.event[at] !== DEPTH_EVENTS.trade || isPossible(chunk, at);
  return eachColumn(chunk, (column) => column.filter(isKept));
}
