import { candleColumns, isNumeric, plainHeading, type Recogniser } from '../table.ts';
import { BINANCE_FUTURES, deliveredSource, isCoinMargined } from './binance-name.ts';

/** Open time, prices, volume, close time, quote volume, trades, taker's volumes, ignored. */
const WIDTH = 12;

/** Digits of a stamp in microseconds. */
const MICROSECONDS = 16;

/**
 * Klines of data.binance.vision and of the REST API: 12 columns, with a heading or without, stamps
 * in milliseconds or (spot from 2025 on) in microseconds. Source:
 * github.com/binance/binance-public-data.
 *
 * A heading with `taker_buy_volume` means futures if stamps are in milliseconds; spot's in
 * microseconds may have it too. Old files of futures without a heading look like those of spot.
 * COIN-M futures have contracts as their volume, and the base currency in place of the quote
 * volume.
 */
export const binanceKlines: Recogniser = ({ name, headings, rows: [first], manyRows }) => {
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
  const facts = { format: 'Binance klines', kind: 'candles', columns } as const;
  if (manyRows.every(isUntraded)) {
    return { ...facts, source: 'binance-index', note: `${name} ${UNTRADED}` };
  }
  const delivered = isMicroseconds ? undefined : deliveredSource(name);
  const source = delivered ?? (isFutures ? BINANCE_FUTURES : 'binance');
  const isGuess = delivered === undefined && !isFutures && !isMicroseconds;
  return { ...facts, source, isGuess };
};

const UNTRADED =
  'counts trades and has no volume, as files of mark prices, index prices and premium indices do: ' +
  'they are no prices at which anything is traded';

/**
 * Whether a row is of `markPriceKlines`, `indexPriceKlines` or `premiumIndexKlines`, which have the
 * columns and names of klines: they have no volume, and count price updates in place of trades.
 */
function isUntraded(row: readonly string[]): boolean {
  return Number(row[5]) === 0 && Number(row[8]) > 0;
}
