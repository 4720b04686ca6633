import { yearFirst } from './dates.ts';
import { candleColumns, isDate, isNumeric, type Recogniser, type Table } from './table.ts';

/** The first rows of a table, and many of them. */
type Rows = Pick<Table, 'rows' | 'manyRows'>;

/** Up to this share of candles may be impossible: in another order of the prices most are. */
const IMPOSSIBLE_MAX = 0.25;

/** Whether rows are time, open, high, low, close, volume: no order of the prices but this holds. */
export function areCandles(rows: Rows): boolean {
  return rows.rows.every((row) => isNumeric(row[5])) && arePrices(rows);
}

/**
 * The same, whatever stands behind the prices. A few quiet candles alone would not tell: where all
 * prices are equal any order holds, and where an open is the low that of Coinbase does.
 */
function arePrices({ rows, manyRows }: Rows): boolean {
  const areTimed = rows.every(([time]) => isDate(time) || Number(time) > 1e8);
  if (!areTimed || !rows.every((row) => inOrder(row))) return false;
  const telling = manyRows.filter((row) => inOrder(row) !== undefined && isMoving(row));
  return telling.filter((row) => !inOrder(row)).length <= telling.length * IMPOSSIBLE_MAX;
}

/** Whether the prices of a row are in this order; undefined where they are no numbers. */
function inOrder([, ...cells]: readonly string[]): boolean | undefined {
  const prices = cells.slice(0, 4);
  if (!prices.every(isNumeric)) return undefined;
  const [open = 0, high = 0, low = 0, close = 0] = prices.map(Number);
  return high >= Math.max(open, close, low) && low <= Math.min(open, close);
}

function isMoving([, ...cells]: readonly string[]): boolean {
  return new Set(cells.slice(0, 4).map(Number)).size > 1;
}

/**
 * Rows `[time, open, high, low, close, volume]` without a heading: what freqtrade and ccxt
 * (`fetchOHLCV`) write as JSON, and the same as CSV, whose time may be a date. ccxt gives no volume
 * where a venue tells none: null in JSON.
 */
export const ohlcvRows: Recogniser = ({ headings, rows, manyRows, form }) => {
  if (headings !== undefined || rows[0]?.length !== 6) return undefined;
  if (!arePrices({ rows, manyRows })) return undefined;
  if (!rows.every(([, , , , , volume]) => volume?.trim() === '' || isNumeric(volume))) return;
  const [time, open, high, low, close, volume] = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
  const times = rows.map((row) => row[0]!.trim());
  const isDigits = times.every((cell) => /^\d{12}$/.test(cell));
  const columns = candleColumns({
    ...{ open, high, low, close, volume },
    time: isDigits ? yearFirst(time, times) : time,
  });
  if (columns === undefined) return undefined;
  return {
    format: form === 'JSON' ? 'freqtrade or ccxt OHLCV' : 'OHLCV rows',
    kind: 'candles',
    columns,
  };
};
