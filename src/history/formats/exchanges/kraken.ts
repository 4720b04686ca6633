import { areCandles } from '../ohlcv-rows.ts';
import { candleColumns, isNumeric, type Recogniser, type Table, tradeColumns } from '../table.ts';

/** Whether a cell is a stamp in seconds, with a fraction or without. */
function isSeconds(cell: string | undefined): boolean {
  return /^\d{9,10}(\.\d+)?$/.test(cell ?? '');
}

/** A file's name that tells Kraken, such as `kraken-trades-BCHEUR.csv`. */
const NAMED = /(?<![a-z])kraken(?![a-z]|.?futures)/i;

/**
 * The source by the name of a file: Kraken's are named after a pair. Others, such as those of
 * bitcoincharts, have rows of the same form.
 */
function sourceOf({ name }: Table): 'kraken' | undefined {
  return /^[A-Z0-9]{5,}(_\d+)?\./.test(name) || NAMED.test(name) ? 'kraken' : undefined;
}

/**
 * Rows needed to tell prices from amounts, and their typical moves: amounts jump, prices do not.
 */
const TELLING_MIN = 20;
const AMOUNTS_JUMP = 0.2;
const PRICES_MOVE = 0.02;

/** The median change of a column from row to row, as an absolute logarithm. */
function moveOf({ manyRows }: Table, column: number): number {
  const cells = manyRows.map((row) => Number(row[column])).filter((cell) => cell > 0);
  const moves = cells.slice(1).map((cell, at) => Math.abs(Math.log(cell / cells[at]!)));
  return moves.toSorted((a, b) => a - b)[Math.floor(moves.length / 2)] ?? 0;
}

/**
 * Kraken's downloadable trades: time in seconds, price, volume, without a heading.
 *
 * @throws {TypeError} where the columns are in another order.
 */
export const krakenTrades: Recogniser = (table) => {
  const { headings, rows } = table;
  const [first] = rows;
  if (headings !== undefined || first?.length !== 3 || !isSeconds(first[0])) return undefined;
  if (!first.every(isNumeric)) return undefined;
  const isTurned = moveOf(table, 1) > AMOUNTS_JUMP && moveOf(table, 2) < PRICES_MOVE;
  if (isTurned && table.manyRows.length >= TELLING_MIN) {
    throw new TypeError(
      'its second column jumps as amounts do, its third moves as prices do: time, price and amount ' +
        'are wanted, or a mapping of its columns by their numbers (--mapping)',
    );
  }
  const columns = tradeColumns({ time: 'c0', price: 'c1', amount: 'c2' });
  const source = sourceOf(table);
  const format = source === undefined ? 'time, price and amount' : 'Kraken trades';
  return { format, kind: 'trades', source, columns };
};

/** Kraken's downloadable OHLCVT: time in seconds, prices, volume, trades, without a heading. */
export const krakenCandles: Recogniser = (table) => {
  const { headings, rows, manyRows } = table;
  const [first] = rows;
  if (headings !== undefined || first?.length !== 7 || !isSeconds(first[0])) return undefined;
  if (!areCandles({ rows, manyRows })) return undefined;
  const [time, open, high, low, close, volume] = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
  const columns = candleColumns({ time, open, high, low, close, volume });
  if (columns === undefined) return undefined;
  const source = sourceOf(table);
  const format = source === undefined ? 'OHLCVT rows' : 'Kraken OHLCVT';
  return { format, kind: 'candles', source, columns };
};
