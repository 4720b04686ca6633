import { namedQuotes } from '../named-columns.ts';
import { plainHeading, type Recogniser } from '../table.ts';
import { BINANCE_FUTURES, deliveredSource, isCoinMargined } from './binance-name.ts';

const HEADING = [
  ...['updateid', 'bestbidprice', 'bestbidqty', 'bestaskprice', 'bestaskqty'],
  ...['transactiontime', 'eventtime'],
].join();

/**
 * Best bids and asks of data.binance.vision (`bookTicker`), which has them for futures only; those
 * of COIN-M futures count contracts. Source: github.com/binance/binance-public-data.
 */
export const binanceQuotes: Recogniser = (table) => {
  const { name, headings = [] } = table;
  const quotes = headings.map(plainHeading).join() === HEADING ? namedQuotes(table) : undefined;
  const source = deliveredSource(name) ?? BINANCE_FUTURES;
  const amountUnit = isCoinMargined(name) ? 'inverse contracts' : undefined;
  return quotes && { ...quotes, format: 'Binance quotes', source, amountUnit };
};
