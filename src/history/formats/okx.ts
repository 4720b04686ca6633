import { amountUnitOf } from './amount-unit.ts';
import { contractSource } from './contract-name.ts';
import { namedCandles } from './named-columns.ts';
import { columnFinder, numberOf, type Recogniser, timeOf } from './table.ts';

/** Instruments that are no spot market: what they end with, and Tardis' name of their exchange. */
const KINDS = [
  [/-SWAP$/, 'okex-swap'],
  [/-\d{6}$/, 'okex-futures'],
  [/-[CP]$/, 'okex-options'],
] as const;

/** How the columns of symbols, times, prices and amounts are headed. */
const ARCHIVED = ['instrumentname', 'createdtime', 'price', 'size'];
const ANSWERED = ['instid', 'ts', 'px', 'sz'];

/**
 * Trades of okx.com/data-download, whose heading names `instrument_name` and `created_time`, and as
 * OKX answers (`/api/v5/market/trades`): `instId`, `px`, `sz` and `ts`. Source: okx.com/docs-v5.
 */
export const okxTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const isAnswer = find('instid') !== undefined;
  const [symbolColumn, time, price, amount] = (isAnswer ? ANSWERED : ARCHIVED).map((name) =>
    find(name),
  );
  const [id, side] = [find('tradeid'), find('side')];
  if ([symbolColumn, time, id, side, price, amount].includes(undefined)) return undefined;
  const symbol = table.rows[0]?.[Number(symbolColumn!.slice(1))] ?? '';
  const exchange = exchangeOf(symbol);
  const columns = {
    time: timeOf(time!),
    id: id!,
    price: numberOf(price!),
    amount: numberOf(amount!),
    side: `side_of(${side})`,
  };
  const source = exchange === undefined ? 'okx' : contractSource('okx-futures', symbol);
  const amountUnit = exchange === undefined ? undefined : amountUnitOf(exchange, symbol);
  return { format: 'OKX trades', kind: 'trades', source, amountUnit, symbolColumn, columns };
};

/**
 * Candles of futures, swaps and options of okx.com/data-download, whose heading names
 * `instrument_name` and `open_time`: they have the markets of spot.
 */
export const okxFuturesCandles: Recogniser = (table) => {
  const find = columnFinder(table);
  const [instrument, time] = [find('instrumentname'), find('opentime')];
  const symbol = table.rows[0]?.[Number(instrument?.slice(1))] ?? '';
  if (time === undefined || exchangeOf(symbol) === undefined) return undefined;
  const candles = namedCandles(table);
  const source = contractSource('okx-futures', symbol);
  return candles && { ...candles, format: 'OKX candles', source };
};

/** Tardis' name of the exchange of an instrument; undefined for spot. */
function exchangeOf(symbol: string): string | undefined {
  return KINDS.find(([end]) => end.test(symbol))?.[1];
}
