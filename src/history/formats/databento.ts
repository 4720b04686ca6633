import { untoldNote, untoldSide } from './named-sides.ts';
import {
  columnFinder,
  numberOf,
  type Recognised,
  type Recogniser,
  type Table,
  timeOf,
} from './table.ts';

/** Columns of every record. */
const HEADER = ['tsevent', 'rtype', 'publisherid', 'instrumentid'] as const;
const PRICES = ['open', 'high', 'low', 'close'] as const;
/** Futures by their months, such as `ESH4` and `ESH4-ESM4`, or as they follow: `ES.c.0`, `ES.FUT`. */
const FUTURE = /^[A-Z0-9]{1,4}[FGHJKMNQUVXZ]\d{1,2}(-|$)|\.(FUT|[cnv]\.\d+)$/;
const SIDES = "WHEN 'B' THEN 1 WHEN 'A' THEN -1";
/** A price in units of 1e-9 has no decimals, and one of them at least is that large. */
const UNITS = /^-?\d+$/;
const UNITS_MIN = 1e6;

/**
 * Bars of Databento (`ohlcv-1s` to `ohlcv-1d`) as CSV: stamps are beginnings; prices are written out
 * or are whole numbers of 1e-9. Source: databento.com/docs/schemas/ohlcv.
 */
export const databentoCandles: Recogniser = (table) => {
  const find = columnFinder(table);
  const found = [...PRICES, 'volume'].map((name) => [name, find(name)] as const);
  if (!isDatabento(table) || found.some(([, column]) => column === undefined)) return undefined;
  const priceOf = priceReader(
    table,
    PRICES.map((name) => find(name)!),
  );
  const columns = found.map(([name, column]) => {
    return [name, name === 'volume' ? numberOf(column!) : priceOf(column!)];
  });
  const time = timeOf(find('tsevent')!);
  const told = { format: 'Databento bars', kind: 'candles' } as const;
  return { ...toldBy(table), ...told, columns: { time, ...Object.fromEntries(columns) } };
};

/**
 * Trades of Databento (`trades`, `tbbo`): `A` is a seller that took, `B` a buyer, `N` is not told.
 * Source: databento.com/docs/schemas/trades.
 *
 * @throws {TypeError} where changes of the book stand between the trades.
 */
export const databentoTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [event, received, action] = [find('tsevent'), find('tsrecv'), find('action')];
  const [side, price, size] = [find('side'), find('price'), find('size')];
  if (!isDatabento(table) || [received, action, side, price, size].includes(undefined)) return;
  const others = table.manyRows.find((row) => row[Number(action!.slice(1))] !== 'T');
  if (others !== undefined) {
    throw new TypeError(
      'it holds changes of the book beside trades, a file of the schema trades or tbbo is wanted',
    );
  }
  const columns = {
    ...{ time: timeOf(event!), received: timeOf(received!) },
    price: priceReader(table, [price!])(price!),
    amount: numberOf(size!),
    side: untoldSide(side!, { told: `CASE ${side} ${SIDES} END`, untold: 'N' }),
  };
  const note = untoldNote(table, { column: side!, untold: 'N' });
  // The first rows may all be trades by chance.
  const leftOut = { where: `${action} <> 'T'`, which: 'that are changes of the book' };
  const told = { format: 'Databento trades', kind: 'trades', untoldSides: true, note } as const;
  return { ...toldBy(table), ...told, columns, leftOut };
};

function isDatabento(table: Table): boolean {
  return HEADER.every((name) => columnFinder(table)(name) !== undefined);
}

/** Reads prices, which are written in one way in all columns: whole ones may be written out too. */
function priceReader({ manyRows }: Table, columns: readonly string[]): (column: string) => string {
  const cells = manyRows.flatMap((row) => columns.map((one) => row[Number(one.slice(1))] ?? ''));
  const isFixed =
    cells.every((cell) => UNITS.test(cell)) &&
    cells.some((cell) => Math.abs(Number(cell)) >= UNITS_MIN);
  return (column) => (isFixed ? `${numberOf(column)} / 1e9` : numberOf(column));
}

function toldBy(table: Table): Pick<Recognised, 'source' | 'symbolColumn' | 'amountUnit'> {
  const find = columnFinder(table);
  const symbolColumn = find('symbol', 'instrumentid')!;
  const symbol = table.rows[0]?.[Number(symbolColumn.slice(1))] ?? '';
  const amountUnit = FUTURE.test(symbol) ? 'contracts' : undefined;
  return { source: 'databento', symbolColumn, amountUnit };
}
