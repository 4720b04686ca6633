import { inferMarketId } from '../../market-name.ts';
import { candleColumns, numberOf, type Recogniser } from '../table.ts';

/** The file in the archive of a day, such as `20240131_btcusdt_minute_trade.csv`. */
const NAME = /^(\d{4})(\d\d)(\d\d)_\w+_(minute|second)_(trade|quote)\.csv$/i;
/** A stamp of candles of days and hours. */
const STAMP = /^\d{8} \d\d:\d\d$/;

/**
 * Candles of coins as QuantConnect's LEAN keeps them: times are milliseconds from midnight in UTC,
 * of the day that the file is named after. Days and hours have whole stamps, which other formats
 * read. Source: github.com/QuantConnect/Lean, Data, crypto and equity.
 *
 * @throws {TypeError} for stocks, whose prices LEAN multiplies, and for candles of quotes.
 */
export const leanCandles: Recogniser = ({ name, headings, rows }) => {
  if (headings !== undefined) return undefined;
  const [, year, month, day, , kind] = NAME.exec(name) ?? [];
  const isStamped = rows.every(([time = '']) => STAMP.test(time.trim()));
  if (kind === undefined && !isStamped) return undefined;
  if (inferMarketId(name) === undefined) {
    throw new TypeError(
      'it is as LEAN keeps candles of stocks, whose prices are 10,000 times as high and whose ' +
        'times are those of New York, a name with a pair is wanted, such as btcusdt.csv, or a ' +
        'mapping of its columns by their numbers (--mapping), whose dateFormat yyyymmdd takes them ' +
        'as they are',
    );
  }
  if (kind?.toLowerCase() === 'quote') {
    throw new TypeError('it has candles of bids and of asks as LEAN keeps them, trades are wanted');
  }
  const midnight = Date.parse(`${year}-${month}-${day}T00:00Z`);
  if (kind === undefined || rows[0]?.length !== 6 || Number.isNaN(midnight)) return undefined;
  const [open, high, low, close, volume] = ['c1', 'c2', 'c3', 'c4', 'c5'];
  const columns = candleColumns({ time: 'c0', open, high, low, close, volume })!;
  const time = `${midnight} + ${numberOf('c0')}`;
  return { format: 'LEAN candles', kind: 'candles', columns: { ...columns, time } };
};
