import { candleColumns, isDate, isNumeric, type Recogniser } from './table.ts';

/** Whether rows are time, open, high, low, close, volume: no order of the prices but this holds. */
export function areCandles(rows: readonly (readonly string[])[]): boolean {
  return rows.every((row) => isNumeric(row[5])) && arePrices(rows);
}

/** The same, whatever stands behind the prices. */
function arePrices(rows: readonly (readonly string[])[]): boolean {
  return rows.every((row) => {
    const [time, ...prices] = row.slice(0, 5);
    if (!prices.every(isNumeric) || !(isDate(time) || Number(time) > 1e8)) return false;
    const [open = 0, high = 0, low = 0, close = 0] = prices.map(Number);
    return high >= Math.max(open, close, low) && low <= Math.min(open, close);
  });
}

/**
 * Rows `[time, open, high, low, close, volume]` without a heading: what freqtrade and ccxt
 * (`fetchOHLCV`) write as JSON, and the same as CSV, whose time may be a date. ccxt gives no volume
 * where a venue tells none: null in JSON.
 */
export const ohlcvRows: Recogniser = ({ headings, rows, form }) => {
  if (headings !== undefined || rows[0]?.length !== 6 || !arePrices(rows)) return undefined;
  if (!rows.every(([, , , , , volume]) => volume?.trim() === '' || isNumeric(volume))) return;
  const [time, open, high, low, close, volume] = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
  const columns = candleColumns({ time, open, high, low, close, volume });
  if (columns === undefined) return undefined;
  return {
    format: form === 'JSON' ? 'freqtrade or ccxt OHLCV' : 'OHLCV rows',
    kind: 'candles',
    columns,
  };
};
