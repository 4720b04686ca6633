import { counted } from '../kernel/index.ts';

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

/** Headings by which a column is known, without case, spaces and underscores, best first. */
const HEADINGS: { readonly [column in keyof TradeColumns]: readonly string[] } = {
  time: ['timestamp', 'time', 'tradetime', 'transacttime', 'datetime', 'date', 'ts'],
  receivedTime: ['localtimestamp', 'receivedtime'],
  id: ['id', 'tradeid', 'tid', 'aggtradeid', 'trdmatchid'],
  price: ['price'],
  amount: ['amount', 'size', 'quantity', 'qty', 'volume', 'vol'],
  side: ['side', 'takerside', 'type', 'direction'],
  // Kaiko says by the last whether the taker sold, which is the same.
  buyerIsMaker: ['isbuyermaker', 'buyermaker', 'takersidesell'],
  symbol: ['symbol', 'market', 'pair'],
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

const FORM = 'a heading with time, price and amount is wanted';

/** Whether a first line names its columns: numbers come first in tables that do not. */
export function isHeading(cells: readonly string[]): boolean {
  return !/^\s*[\d.+-]+([eE][+-]?\d+)?\s*$/.test(cells[0] ?? '');
}

/** The columns that a heading names. @throws {TypeError} when it is not one of trades. */
export function columnsOfHeading(cells: readonly string[]): TradeColumns {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[\s_-]/g, ''));
  if (['open', 'high', 'low', 'close'].every((name) => names.includes(name))) {
    throw new TypeError('it holds candles, trades or depth are wanted');
  }
  if (names.includes('issnapshot')) {
    throw new TypeError('it holds book levels in a table, trades or a raw recording are wanted');
  }
  if (names.toSorted().join() === COINBASE) {
    throw new TypeError(
      'it may tell the sides of makers, as Coinbase does, a dataset that tradewind data ' +
        'import makes of it is wanted',
    );
  }
  const find = (column: keyof TradeColumns): number =>
    HEADINGS[column].map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1;
  const columns = Object.fromEntries(
    (Object.keys(HEADINGS) as (keyof TradeColumns)[]).map((column) => [column, find(column)]),
  ) as unknown as TradeColumns;
  for (const column of ['time', 'price', 'amount'] as const) {
    if (columns[column] === -1) throw new TypeError(`the heading has no ${column}, ${FORM}`);
  }
  return columns;
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
