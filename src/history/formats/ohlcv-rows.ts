import { counted } from '../../kernel/index.ts';
import { yearFirst } from './dates.ts';
import { candleColumns, isDate, isNumeric, joined, type Recogniser, type Table } from './table.ts';

type Rows = Pick<Table, 'rows' | 'manyRows'>;

/** The prices in their order. */
const PRICES = ['open', 'high', 'low', 'close'];
const [HIGH, LOW] = [1, 2];

/** Highest share of impossible candles. With the prices in another order, most are impossible. */
const IMPOSSIBLE_MAX = 0.25;

/** Whether rows are time, open, high, low, close, volume: the prices fit no other order. */
export function areCandles(rows: Rows): boolean {
  return rows.rows.every((row) => isNumeric(row[5])) && arePrices(rows);
}

/**
 * The same, whatever stands behind the prices. Judges many candles that moved: if all prices are
 * equal, any order fits; if the open is the low, Coinbase's order fits as well; and a single candle
 * may be a fault of its venue.
 */
function arePrices({ rows, manyRows }: Rows): boolean {
  if (!areTimedPrices(rows)) return false;
  const telling = manyRows.filter((row) => pricesOf(row) !== undefined && isMoving(row));
  const impossible = telling.filter((row) => misfitOf(row) !== undefined);
  return impossible.length <= telling.length * IMPOSSIBLE_MAX;
}

function areTimedPrices(rows: Rows['rows']): boolean {
  const areTimed = rows.every(([time]) => isDate(time) || Number(time) > 1e8);
  return areTimed && rows.every((row) => pricesOf(row) !== undefined);
}

/** The four cells behind the time as numbers; undefined if one is not a number. */
function pricesOf([, ...cells]: readonly string[]): readonly number[] | undefined {
  const prices = cells.slice(0, 4);
  return prices.every(isNumeric) ? prices.map(Number) : undefined;
}

/** Why the prices of a row cannot be in this order; undefined if they can. */
function misfitOf(row: readonly string[]): string | undefined {
  const prices = pricesOf(row);
  if (prices === undefined) return undefined;
  const priceText = (at: number): string => `${PRICES[at]} ${row[at + 1]!.trim()}`;
  const above = prices.findIndex((price) => price > prices[HIGH]!);
  if (above >= 0) return `the ${priceText(HIGH)} is below the ${priceText(above)}`;
  const below = prices.findIndex((price) => price < prices[LOW]!);
  return below < 0 ? undefined : `the ${priceText(LOW)} is above the ${priceText(below)}`;
}

/** Why rows shaped like candles are none, with an example; undefined for other tables. */
export function misfitsOf({ headings, rows, manyRows }: Table): string | undefined {
  if (headings !== undefined || rows[0]?.length !== 6 || !areTimedPrices(rows)) return undefined;
  if (arePrices({ rows, manyRows })) return undefined;
  const impossible = manyRows.filter((row) => misfitOf(row) !== undefined);
  const [first = []] = impossible;
  const share = `${impossible.length} of ${counted(manyRows.length, 'row')}`;
  return `as candles ${share} read cannot be: of ${first.join(', ')} ${misfitOf(first)},`;
}

function isMoving([, ...cells]: readonly string[]): boolean {
  return new Set(cells.slice(0, 4).map(Number)).size > 1;
}

/** A day written without dots, and a time of day. */
const DAY = /^(\d{4}[/-]\d\d?[/-]\d\d?|\d\d?[/-]\d\d?[/-]\d{4}|\d{8})$/;
const CLOCK = /^\d\d?:\d\d(:\d\d(\.\d+)?)?$/;

/**
 * Rows `[time, open, high, low, close, volume]` without a heading: what freqtrade and ccxt
 * (`fetchOHLCV`) write as JSON, and the same as CSV, whose time may be a date, or a date and a time
 * of day in two columns. ccxt gives no volume where a venue tells none: null in JSON.
 */
export const ohlcvRows: Recogniser = (table) => {
  if (table.headings !== undefined) return undefined;
  const isParted = table.rows.every(
    ([day = '', clock = '']) => DAY.test(day.trim()) && CLOCK.test(clock.trim()),
  );
  const first = isParted ? 2 : 1;
  const whole = ([time = '', clock = '', ...cells]: readonly string[]): readonly string[] =>
    isParted ? [`${time.trim()} ${clock.trim()}`, ...cells] : [time.trim(), clock, ...cells];
  const [rows, manyRows] = [table.rows.map(whole), table.manyRows.map(whole)];
  if (rows[0]?.length !== 6 || !arePrices({ rows, manyRows })) return undefined;
  if (!rows.every(([, , , , , volume]) => volume?.trim() === '' || isNumeric(volume))) return;
  const [open, high, low, close, volume] = [0, 1, 2, 3, 4].map((at) => `c${first + at}`);
  const time = isParted ? joined('c0', 'c1') : 'c0';
  const times = [rows, manyRows].map((all) => all.map(([cell]) => cell!)) as [string[], string[]];
  const columns = candleColumns({
    ...{ open, high, low, close, volume },
    time: yearFirst(time, ...times),
  });
  if (columns === undefined) return undefined;
  return {
    format: table.form === 'JSON' ? 'freqtrade or ccxt OHLCV' : 'OHLCV rows',
    kind: 'candles',
    columns,
    note: isParted ? `${table.name}: its times have no zone and are taken for UTC` : undefined,
  };
};
