import { candleColumns, columnFinder, plainHeading, type Recogniser } from '../table.ts';
import { newestNote } from './exchange-answers.ts';

/** Columns of candles of spot, and of swaps on USDT. */
const CANDLES = 'amount,close,count,high,id,low,open,vol';
const LINEAR = `${CANDLES.replace(',vol', ',tradeturnover,vol')}`;

/**
 * Candles as HTX answers (`/market/history/kline`, `/linear-swap-ex/market/history/kline`): `id` is
 * the second at which they begin, `amount` the volume in the base currency, for swaps too. Symbols
 * of swaps have a dash. Source: htx.com, API documents.
 */
export const htxCandles: Recogniser = (table) => {
  const names = (table.headings ?? []).map(plainHeading).filter((name) => name !== 'symbol');
  const columns = names.toSorted().join();
  if (columns !== CANDLES && columns !== LINEAR) return undefined;
  const find = columnFinder(table);
  const [time, volume, symbolColumn] = [find('id'), find('amount'), find('symbol')];
  const [open, high, low, close] = [find('open'), find('high'), find('low'), find('close')];
  const channel = table.answer?.symbol;
  const isSwap = columns === LINEAR || channel?.includes('-') === true;
  return {
    ...{ format: 'candles as HTX answers', kind: 'candles' },
    source: isSwap ? 'htx-futures' : 'htx',
    isGuess: channel === undefined,
    ...(symbolColumn === undefined ? {} : { symbolColumn }),
    columns: candleColumns({ time, open, high, low, close, volume })!,
    note: newestNote('HTX'),
  };
};
