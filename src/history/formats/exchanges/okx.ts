import { amountUnitOf } from '../amount-unit.ts';
import { contractSource } from '../contract-name.ts';
import { namedCandles } from '../named-columns.ts';
import {
  cellIn,
  columnFinder,
  plainHeading,
  type Recogniser,
  type Table,
  tradeColumns,
} from '../table.ts';

/** Instruments other than spot: how they end, and Tardis' name for their exchange. */
const KINDS = [
  [/-SWAP$/, 'okex-swap'],
  [/-\d{6}$/, 'okex-futures'],
  [/-[CP]$/, 'okex-options'],
] as const;

/** Headings of symbols, times, prices and amounts: here of its archive. */
const ARCHIVED = ['instrumentname', 'createdtime', 'price', 'size'];
/** All columns of its older files. */
const OLDER = 'createdtime,price,side,size,tradeid';
const ANSWERED = ['instid', 'ts', 'px', 'sz'];

/**
 * Trades of okx.com/data-download, whose heading names `instrument_name` and `created_time`, and as
 * OKX answers (`/api/v5/market/trades`): `instId`, `px`, `sz` and `ts`. Older files tell the
 * instrument by their name only. Source: okx.com/docs-v5.
 */
export const okxTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const isAnswer = find('instid') !== undefined;
  const [symbolColumn, time, price, amount] = (isAnswer ? ANSWERED : ARCHIVED).map((name) =>
    find(name),
  );
  const [id, side] = [find('tradeid'), find('side')];
  if ([time, id, side, price, amount].includes(undefined)) return undefined;
  const symbol =
    symbolColumn === undefined
      ? namedInstrument(table)
      : (cellIn(table.rows[0], symbolColumn) ?? '');
  if (symbol === undefined) return undefined;
  const exchange = exchangeOf(symbol);
  const columns = tradeColumns({
    ...{ time: time!, id, price: price!, amount: amount! },
    side: `side_of(${side})`,
  });
  const source = exchange === undefined ? 'okx' : contractSource('okx-futures', symbol);
  const amountUnit = exchange === undefined ? undefined : amountUnitOf(exchange, symbol);
  return { format: 'OKX trades', kind: 'trades', source, amountUnit, symbolColumn, columns };
};

/** Names of older files of its archive, such as `BTC-USDT-SWAP-trades-2022-10-01.csv`. */
const ARCHIVE = /^([A-Z0-9]+-[A-Z0-9]+(-[A-Z0-9-]+)?)-trades-\d{4}-\d\d(-\d\d)?\./i;

/**
 * The instrument in the name of an older file; undefined for other tables.
 *
 * @throws {TypeError} when the name has none: then nothing tells what amounts count.
 */
function namedInstrument({ name, headings = [] }: Table): string | undefined {
  if (headings.map(plainHeading).toSorted().join() !== OLDER) return undefined;
  const [, instrument] = ARCHIVE.exec(name) ?? [];
  if (instrument !== undefined) return instrument.toUpperCase();
  throw new TypeError(
    "it holds trades as of OKX's archive, whose amounts count contracts of some instruments, a name " +
      'with its instrument is wanted, such as BTC-USDT-SWAP-trades-2022-10-01.csv, or a mapping of ' +
      'its columns (--mapping)',
  );
}

/**
 * Candles of futures, swaps and options of okx.com/data-download, whose heading names
 * `instrument_name` and `open_time`: they share the markets' names with spot, but not the source.
 */
export const okxFuturesCandles: Recogniser = (table) => {
  const find = columnFinder(table);
  const [instrument, time] = [find('instrumentname'), find('opentime')];
  const symbol = cellIn(table.rows[0], instrument) ?? '';
  if (time === undefined || exchangeOf(symbol) === undefined) return undefined;
  const candles = namedCandles(table);
  const source = contractSource('okx-futures', symbol);
  return candles && { ...candles, format: 'OKX candles', source };
};

/** Tardis' name for the exchange of an instrument; undefined for spot. */
function exchangeOf(symbol: string): string | undefined {
  return KINDS.find(([end]) => end.test(symbol))?.[1];
}
