import { amountUnitOf } from './amount-unit.ts';
import { columnFinder, numberOf, type Recogniser, timeOf } from './table.ts';

/** Instruments that are no spot market: what they end with, and Tardis' name of their exchange. */
const KINDS = [
  [/-SWAP$/, 'okex-swap'],
  [/-\d{6}$/, 'okex-futures'],
  [/-[CP]$/, 'okex-options'],
] as const;

/** Trades of okx.com/data-download: the heading names `instrument_name` and `created_time`. */
export const okxTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [symbolColumn, time, id] = [find('instrumentname'), find('createdtime'), find('tradeid')];
  const [side, price, amount] = [find('side'), find('price'), find('size')];
  if ([symbolColumn, time, id, side, price, amount].includes(undefined)) return undefined;
  const symbol = table.rows[0]?.[Number(symbolColumn!.slice(1))] ?? '';
  const [, exchange] = KINDS.find(([end]) => end.test(symbol)) ?? [];
  const columns = {
    time: timeOf(time!),
    id: id!,
    price: numberOf(price!),
    amount: numberOf(amount!),
    side: `side_of(${side})`,
  };
  const source = exchange === undefined ? 'okx' : 'okx-futures';
  const amountUnit = exchange === undefined ? undefined : amountUnitOf(exchange, symbol);
  return { format: 'OKX trades', kind: 'trades', source, amountUnit, symbolColumn, columns };
};
