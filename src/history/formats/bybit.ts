import { amountUnitOf } from './amount-unit.ts';
import { columnFinder, numberOf, type Recogniser, timeOf } from './table.ts';

/** Trades of public.bybit.com: the heading names `tickDirection` and `trdMatchID`. */
export const bybitTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [time, side] = [find('timestamp'), find('side')];
  const [price, amount] = [find('price'), find('size')];
  const id = find('trdmatchid');
  if ([time, side, price, amount, id, find('tickdirection')].includes(undefined)) return undefined;
  const columns = {
    time: timeOf(time!),
    id: id!,
    price: numberOf(price!),
    amount: numberOf(amount!),
    side: `side_of(${side})`,
  };
  const symbolColumn = find('symbol');
  const symbol = table.rows[0]?.[Number(symbolColumn?.slice(1))] ?? '';
  const amountUnit = amountUnitOf('bybit', symbol);
  const told = { format: 'Bybit trades', kind: 'trades', source: 'bybit' } as const;
  return { ...told, amountUnit, symbolColumn, columns };
};
