import { isCoinMargined } from './binance-name.ts';
import { candleColumns, isNumeric, plainHeading, type Recogniser } from './table.ts';

/** Open time, prices, volume, close time, quote volume, trades, taker's volumes, ignored. */
const WIDTH = 12;

/** Digits of a stamp in microseconds. */
const MICROSECONDS = 16;

/**
 * Klines of data.binance.vision and of the REST API: 12 columns, with a heading or without, stamps
 * in milliseconds or (spot from 2025 on) in microseconds. Source: github.com/binance/binance-public-data.
 *
 * The heading with `taker_buy_volume` is that of futures, whose stamps are in milliseconds: spot's
 * with microseconds may bear it too. Old ones of futures without a heading are as spot's. Of COIN-M
 * futures the volume is in contracts, and the quote volume what is in the base currency.
 */
export const binanceKlines: Recogniser = ({ name, headings, rows: [first] }) => {
  const names = headings?.map(plainHeading);
  const isMicroseconds = first?.[0]?.length === MICROSECONDS;
  const hasHeading = names?.includes('takerbuyvolume') === true;
  const isCoin = isCoinMargined(name);
  const isFutures = isCoin || (hasHeading && !isMicroseconds);
  if (names !== undefined && !hasHeading && !names.includes('quoteassetvolume')) return undefined;
  const width = names?.length ?? first?.length;
  if (width !== WIDTH || (first !== undefined && !first.every(isNumeric))) return undefined;
  const [time, open, high, low, close] = ['c0', 'c1', 'c2', 'c3', 'c4'];
  const volume = isCoin ? 'c7' : 'c5';
  const columns = candleColumns({ time, open, high, low, close, volume });
  if (columns === undefined) return undefined;
  const source = isFutures ? 'binance-futures' : 'binance';
  const isGuess = !isFutures && !isMicroseconds;
  return { format: 'Binance klines', kind: 'candles', source, isGuess, columns };
};
