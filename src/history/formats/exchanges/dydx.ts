import { namedCandles, namedTrades } from '../named-columns.ts';
import { columnFinder, type Recogniser } from '../table.ts';

/** Candles of dYdX, which has perpetuals alone. Source: docs.dydx.xyz, Indexer, Get candles. */
export const dydxCandles: Recogniser = (table) => {
  const find = columnFinder(table);
  const volume = find('basetokenvolume');
  if (volume === undefined || find('startedat') === undefined) return undefined;
  const candles = namedCandles(table, { volume });
  return candles && { ...candles, format: 'candles as dYdX answers', source: 'dydx' };
};

/** Trades of dYdX. Source: docs.dydx.xyz, Indexer, Get trades. */
export const dydxTrades: Recogniser = (table) => {
  const trades =
    columnFinder(table)('createdatheight') === undefined ? undefined : namedTrades(table);
  return trades && { ...trades, format: 'trades as dYdX answers', source: 'dydx' };
};
