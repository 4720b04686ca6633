import type { CandleColumns } from '../../domain/index.ts';
import { type CandlesModelSettings, DEFAULT_PATH_STEPS } from './candles-config.ts';
import { DOUBT_SHARE, down, up } from './whole-units.ts';

/** Legs of a path: from the open to one extreme, to the other extreme, to the close. */
const LEGS = 3;

export interface HighLowOptions {
  readonly at: number;
  readonly path: CandlesModelSettings['path'];
  /** The position just after its open: above 0 long, below 0 short. */
  readonly position: number;
}

/** Whether candle `at` is taken to have reached its high before its low. */
export function sawHighFirst(
  { open, high, low, close }: CandleColumns,
  { at, path, position }: HighLowOptions,
): boolean {
  if (path === 'openHighLowClose') return true;
  if (path === 'openLowHighClose') return false;
  if (path === 'byDirection') return close[at]! < open[at]!;
  if (path === 'adverseFirst' && position !== 0) return position < 0;
  const above = high[at]! - open[at]!;
  const below = open[at]! - low[at]!;
  return above <= below + high[at]! * DOUBT_SHARE;
}

/** How many prices the path of a candle has, the same for every candle. */
export function pathLength({ pathSteps = DEFAULT_PATH_STEPS }: PathSettings): number {
  return LEGS * pathSteps;
}

type PathSettings = Pick<CandlesModelSettings, 'path' | 'pathSteps' | 'pathScale'>;

export interface PathOptions {
  readonly at: number;
  readonly settings: PathSettings;
  /** The position just after its open. */
  readonly position: number;
  /** Price steps in a price of 1. */
  readonly priceFactor: number;
}

/**
 * The prices that candle `at` reaches after its open, the close last: even steps on each leg, each
 * rounded back to a price step, and the end of the leg as it was recorded.
 */
export function pathOf(rows: CandleColumns, { at, settings, ...options }: PathOptions): number[] {
  const { pathSteps = DEFAULT_PATH_STEPS, pathScale = Number.POSITIVE_INFINITY, path } = settings;
  const priceFactor = Math.min(options.priceFactor, 10 ** pathScale);
  const [high, low] = [rows.high[at]!, rows.low[at]!];
  const isHighFirst = sawHighFirst(rows, { at, path, position: options.position });
  const extremes = isHighFirst ? [high, low] : [low, high];
  const prices: number[] = [];
  let from = rows.open[at]!;
  for (const end of [...extremes, rows.close[at]!]) {
    for (let step = 1; step < pathSteps; step++) {
      const exact = (from + ((end - from) * step) / pathSteps) * priceFactor;
      // The start of the leg may lie between two price steps.
      if (end > from) prices.push(Math.max(from, down(exact) / priceFactor));
      else prices.push(Math.min(from, up(exact) / priceFactor));
    }
    prices.push(end);
    from = end;
  }
  return prices;
}

/** The candles, each opening at the close before it; `before`: the first one's, NaN if unknown. */
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
