import { cellIn, columnFinder, type Recognised, type Table } from './table.ts';

/** Headings of orders, which have times, prices and amounts too. */
const OF_ORDERS = ['status', 'orderstatus', 'remaining', 'filled'];

/**
 * Refuses liquidations, orders and levels, which have the columns of trades. @throws {TypeError}
 */
export function refuseOthers(table: Table, recognised: Recognised): void {
  if (recognised.kind !== 'trades') return;
  if (/liquidation/i.test(table.name)) {
    throw new TypeError(
      'it is named after liquidations, which have the columns of trades, trades are wanted',
    );
  }
  if (columnFinder(table)(...OF_ORDERS) !== undefined) {
    throw new TypeError(
      'its columns are those of orders, trades are wanted, or a mapping of its columns (--mapping)',
    );
  }
  if (!areLevels(table)) return;
  throw new TypeError(
    'its rows have bids below asks at the same times as levels of a book have, trades are wanted, ' +
      'or a mapping of its columns (--mapping)',
  );
}

/**
 * Whether most rows form books with the other rows of their time: every bid is below every ask.
 * Some trades of one time would share a price.
 */
function areLevels(table: Table): boolean {
  const { manyRows } = table;
  const find = columnFinder(table);
  const [time, side, price] = [find('timestamp', 'time', 'ts'), find('side'), find('price')];
  if (time === undefined || side === undefined || price === undefined) return false;
  const times = Map.groupBy(manyRows, (row) => cellIn(row, time));
  const inBooks = [...times.values()].filter((rows) => {
    const of = (word: string): number[] =>
      rows
        .filter((row) => cellIn(row, side)!.trim().toLowerCase() === word)
        .map((row) => Number(cellIn(row, price)));
    const [bids, asks] = [of('bid'), of('ask')];
    const isBook = bids.length > 0 && asks.length > 0 && bids.length + asks.length === rows.length;
    return isBook && Math.max(...bids) < Math.min(...asks);
  });
  return inBooks.flat().length * 2 > manyRows.length;
}
