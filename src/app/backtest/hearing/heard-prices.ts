import type { BacktestConfig } from '../config.ts';

/** Whether strategies also hear opens, and prices within candles, and not closes alone. */
export function heardPrices(fill: BacktestConfig['fill']): {
  readonly hearsOpens: boolean;
  readonly walks: boolean;
} {
  const walks = fill.model === 'candles' && fill.at === 'heardPath';
  return { walks, hearsOpens: walks || (fill.model === 'candles' && fill.at === 'heardOpen') };
}

/** Whether an order made at the close of a candle trades at that close instead of the next open. */
export function tradesAtClose(fill: BacktestConfig['fill']): boolean {
  if (fill.model !== 'candles') return false;
  return fill.at === 'thisClose' || fill.atClose === 'thisClose';
}
