import { areCandles } from './ohlcv-rows.ts';
import { candleColumns, isNumeric, numberOf, type Recogniser, timeOf } from './table.ts';

/** Whether a cell is a stamp in seconds, with a fraction or without. */
function isSeconds(cell: string | undefined): boolean {
  return /^\d{9,10}(\.\d+)?$/.test(cell ?? '');
}

/** Kraken's downloadable trades: time in seconds, price, volume, without a heading. */
export const krakenTrades: Recogniser = ({ headings, rows }) => {
  const [first] = rows;
  if (headings !== undefined || first?.length !== 3 || !isSeconds(first[0])) return undefined;
  if (!first.every(isNumeric)) return undefined;
  const columns = { time: timeOf('c0'), price: numberOf('c1'), amount: numberOf('c2') };
  return { format: 'Kraken trades', kind: 'trades', source: 'kraken', columns };
};

/** Kraken's downloadable OHLCVT: time in seconds, prices, volume, trades, without a heading. */
export const krakenCandles: Recogniser = ({ headings, rows, manyRows }) => {
  const [first] = rows;
  if (headings !== undefined || first?.length !== 7 || !isSeconds(first[0])) return undefined;
  if (!areCandles({ rows, manyRows })) return undefined;
  const [time, open, high, low, close, volume] = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
  const columns = candleColumns({ time, open, high, low, close, volume });
  if (columns === undefined) return undefined;
  return { format: 'Kraken OHLCVT', kind: 'candles', source: 'kraken', columns };
};
