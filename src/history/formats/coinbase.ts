import { columnFinder, isDate, numberOf, type Recogniser, timeOf } from './table.ts';

const NOTE =
  'Coinbase tells the sides of makers, which are turned round: its buy is a sell here (a mapping ' +
  'keeps those of another origin)';

/**
 * Trades as Coinbase Exchange answers (`/products/BTC-USD/trades`), and what is made of them with
 * the same columns. Source: docs.cdp.coinbase.com, Get product trades: "The side of a trade indicates
 * the maker order side".
 */
export const coinbaseTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [time, id, side] = [find('time'), find('tradeid'), find('side')];
  const [price, amount] = [find('price'), find('size')];
  if ([time, id, side, price, amount].includes(undefined)) return undefined;
  const [row = []] = table.rows;
  if (row.length !== 5 || !isDate(row[Number(time!.slice(1))])) return undefined;
  const columns = {
    time: timeOf(time!),
    id: id!,
    price: numberOf(price!),
    amount: numberOf(amount!),
    side: `-side_of(${side})`,
  };
  const told = { format: 'Coinbase trades', kind: 'trades', source: 'coinbase' } as const;
  return { ...told, columns, note: NOTE };
};
