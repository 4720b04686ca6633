import { columnFinder, type Recogniser, type Table, tradeColumns } from '../table.ts';
import { BINANCE_FUTURES, deliveredSource, isCoinMargined } from './binance-name.ts';

const LAYOUTS = [
  { format: 'Binance trades', width: [6, 7], time: 4, maker: 5 },
  { format: 'Binance aggTrades', width: [7, 8], time: 5, maker: 6 },
] as const;

/**
 * Trades and aggregated trades of data.binance.vision, with a heading or without: id, price,
 * quantity, (quote quantity | first id, last id), time, whether the buyer was the maker, and for
 * spot only whether it was the best match. COIN-M futures count contracts; their trades have the
 * quantity in the base currency behind it. Source: github.com/binance/binance-public-data.
 */
export const binanceTrades: Recogniser = (table) => {
  const answered = answeredTrades(table);
  if (answered !== undefined) return answered;
  const layout = table.headings === undefined ? layoutOf(table) : namedLayoutOf(table);
  if (layout === undefined) return undefined;
  const isCoin = isCoinMargined(table.name);
  const hasBase = isCoin && layout.format === 'Binance trades';
  const columns = tradeColumns({
    ...{ time: `c${layout.time}`, id: 'c0', price: 'c1', amount: hasBase ? 'c3' : 'c2' },
    side: `side_of_maker(c${layout.maker})`,
  });
  // Futures' answers lately have another column in this place.
  const isSpot =
    table.headings === undefined
      ? (table.rows[0]?.length ?? 0) > layout.maker + 1
      : columnFinder(table)('isbestmatch') !== undefined;
  const source = deliveredSource(table.name) ?? (isSpot ? 'binance' : BINANCE_FUTURES);
  const amountUnit = isCoin && !hasBase ? 'inverse contracts' : undefined;
  return { format: layout.format, kind: 'trades', source, amountUnit, columns };
};

function layoutOf({ rows: [first = []] }: Table) {
  const flag = first.findIndex((cell) => /^(true|false)$/i.test(cell.trim()));
  return LAYOUTS.find(
    ({ width, maker }) => width.some((n) => n === first.length) && maker === flag,
  );
}

function namedLayoutOf(table: Table) {
  const find = columnFinder(table);
  const maker = find('isbuyermaker');
  const id = find('id', 'aggtradeid');
  // MEXC has the same columns and more.
  const isOther = find('tradetype') !== undefined;
  if (id !== 'c0' || isOther) return undefined;
  return LAYOUTS.find((layout) => maker === `c${layout.maker}`);
}

/** Letters of aggregated trades in answers and messages: id, price, amount, time, maker. */
const LETTERS = ['a', 'p', 'q', 'T', 'm', 'f', 'l'];

/** Aggregated trades as Binance answers or pushes them; those of spot alone have an `M`. */
function answeredTrades({ name, headings = [] }: Table): ReturnType<Recogniser> {
  const [id, price, amount, time, maker, ...others] = LETTERS.map((letter) => {
    const at = headings.indexOf(letter);
    return at < 0 ? undefined : `c${at}`;
  });
  if ([id, price, amount, time, maker, ...others].includes(undefined)) return undefined;
  const cells = {
    time: time!,
    id,
    price: price!,
    amount: amount!,
    side: `side_of_maker(${maker})`,
  };
  const source = headings.includes('M') ? 'binance' : 'binance-futures';
  const amountUnit = isCoinMargined(name) ? 'inverse contracts' : undefined;
  const symbol = headings.indexOf('s');
  const symbolColumn = symbol < 0 ? undefined : `c${symbol}`;
  const facts = { format: 'Binance aggTrades', kind: 'trades', source } as const;
  return { ...facts, amountUnit, symbolColumn, columns: tradeColumns(cells) };
}
