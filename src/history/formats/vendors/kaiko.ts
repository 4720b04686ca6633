import { unknownContractSource } from '../contract-name.ts';
import { namedTrades } from '../named-columns.ts';
import { cellIn, columnFinder, type Recogniser, type Table } from '../table.ts';

/** Columns of its files, and the column that only its answers have. */
const FILE = 'id,exchange,symbol,date,price,amount,sell';
const ANSWER = 'takersidesell';
/** Symbols of derivatives, such as `btcusd_perp` and `btc-usd-29mar24`. */
const DERIVATIVE = /perp|swap|futures?|[-_]\d{6,8}|[-_]\d{1,2}[a-z]{3}\d\d/i;
/** Exchanges of derivatives only, as files and answers call them. */
const EXCHANGES: ReadonlySet<string> = new Set(['bitmex', 'bmex', 'deribit', 'drbt']);

/**
 * Trades of Kaiko, from its files and its answers. They do not tell what amounts of derivatives
 * count: the "base_asset, quote_asset or the number of contracts". Source: docs.kaiko.com, All
 * trades.
 */
export const kaikoTrades: Recogniser = (table) => {
  const isFile = table.headings?.join().toLowerCase() === FILE;
  if (!isFile && columnFinder(table)(ANSWER) === undefined) return undefined;
  const trades = namedTrades(table);
  if (trades === undefined || !isOfDerivative(table)) return trades;
  const source = unknownContractSource(symbolOf(table)) ?? 'futures';
  const note =
    `${table.name} is of a derivative, whose amounts Kaiko gives in the base currency, in the quote ` +
    'currency or in contracts, as its exchange does: with any but the base currency, fills that ' +
    'depend on amounts mean nothing; `data import --contract-size` converts contracts';
  return { ...trades, source, note: [trades.note, note].filter(Boolean).join('; ') };
};

function isOfDerivative(table: Table): boolean {
  const instrumentClass = table.answer?.instrumentClass;
  if (instrumentClass !== undefined) return instrumentClass !== 'spot';
  const exchange = cellOf(table, 'exchange').toLowerCase();
  return DERIVATIVE.test(symbolOf(table) || table.name) || EXCHANGES.has(exchange);
}

function symbolOf(table: Table): string {
  return cellOf(table, 'symbol', 'instrument');
}

function cellOf(table: Table, ...names: readonly string[]): string {
  return cellIn(table.rows[0], columnFinder(table)(...names)) ?? '';
}
