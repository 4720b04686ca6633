import { isNumeric, numberOf, type Recogniser, type Table, timeOf } from '../table.ts';

/** The stamp of a candle, and of a tick with tenths of microseconds. */
const MINUTE = /^\d{8} \d{6}$/;
const TICK = '^(\\d{4})(\\d\\d)(\\d\\d) (\\d\\d)(\\d\\d)(\\d\\d) (\\d{6})\\d$';

function areStamped({ headings, rows }: Table, form: RegExp): boolean {
  if (headings !== undefined) return false;
  return rows.every(([time = '', ...numbers]) => form.test(time) && numbers.every(isNumeric));
}

/**
 * Candles as NinjaTrader exports and imports them: `20240131 100000;open;high;low;close;volume`.
 * Files tell neither their time zone nor whether stamps are ends, which it exports, or beginnings,
 * which it imports as well. Source: ninjatrader.com, help guide, Importing.
 *
 * @throws {TypeError} for all of them.
 */
export const ninjaTraderCandles: Recogniser = (table) => {
  if (!areStamped(table, MINUTE) || table.rows[0]?.length !== 6) return undefined;
  throw new TypeError(
    'its rows are as NinjaTrader exports them, with ends of candles in UTC, and as others write ' +
      'them, with beginnings in another zone, a mapping of its columns by their numbers is wanted ' +
      '(--mapping), whose dateFormat yyyymmdd takes the times for beginnings in UTC',
  );
};

/**
 * Ticks as NinjaTrader 8 exports them, in UTC: `20240131 100000 1234567;price;volume`, or with bid
 * and ask behind the price. A price at the ask or above it is a buy, at the bid or below it a sell.
 * Source: ninjatrader.com, help guide, Importing.
 */
export const ninjaTraderTicks: Recogniser = (table) => {
  const { name, rows } = table;
  const width = rows[0]?.length ?? 0;
  if (!areStamped(table, new RegExp(TICK)) || (width !== 3 && width !== 5)) return undefined;
  const [price, bid, ask] = ['c1', 'c2', 'c3'].map(numberOf);
  const side = `CASE WHEN ${price} >= ${ask} THEN 1 WHEN ${price} <= ${bid} THEN -1 END`;
  const columns = {
    time: timeOf(`regexp_replace(c0, '${TICK}', '\\1-\\2-\\3 \\4:\\5:\\6.\\7')`),
    price: price!,
    amount: numberOf(`c${width - 1}`),
    ...(width === 5 ? { side } : {}),
  };
  const sidesNote =
    width === 5
      ? 'a price at the ask is a buy, at the bid a sell, between them a rise is a buy, a fall a sell'
      : 'sides are inferred: a rise is a buy, a fall a sell';
  const note = `${name}: times are taken for UTC, as NinjaTrader 8 exports them; ${sidesNote}`;
  return { format: 'NinjaTrader ticks', kind: 'trades', columns, untoldSides: {}, note };
};
