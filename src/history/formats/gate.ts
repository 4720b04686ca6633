import { namedCandles } from './named-columns.ts';
import { plainHeading, type Recogniser } from './table.ts';

/**
 * Candles of futures as Gate.io answers (`/futures/{settle}/candlesticks`): exactly these columns,
 * of which `v` counts contracts and `sum` the quote currency. Source: gate.com/docs/developers/apiv4.
 */
export const gateFuturesCandles: Recogniser = (table) => {
  const names = (table.headings ?? []).map(plainHeading).sort().join();
  const candles = names === 'c,h,l,o,sum,t,v' ? namedCandles(table) : undefined;
  const told = { format: 'candles as Gate.io answers', source: 'gate-futures' } as const;
  return candles && { ...candles, ...told, amountUnit: 'contracts' };
};
