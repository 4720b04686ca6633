import { HOUR_MS } from '../../../kernel/index.ts';
import { NO_AMOUNTS, ZEROS } from '../bare-quotes.ts';
import { candleColumns, isNumeric, joined, numberOf, type Recogniser, timeOf } from '../table.ts';

/** Names of its files, for any program: `DAT_ASCII_EURUSD_M1_202401.csv`. */
const NAME = /^DAT_(ASCII|MT|NT)_[A-Z0-9]+_(M1|T)_\d{4,6}(?!\d)/i;
/** Eastern standard time without daylight saving is behind UTC by this. */
const BEHIND_MS = 5 * HOUR_MS;
const CLOCK =
  "HistData's times are of Eastern standard time without daylight saving: 5 hours are added";

const MINUTE = '^(\\d{4})(\\d\\d)(\\d\\d) (\\d\\d)(\\d\\d)(\\d\\d)$';
const TICK = '^(\\d{4})(\\d\\d)(\\d\\d) (\\d\\d)(\\d\\d)(\\d\\d)(\\d{3})$';

function isNamed(name: string, what: 'M1' | 'T'): boolean {
  return NAME.exec(name)?.[2]?.toUpperCase() === what;
}

function utc(time: string): string {
  return `${timeOf(time)} + ${BEHIND_MS}`;
}

/**
 * Minutes of bids of HistData, in its generic form, NinjaTrader's and MetaTrader's. They are known
 * by the file's name: other files of these forms have times of other zones. Source:
 * histdata.com/f-a-q.
 */
export const histDataCandles: Recogniser = ({ name, headings, rows }) => {
  if (headings !== undefined || !isNamed(name, 'M1')) return undefined;
  const [first = []] = rows;
  const isMetaTrader = first.length === 7;
  if (!isMetaTrader && !(first.length === 6 && new RegExp(MINUTE).test(first[0]!)))
    return undefined;
  const prices = isMetaTrader ? ['c2', 'c3', 'c4', 'c5', 'c6'] : ['c1', 'c2', 'c3', 'c4', 'c5'];
  const [open, high, low, close, volume] = prices;
  const columns = candleColumns({ time: 'c0', open, high, low, close, volume })!;
  const date = isMetaTrader
    ? joined('c0', 'c1')
    : `regexp_replace(c0, '${MINUTE}', '\\1-\\2-\\3 \\4:\\5:\\6')`;
  return {
    ...{ format: 'HistData minutes', kind: 'candles', source: 'histdata' },
    columns: { ...columns, time: utc(date) },
    note: `${CLOCK}; its prices are bids`,
  };
};

/** Ticks of HistData's generic form: time, bid, ask and a volume that is always 0. */
export const histDataQuotes: Recogniser = ({ name, headings, rows }) => {
  if (headings !== undefined || !isNamed(name, 'T')) return undefined;
  const isTick = ([time = '', ...numbers]: readonly string[]): boolean =>
    new RegExp(TICK).test(time) && numbers.length === 3 && numbers.every(isNumeric);
  if (!rows.every(isTick)) return undefined;
  const time = utc(`regexp_replace(c0, '${TICK}', '\\1-\\2-\\3 \\4:\\5:\\6.\\7')`);
  return {
    ...{ format: 'HistData ticks', kind: 'quotes', source: 'histdata' },
    columns: { time, bid: numberOf('c1'), ask: numberOf('c2'), ...ZEROS },
    note: `${CLOCK}; ${NO_AMOUNTS}`,
  };
};
