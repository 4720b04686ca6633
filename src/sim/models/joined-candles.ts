import type { CandleColumns } from '../../domain/index.ts';

/** The candles, each of which begins at the close before it; the first where that is, NaN: at its open. */
export function joined(rows: CandleColumns, before: number): CandleColumns {
  const [open, high, low] = [rows.open.slice(), rows.high.slice(), rows.low.slice()];
  let last = before;
  for (let at = 0; at < open.length; at++) {
    if (!Number.isNaN(last)) {
      open[at] = last;
      high[at] = Math.max(high[at]!, last);
      low[at] = Math.min(low[at]!, last);
    }
    last = rows.close[at]!;
  }
  return { ...rows, open, high, low };
}
