import { symbolIn, timeIn } from './named-columns.ts';
import {
  columnFinder,
  isNumeric,
  numberOf,
  plainHeading,
  type Recogniser,
  timeOf,
} from './table.ts';

export const NO_AMOUNTS =
  'its bids and asks have no amounts, 0 is taken: a backtest on them needs backtest.fill.size';
/** Amounts for quotes that have none, as SQL. */
export const ZEROS = { bidAmount: '0::DOUBLE', askAmount: '0::DOUBLE' } as const;

/** Headings of the amounts of bids or asks. */
const AMOUNTS = /^(?=.*(bid|ask)).*(amount|size|qty|quantity|vol|lots|s[xz]\d*$)/;
/** Headings of options: quotes of many options share one time. */
const OF_OPTIONS = /^(strike|expir|optiontype)/;

/** Best bids and asks without amounts, from any source whose columns have plain names. */
export const bareQuotes: Recogniser = (table) => {
  const find = columnFinder(table);
  const bid = find('bid', 'bidprice', 'bestbid', 'bestbidprice');
  const ask = find('ask', 'askprice', 'bestask', 'bestaskprice');
  const time = timeIn(table);
  if (time === undefined || bid === undefined || ask === undefined) return undefined;
  const names = (table.headings ?? []).map(plainHeading);
  if (names.some((name) => AMOUNTS.test(name) || OF_OPTIONS.test(name))) return undefined;
  const prices = { bid: numberOf(bid), ask: numberOf(ask), ...ZEROS };
  return {
    ...{ format: `quotes as ${table.form}`, kind: 'quotes', symbolColumn: symbolIn(table) },
    columns: { time: timeOf(time.expression), ...prices },
    note: `${table.name}: ${NO_AMOUNTS}`,
  };
};

const TRUE_FX_TIME = '^(\\d{4})(\\d\\d)(\\d\\d) (\\d\\d:\\d\\d:\\d\\d\\.\\d{3})$';

/** Ticks of TrueFX: `EUR/USD,20240131 10:00:00.123,1.08401,1.08405`, in UTC. Source: truefx.com. */
export const trueFxQuotes: Recogniser = ({ headings, rows, name }) => {
  const isTick = ([symbol = '', time = '', bid, ask, ...rest]: readonly string[]): boolean =>
    /^[A-Z]{3}\/[A-Z]{3}$/.test(symbol) &&
    new RegExp(TRUE_FX_TIME).test(time) &&
    isNumeric(bid) &&
    isNumeric(ask) &&
    Number(bid) <= Number(ask) &&
    rest.length === 0;
  if (!rows.every(isTick)) return undefined;
  if (headings !== undefined) return undefined;
  const time = timeOf(`regexp_replace(c1, '${TRUE_FX_TIME}', '\\1-\\2-\\3 \\4')`);
  return {
    ...{ format: 'TrueFX ticks', kind: 'quotes', source: 'truefx', symbolColumn: 'c0' },
    columns: { time, bid: numberOf('c2'), ask: numberOf('c3'), ...ZEROS },
    note: `${name}: ${NO_AMOUNTS}`,
  };
};
