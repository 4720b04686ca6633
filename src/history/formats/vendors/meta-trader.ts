import { namedCandles } from '../named-columns.ts';
import {
  candleColumns,
  cellIn,
  columnFinder,
  isNumeric,
  joined,
  type Recogniser,
  type Table,
} from '../table.ts';

export const CLOCK = "MetaTrader's times are those of the broker's server and are taken as UTC";
const TICKS =
  "MetaTrader's volumes count changes of the price, no amounts: backtest.fill.volumeCap means " +
  'nothing with them';

/**
 * Columns of a row without headings: 6 in version 4, 7 with its volume of ticks, 9 in version 5.
 */
const WIDTHS: readonly number[] = [6, 7, 9];

/**
 * Candles that MetaTrader exports: version 5 with headings such as `<DATE>` (days without
 * `<TIME>`), or by its package for Python (`tick_volume`); version 4 without headings. Version 5's
 * real volume is taken if it has one.
 */
export const metaTraderCandles: Recogniser = (table) => {
  const candles = table.headings === undefined ? ofRows(table) : ofHeadings(table);
  return candles && { ...candles, format: 'MetaTrader' };
};

function ofHeadings(table: Table): ReturnType<Recogniser> {
  const find = columnFinder(table);
  const [ticks, real] = [find('tickvol', 'tickvolume'), find('vol', 'realvolume')];
  const isPython = find('tickvolume') !== undefined && find('realvolume') !== undefined;
  if (table.headings?.[0] !== '<DATE>' && !isPython) return undefined;
  const isReal = table.rows.some((row) => Number(cellIn(row, real)) > 0);
  const candles = namedCandles(table, { volume: isReal ? real : ticks });
  return candles && { ...candles, note: isReal ? CLOCK : `${CLOCK}; ${TICKS}` };
}

function ofRows({ rows }: Table): ReturnType<Recogniser> {
  const isCandle = ([date = '', time = '', ...numbers]: readonly string[]): boolean =>
    /^\d{4}\.\d\d\.\d\d$/.test(date) && /^\d\d:\d\d/.test(time) && numbers.every(isNumeric);
  const width = rows[0]?.length ?? 0;
  if (!WIDTHS.includes(width) || !rows.every(isCandle)) return undefined;
  const [open, high, low, close] = ['c2', 'c3', 'c4', 'c5'];
  const volume = width > 6 ? 'c6' : undefined;
  const columns = candleColumns({ time: joined('c0', 'c1'), open, high, low, close, volume });
  const note = volume === undefined ? CLOCK : `${CLOCK}; ${TICKS}`;
  return columns && { format: 'MetaTrader', kind: 'candles', columns, note };
}
