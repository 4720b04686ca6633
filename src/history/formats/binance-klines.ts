import { candleColumns, isNumeric, plainHeading, type Recogniser } from './table.ts';

/** Open time, prices, volume, close time, quote volume, trades, taker's volumes, ignored. */
const WIDTH = 12;

/**
 * Klines of data.binance.vision and of the REST API: 12 columns, with a heading or without, stamps
 * in milliseconds or (spot from 2025 on) in microseconds. Source: github.com/binance/binance-public-data.
 */
export const binanceKlines: Recogniser = ({ headings, rows: [first] }) => {
  const named = headings !== undefined;
  if (named && !headings.map(plainHeading).includes('quoteassetvolume')) {
    if (!headings.map(plainHeading).includes('takerbuyvolume')) return undefined;
  }
  const width = named ? headings.length : first?.length;
  if (width !== WIDTH || (first !== undefined && !first.every(isNumeric))) return undefined;
  const [time, open, high, low, close, volume] = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
  const columns = candleColumns({ time, open, high, low, close, volume });
  if (columns === undefined) return undefined;
  return { format: 'Binance klines', kind: 'candles', source: 'binance', columns };
};
