import type { PriceColumns, RunRecord } from './record.ts';
import { rowsBefore } from './rows.ts';

/**
 * What a unit of a currency is worth in the account's quote currency at a time, by the closes of
 * the record's own prices; NaN where none is known.
 */
export type Rate = (currency: string, time: number) => number;

/** The rates that a record's prices give. */
export function ratesOf({ quote, prices }: Pick<RunRecord, 'quote' | 'prices'>): Rate {
  return (currency, time) => {
    if (currency === quote) return 1;
    const columns = prices.get(`${currency}_${quote}`);
    return columns === undefined ? Number.NaN : closeAt(columns, time);
  };
}

/** The close of the last candle that opened before `time`, or the open of the first. */
function closeAt({ time: times, open, close }: PriceColumns, time: number): number {
  const at = rowsBefore(times, time) - 1;
  return at >= 0 ? close[at]! : (open[0] ?? Number.NaN);
}
