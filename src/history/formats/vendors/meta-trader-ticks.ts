import { NO_AMOUNTS, ZEROS } from '../bare-quotes.ts';
import {
  cellIn,
  columnFinder,
  joined,
  numberOf,
  type Recognised,
  type Recogniser,
  type Table,
  timeOf,
} from '../table.ts';
import { CLOCK } from './meta-trader.ts';

const NO_QUOTES = 'its bids and asks are left out, trades are what is kept of it';

/** Bits of `<FLAGS>`. Source: mql5.com/en/docs/constants/structures/mqltick. */
const FLAGS = { last: 8, volume: 16, buy: 32, sell: 64 } as const;
const TRADE = FLAGS.last | FLAGS.volume | FLAGS.buy | FLAGS.sell;
const SIDE = FLAGS.buy | FLAGS.sell;

/** The columns of a file of ticks. */
interface Ticks {
  readonly time: string;
  readonly bid: string;
  readonly ask: string;
  readonly last: string;
  readonly volume: string;
  readonly flags: string;
}

/**
 * Ticks that MetaTrader 5 exports: trades if any of the first rows has the price of one, as those
 * of an exchange; otherwise bids and asks, of which a row holds only what changed.
 */
export const metaTraderTicks: Recogniser = (table) => {
  const ticks = ticksOf(table);
  if (ticks === undefined) return undefined;
  const isTrade = (row: readonly string[]): boolean => Number(cellIn(row, ticks.last)) > 0;
  return table.manyRows.some(isTrade) ? tradesOf(table, ticks) : quotesOf(table, ticks);
};

function ticksOf(table: Table): Ticks | undefined {
  if (table.headings?.[0] !== '<DATE>') return undefined;
  const find = columnFinder(table);
  const names = ['time', 'bid', 'ask', 'last', 'volume', 'flags'] as const;
  const columns = names.map((name) => [name, find(name)] as const);
  if (columns.some(([, column]) => column === undefined)) return undefined;
  const { time, ...others } = Object.fromEntries(columns) as unknown as Ticks;
  return { time: joined('c0', time), ...others };
}

function tradesOf(table: Table, { time, last, volume, flags }: Ticks): Recognised {
  const flag = `TRY_CAST(${flags} AS INTEGER)`;
  const columns = {
    ...{ time: timeOf(time), price: numberOf(last), amount: numberOf(volume) },
    side: 'side',
  };
  // In a file of whole rows, each repeats the last trade: only flags tell a new one.
  const trades = `${numberOf(volume)} > 0 AND ${flag} & ${TRADE} > 0`;
  const ticks = `(SELECT *, nullif(sign(${numberOf(last)} - lag(${numberOf(last)})
    OVER (ORDER BY place)), 0) AS tick FROM ${placed(table)} WHERE ${trades})`;
  const flagged = `CASE ${flag} & ${SIDE} WHEN ${FLAGS.buy} THEN 1 WHEN ${FLAGS.sell} THEN -1 END`;
  const side = `coalesce(${flagged}, ${latest('tick')}, 1)`;
  return {
    ...{ format: 'MetaTrader ticks', kind: 'trades', columns, note: `${CLOCK}; ${NO_QUOTES}` },
    relation: `(SELECT *, ${side} AS side FROM ${ticks} ORDER BY place)`,
  };
}

/** The rows of a table, numbered in a column `place`. */
function placed({ relation }: Table): string {
  return `(SELECT *, row_number() OVER () AS place FROM ${relation})`;
}

/** SQL for a value, or where it is NULL for the nearest one before it. */
function latest(value: string): string {
  return `last_value(${value} IGNORE NULLS) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)`;
}

function quotesOf(table: Table, { time, bid, ask }: Ticks): Recognised {
  const columns = {
    ...{ time: timeOf(time), bid: numberOf(bid), ask: numberOf(ask) },
    ...ZEROS,
  };
  const known = [bid, ask].map((column) => `${latest(`nullif(trim(${column}), '')`)} AS ${column}`);
  const whole = `(SELECT * REPLACE (${known.join(', ')}) FROM ${placed(table)})`;
  return {
    ...{ format: 'MetaTrader ticks', kind: 'quotes', columns, note: `${CLOCK}; ${NO_AMOUNTS}` },
    relation: `(SELECT * FROM ${whole}
      WHERE ${bid} IS NOT NULL AND ${ask} IS NOT NULL ORDER BY place)`,
  };
}
