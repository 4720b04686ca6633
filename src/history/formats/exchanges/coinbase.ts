import { cellIn, columnFinder, isDate, type Recogniser, tradeColumns } from '../table.ts';

const NOTE =
  'Coinbase tells the sides of makers, which are turned round: its buy is a sell here (a mapping ' +
  'keeps those of another origin)';

const ADVANCED =
  'its columns are those of Coinbase Advanced Trade, of which it is not sure whose sides it ' +
  'tells, a mapping that tells them is wanted (--mapping): if they are those of makers, one with ' +
  '"sides: { buy: sell, sell: buy }"';

/**
 * Trades of Coinbase Exchange: its answers (`/products/BTC-USD/trades`) and files made of them with
 * the same columns, and its pushed messages (`match`), which add both orders and the market.
 * Source: docs.cdp.coinbase.com, Get product trades: "The side of a trade indicates the maker order
 * side".
 *
 * @throws {TypeError} for trades of Advanced Trade, which name the market and no orders.
 */
export const coinbaseTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [time, id, side] = [find('time'), find('tradeid'), find('side')];
  const [price, amount] = [find('price'), find('size')];
  if ([time, id, side, price, amount].includes(undefined)) return undefined;
  const [row = []] = table.rows;
  const symbolColumn = find('productid');
  const isPushed = find('makerorderid') !== undefined && symbolColumn !== undefined;
  if (!isDate(cellIn(row, time))) return undefined;
  if (symbolColumn !== undefined && !isPushed) throw new TypeError(ADVANCED);
  if (row.length !== 5 && !isPushed) return undefined;
  const cells = { time: time!, id, price: price!, amount: amount!, side: `-side_of(${side})` };
  const facts = { format: 'Coinbase trades', kind: 'trades', source: 'coinbase' } as const;
  return { ...facts, symbolColumn, columns: tradeColumns(cells), note: NOTE };
};
