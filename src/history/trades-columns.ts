import { counted } from '../kernel/index.ts';
import { plainHeading } from './formats/table.ts';
import {
  AMOUNTS,
  BUYER_MAKERS,
  IDS,
  RECEIVED,
  SIDES,
  SYMBOLS,
  TIMES,
} from './formats/trade-headings.ts';
import { quote } from './values.ts';

/** Which column of a table of trades holds what; -1 where no column does. */
export interface TradeColumns {
  readonly time: number;
  readonly receivedTime: number;
  readonly id: number;
  readonly price: number;
  readonly amount: number;
  readonly side: number;
  /** True where the buyer was the maker: the taker sold. */
  readonly buyerIsMaker: number;
  readonly symbol: number;
}

/** Headings by which a column is known, best first. */
const HEADINGS: { readonly [column in keyof TradeColumns]: readonly string[] } = {
  time: TIMES,
  receivedTime: RECEIVED,
  id: IDS,
  price: ['price'],
  amount: AMOUNTS,
  side: [...SIDES, 'type'],
  buyerIsMaker: BUYER_MAKERS,
  symbol: SYMBOLS,
};

const NONE = { receivedTime: -1, id: -1, side: -1, buyerIsMaker: -1, symbol: -1 } as const;

/** Tables without a heading, known by their shape. */
const KRAKEN = { ...NONE, time: 0, price: 1, amount: 2 } as const;
/** data.binance.vision: id, price, quantity, quote quantity, time, buyer is maker. */
const BINANCE_TRADES = { ...NONE, id: 0, price: 1, amount: 2, time: 4, buyerIsMaker: 5 } as const;
/** data.binance.vision: id, price, quantity, first id, last id, time, buyer is maker. */
const BINANCE_AGGREGATES = { ...BINANCE_TRADES, time: 5, buyerIsMaker: 6 } as const;

/** The headings of trades of Coinbase, sorted. */
const COINBASE = 'price,side,size,time,tradeid';

/** What becomes of a table that only an import can tell the meaning of. */
const DATASET = 'a dataset that tradewind data import makes of it';
const IMPORTED = `${DATASET} is wanted`;
const FORM = `a heading with time, price and amount is wanted, or ${DATASET}`;

/** Whether a first line names its columns: numbers come first in tables that do not. */
export function isHeading(cells: readonly string[]): boolean {
  return !/^\s*[\d.+-]+([eE][+-]?\d+)?\s*$/.test(cells[0] ?? '');
}

/** The columns that a heading names. @throws {TypeError} when it is not one of trades. */
export function columnsOfHeading(cells: readonly string[]): TradeColumns {
  const columns = columnsNamed(cells);
  for (const column of ['time', 'price', 'amount'] as const) {
    if (columns[column] === -1) throw new TypeError(`the heading has no ${column}, ${FORM}`);
  }
  return columns;
}

/**
 * The columns, or fields of JSON, by their names; some may be missing.
 *
 * @throws {TypeError} where they are not of trades, or where the rows have to be looked at as well.
 */
export function columnsNamed(headings: readonly string[]): TradeColumns {
  const names = headings.map(plainHeading);
  if (['open', 'high', 'low', 'close'].every((name) => names.includes(name))) {
    throw new TypeError('it holds candles, trades or depth are wanted');
  }
  if (names.includes('issnapshot')) {
    throw new TypeError('it holds book levels in a table, trades or a raw recording are wanted');
  }
  const isOfCoinbase = names.includes('tradeid') && names.includes('productid');
  if (names.toSorted().join() === COINBASE || isOfCoinbase) {
    throw new TypeError(`it may tell the sides of makers, as Coinbase does, ${IMPORTED}`);
  }
  const amounts = headings.filter((_heading, at) => AMOUNTS.includes(names[at]!));
  if (amounts.length > 1) {
    throw new TypeError(`it has amounts as ${amounts.map(quote).join(' and ')}, ${IMPORTED}`);
  }
  const find = (column: keyof TradeColumns): number =>
    HEADINGS[column].map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1;
  const columns = Object.fromEntries(
    (Object.keys(HEADINGS) as (keyof TradeColumns)[]).map((column) => [column, find(column)]),
  ) as unknown as TradeColumns;
  if (names.includes('sell') && columns.side === -1 && columns.buyerIsMaker === -1) {
    throw new TypeError(`its "sell" may tell sides, as Kaiko's does, ${IMPORTED}`);
  }
  return columns;
}

/** The side that a flag tells. @throws {TypeError} when it is neither true nor false. */
export function sideOfMaker(flag: unknown): 'buy' | 'sell' {
  const text = String(flag).trim().toLowerCase();
  if (text === 'true' || text === '1') return 'sell';
  if (text === 'false' || text === '0') return 'buy';
  throw new TypeError(`"buyer is maker" is ${quote(text)}, true or false is wanted`);
}

/** The symbol of one more row, which is to be that of all before. @throws {TypeError} otherwise. */
export function sameSymbol(before: string | undefined, symbol: unknown): string | undefined {
  if (typeof symbol !== 'string' || symbol === before) return before;
  if (before === undefined) return symbol;
  throw new TypeError(`it holds ${before} and ${symbol}, one market is wanted`);
}

/** The columns of a table without a heading, by its first row. @throws {TypeError} when unknown. */
export function columnsOfRow(cells: readonly string[]): TradeColumns {
  const flag = cells.findIndex((cell) => /^(true|false)$/i.test(cell.trim()));
  if (cells.length === 3) return KRAKEN;
  if (flag === 5) return BINANCE_TRADES;
  if (flag === 6) return BINANCE_AGGREGATES;
  if (cells.length === 12) throw new TypeError('it holds candles, trades or depth are wanted');
  throw new TypeError(
    `there is no heading and the row has ${counted(cells.length, 'column')}, ${FORM}`,
  );
}
