import { amountUnitOf } from '../amount-unit.ts';
import { contractSource } from '../contract-name.ts';
import {
  candleColumns,
  cellIn,
  columnFinder,
  isDate,
  numberOf,
  plainHeading,
  priceless,
  type Recogniser,
  timeOf,
  tradeColumns,
} from '../table.ts';

/**
 * Trades of BitMEX, from its archive or its API, and those of public.bybit.com, which took over the
 * columns: the heading names `tickDirection` and `trdMatchID`. BitMEX writes times as dates, in its
 * archive `2024-01-31D10:00:00.123`; Bybit writes seconds. BitMEX' `size` counts contracts, its
 * `homeNotional` the base currency.
 */
export const bitmexTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [time, side] = [find('timestamp'), find('side')];
  const [price, amount] = [find('price'), find('size')];
  const id = find('trdmatchid');
  if ([time, side, price, amount, id, find('tickdirection')].includes(undefined)) return undefined;
  const [row = []] = table.rows;
  const isBitmex = isDate(cellIn(row, time));
  const base = isBitmex ? find('homenotional') : undefined;
  const columns = tradeColumns({
    time: isBitmex ? dateOf(time!) : time!,
    ...{ id, price: price!, amount: base ?? amount!, side: `side_of(${side})` },
  });
  const symbolColumn = find('symbol');
  const exchange = isBitmex ? 'bitmex' : 'bybit';
  const symbol = cellIn(row, symbolColumn) ?? '';
  // The archive of Bybit's spot markets has other columns.
  const source = isBitmex ? 'bitmex' : contractSource('bybit-futures', symbol);
  const amountUnit = base === undefined ? amountUnitOf(exchange, symbol) : undefined;
  const format = isBitmex ? 'BitMEX trades' : 'Bybit trades';
  return { format, kind: 'trades', source, amountUnit, symbolColumn, columns };
};

/** The columns of its quotes, in this order. */
const QUOTES = 'timestamp,symbol,bidsize,bidprice,askprice,asksize';

/**
 * Best bids and asks of BitMEX, from its archive or its API (`/quote`). Their sizes count
 * contracts. Source: bitmex.com/api/explorer.
 */
export const bitmexQuotes: Recogniser = (table) => {
  if (table.headings?.map(plainHeading).join() !== QUOTES) return undefined;
  const [time, symbolColumn, bidAmount, bid, ask, askAmount] = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
  const numbers = Object.entries({ bid, bidAmount, ask, askAmount });
  const columns = {
    time: timeOf(dateOf(time!)),
    ...Object.fromEntries(numbers.map(([name, column]) => [name, numberOf(column!)])),
  };
  const amountUnit = amountUnitOf('bitmex', table.rows[0]?.[1] ?? '');
  const facts = { format: 'BitMEX quotes', kind: 'quotes', source: 'bitmex' } as const;
  return { ...facts, amountUnit, symbolColumn, columns };
};

/** A time of its archive, `2024-01-31D10:00:00.123`, as a date. */
function dateOf(column: string): string {
  return `replace(${column}, 'D', ' ')`;
}

/**
 * Candles of BitMEX (`/trade/bucketed`), which are stamped with their ends. Their volume counts
 * contracts, and `homeNotional` the base currency. Source: bitmex.com/api/explorer.
 */
export const bitmexCandles: Recogniser = (table) => {
  const find = columnFinder(table);
  const volume = find('homenotional');
  if (volume === undefined || find('lastsize') === undefined) return undefined;
  const [open, high] = [find('open'), find('high')];
  const [low, close] = [find('low'), find('close')];
  const columns = candleColumns({ time: find('timestamp'), open, high, low, close, volume });
  if (columns === undefined) return undefined;
  const facts = { format: 'BitMEX candles', kind: 'candles', source: 'bitmex' } as const;
  const leftOut = priceless([open, high, low, close]);
  return { ...facts, isStampedAtEnd: true, symbolColumn: find('symbol'), columns, leftOut };
};
