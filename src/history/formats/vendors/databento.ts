import { literal } from '../../store/sql.ts';
import { untoldSide } from '../named-sides.ts';
import {
  cellIn,
  columnFinder,
  isEmpty,
  isNumeric,
  numberOf,
  type Recognised,
  type Recogniser,
  type Table,
  timeOf,
} from '../table.ts';

/** Columns of every record. */
const HEADER = ['tsevent', 'rtype', 'publisherid', 'instrumentid'] as const;
const PRICES = ['open', 'high', 'low', 'close'] as const;
/** Symbols of futures: by month (`ESH4`, `ESH4-ESM4`), continuous (`ES.c.0`) or all (`ES.FUT`). */
const FUTURE = /^[A-Z0-9]{1,4}[FGHJKMNQUVXZ]\d{1,2}(-|$)|\.(FUT|[cnv]\.\d+)$/;
const SIDES = "WHEN 'B' THEN 1 WHEN 'A' THEN -1";
/** Prices in units of 1e-9 have no decimals, and one of them at least is as large as this. */
const UNITS = /^-?\d+$/;
const UNITS_MIN = 1e6;
/**
 * An undefined price: the largest signed 64-bit number. Source: databento.com/docs, conventions.
 */
const UNDEFINED = ['9223372036854775807', '9223372036.854775807'];
/** The code of a side that is not told. */
const UNTOLD = 'N';

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
  const where = PRICES.map((name) => isUndefined(find(name)!)).join(' OR ');
  const leftOut = { where, which: 'without a price' };
  const facts = { format: 'Databento bars', kind: 'candles', leftOut } as const;
  return { ...sourceAndUnit(table), ...facts, columns: { time, ...Object.fromEntries(columns) } };
};

/**
 * Trades of Databento (`trades`, `tbbo`): `A` means that a seller took, `B` that a buyer did, `N`
 * that it is not told. Source: databento.com/docs/schemas/trades.
 *
 * @throws {TypeError} when changes of the book stand between the trades.
 */
export const databentoTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [event, received, action] = [find('tsevent'), find('tsrecv'), find('action')];
  const [side, price, size] = [find('side'), find('price'), find('size')];
  if (!isDatabento(table) || [received, action, side, price, size].includes(undefined)) return;
  const others = table.manyRows.find((row) => cellIn(row, action) !== 'T');
  if (others !== undefined) {
    throw new TypeError(
      'it holds changes of the book beside trades, a file of the schema trades or tbbo is wanted',
    );
  }
  const columns = {
    ...{ time: timeOf(event!), received: timeOf(received!) },
    price: priceReader(table, [price!])(price!),
    amount: numberOf(size!),
    side: untoldSide(side!, { side: `CASE ${side} ${SIDES} END`, word: UNTOLD }),
  };
  // Changes of the book may stand behind the sample.
  const leftOut = {
    where: `${action} <> 'T' OR ${isUndefined(price!)}`,
    which: 'that are changes of the book or have no price',
  };
  const facts = { format: 'Databento trades', kind: 'trades' } as const;
  return { ...sourceAndUnit(table), ...facts, columns, untoldSides: { word: UNTOLD }, leftOut };
};

/** SQL condition: a price is undefined, in whatever notation. */
function isUndefined(column: string): string {
  return `(${isEmpty(column)} OR trim(${column}) IN (${UNDEFINED.map(literal).join()}))`;
}

function isDatabento(table: Table): boolean {
  return HEADER.every((name) => columnFinder(table)(name) !== undefined);
}

/**
 * SQL for prices, in the notation of all their columns: a whole number may also be a plain price.
 */
function priceReader({ manyRows }: Table, columns: readonly string[]): (column: string) => string {
  const cells = manyRows
    .flatMap((row) => columns.map((one) => cellIn(row, one) ?? ''))
    .filter((cell) => isNumeric(cell) && !UNDEFINED.includes(cell));
  const isFixed =
    cells.every((cell) => UNITS.test(cell)) &&
    cells.some((cell) => Math.abs(Number(cell)) >= UNITS_MIN);
  return (column) => (isFixed ? `${numberOf(column)} / 1e9` : numberOf(column));
}

function sourceAndUnit(table: Table): Pick<Recognised, 'source' | 'symbolColumn' | 'amountUnit'> {
  const find = columnFinder(table);
  const symbolColumn = find('symbol', 'instrumentid')!;
  const symbol = cellIn(table.rows[0], symbolColumn) ?? '';
  const amountUnit = FUTURE.test(symbol) ? 'contracts' : undefined;
  return { source: 'databento', symbolColumn, amountUnit };
}
