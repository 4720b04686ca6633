import type { BacktestConfig } from '../config.ts';

/** Which prices strategies hear of besides the closes of candles: opens, and those on the way too. */
export function heardPrices(fill: BacktestConfig['fill']): {
  readonly hearsOpens: boolean;
  readonly walks: boolean;
} {
  const walks = fill.model === 'candles' && fill.at === 'heardPath';
  return { walks, hearsOpens: walks || (fill.model === 'candles' && fill.at === 'heardOpen') };
}

/** Whether an order made at the close of a candle trades there, and waits for no open. */
export function tradesAtClose(fill: BacktestConfig['fill']): boolean {
  if (fill.model !== 'candles') return false;
  return fill.at === 'thisClose' || fill.atClose === 'thisClose';
}
