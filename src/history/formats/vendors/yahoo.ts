import { cellsOf } from '../../csv.ts';
import { namedCandles } from '../named-columns.ts';
import { columnFinder, plainHeading, type Recogniser } from '../table.ts';

/** Headings of two levels: fields, and the ticker of all of them. */
export interface TickerHeadings {
  readonly headings: readonly string[];
  /** Of Yahoo, such as `BTC-USD`. */
  readonly ticker: string;
}

/** How the first two of three lines of headings begin, in either order. */
const LEVELS = /^(price|ticker)\b/i;

/**
 * The headings of a file that has three lines of them: fields, tickers and the name of the index, as
 * yfinance's `download` makes its frames. Undefined when they are others.
 *
 * @throws {TypeError} when it holds several tickers.
 */
export function tickerHeadings(
  lines: readonly string[],
  delimiter: string,
): TickerHeadings | undefined {
  if (!lines.slice(0, 2).every((line) => LEVELS.test(line))) return undefined;
  const levels = lines.map((line) => cellsOf(line, delimiter));
  const [index = '', ...others] = levels[2] ?? [];
  const [fields, tickers] = /^price/i.test(lines[0]!) ? levels : [levels[1], levels[0]];
  if (fields === undefined || tickers === undefined || others.some(Boolean)) return undefined;
  return { headings: [index, ...fields.slice(1)], ticker: onlyTicker(tickers.slice(1)) };
}

/** yfinance's names for both levels: the banner of a Parquet file, which has no lines. */
export const LEVEL_NAMES = 'Price, Ticker';

/** A heading of both levels, as pandas names it in Parquet. */
const PAIR = /^\('(.*)', '(.*)'\)$/;

/**
 * The headings of such a frame in Parquet: `('Close', 'BTC-USD')` or the other way round. Undefined
 * when they are others.
 *
 * @throws {TypeError} when it holds several tickers.
 */
export function pairedHeadings(names: readonly string[]): TickerHeadings | undefined {
  const pairs = names.map((name) => PAIR.exec(name)?.slice(1) ?? []);
  const field = [0, 1].find((level) => pairs.some((pair) => pair[level] === 'Close'));
  if (field === undefined) return undefined;
  const tickers = pairs.flatMap((pair) => pair[1 - field] ?? []);
  return {
    headings: pairs.map((pair, at) => pair[field] ?? names[at]!),
    ticker: onlyTicker(tickers),
  };
}

function onlyTicker(tickers: readonly string[]): string {
  const [ticker = '', ...further] = new Set(tickers);
  if (further.length === 0) return ticker;
  const several = [ticker, ...further].slice(0, 3).join(', ');
  throw new TypeError(`it holds ${several}, one market a file is wanted`);
}

/** Columns of Yahoo. Others with an adjusted close (Tiingo, FMP) have more columns. */
const COLUMNS: ReadonlySet<string> = new Set([
  ...['', 'index', 'indexlevel0', 'unnamed:0', 'date', 'datetime', 'timestamp', 'symbol', 'ticker'],
  ...['open', 'high', 'low', 'close', 'adjclose', 'volume'],
  ...['dividends', 'stocksplits', 'capitalgains', 'repaired?'],
]);

/** Candles of Yahoo as yfinance gives them, with three lines of headings or with one. */
export const yahooCandles: Recogniser = (table) => {
  const find = columnFinder(table);
  const isTold = LEVELS.test(table.banner ?? '');
  const isPlain = (table.headings ?? []).every((name) => COLUMNS.has(plainHeading(name)));
  const isAdjusted = find('adjclose') !== undefined && isPlain;
  const isYahoo = isTold || isAdjusted || find('stocksplits') !== undefined;
  const candles = isYahoo ? namedCandles(table) : undefined;
  if (candles === undefined) return undefined;
  const ticker = isTold ? table.rows[0]?.at(-1) : undefined;
  const isCrypto = CRYPTO.test(ticker ?? table.name);
  const notes = [candles.note, isCrypto ? `${table.name}: ${QUOTED}` : undefined];
  const note = notes.filter(Boolean).join('; ') || undefined;
  return { ...candles, format: 'yfinance', source: 'yahoo', note };
};

/**
 * A ticker of crypto ends in a currency, such as `BTC-USD`; those of currencies and shares do not.
 */
const CRYPTO =
  /(^|[^A-Za-z0-9])[A-Z0-9]{2,10}-(USD|EUR|GBP|JPY|CAD|AUD|INR|CNY|KRW)(?![A-Za-z0-9])/;
const QUOTED =
  "Yahoo's volumes of crypto are in the quote currency, backtest.fill.volumeCap means nothing with " +
  'them';
