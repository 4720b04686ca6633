import type { QuoteColumns } from '../../../domain/index.ts';
import { rowsOf } from '../catalogue.ts';
import { withDatabase } from '../database.ts';
import { type DatasetOf, openScan } from './scan.ts';

/**
 * The quote that stands when a period begins in the middle of a recording, as a row of that moment;
 * undefined where none is known: before the first one, and in a gap.
 */
export async function standingQuote(
  dataset: DatasetOf<'quotes'>,
  from: number,
): Promise<QuoteColumns | undefined> {
  const part = dataset.parts.findLast(({ firstTime }) => firstTime < from);
  if (part === undefined) return undefined;
  let last: QuoteColumns | undefined;
  for await (const rows of openScan({ ...dataset, parts: [part] }, { to: from })) {
    const one = (column: Float64Array): Float64Array => column.slice(-1);
    const { time, received, bid, bidAmount, ask, askAmount } = rows;
    last = {
      ...{ time: one(time), received: one(received), bid: one(bid) },
      ...{ bidAmount: one(bidAmount), ask: one(ask), askAmount: one(askAmount) },
    };
  }
  if (last === undefined) return undefined;
  const lastMs = last.time[0]!;
  if (dataset.gaps.some((gap) => gap.from >= lastMs && gap.from < from)) return undefined;
  const delayMs = last.received[0]! - lastMs;
  return { ...last, time: Float64Array.of(from), received: Float64Array.of(from + delayMs) };
}

/** Whether any quote of a dataset has an amount. */
export async function hasQuoteAmounts(dataset: DatasetOf<'quotes'>): Promise<boolean> {
  const { most } = await withDatabase((database) =>
    database.row(`SELECT max(greatest("bidAmount", "askAmount")) AS most FROM ${rowsOf(dataset)}`),
  );
  return Number(most) > 0;
}
