import type { CandleColumns } from '../../domain/index.ts';
import { type CandlesModelSettings, DEFAULT_PATH_STEPS } from './candles-config.ts';
import { DOUBT_SHARE, down, up } from './whole-units.ts';

/** Whether candle `at` is taken to have seen its high before its low. */
export function sawHighFirst(
  { open, high, low }: CandleColumns,
  { at, path }: Pick<CandlesModelSettings, 'path'> & { readonly at: number },
): boolean {
  if (path !== 'nearestFirst') return path === 'openHighLowClose';
  const above = high[at]! - open[at]!;
  const below = open[at]! - low[at]!;
  return above <= below + high[at]! * DOUBT_SHARE;
}

export interface PathOptions {
  readonly at: number;
  readonly settings: Pick<CandlesModelSettings, 'path' | 'pathSteps'>;
  /** Steps of the price in a unit of it. */
  readonly priceFactor: number;
}

/**
 * The prices that candle `at` comes to behind its open, the close last: on each way even steps, on
 * scale and no further than they are, and its end as it was recorded.
 */
export function pathOf(rows: CandleColumns, { at, settings, priceFactor }: PathOptions): number[] {
  const { pathSteps = DEFAULT_PATH_STEPS, path } = settings;
  const [high, low] = [rows.high[at]!, rows.low[at]!];
  const extremes = sawHighFirst(rows, { at, path }) ? [high, low] : [low, high];
  const prices: number[] = [];
  let from = rows.open[at]!;
  for (const end of [...extremes, rows.close[at]!]) {
    for (let step = 1; step < pathSteps; step++) {
      const exact = (from + ((end - from) * step) / pathSteps) * priceFactor;
      // The beginning may lie between two steps of the price.
      if (end > from) prices.push(Math.max(from, down(exact) / priceFactor));
      else prices.push(Math.min(from, up(exact) / priceFactor));
    }
    prices.push(end);
    from = end;
  }
  return prices;
}
