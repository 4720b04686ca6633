import { inferMarketId } from '../market-name.ts';
import { COLUMNS } from '../store/kinds.ts';
import { yearFirst } from './dates.ts';
import { inferredNote, sideIn, untoldSide } from './named-sides.ts';
import {
  candleColumns,
  cellIn,
  cellsIn,
  columnFinder,
  isDate,
  joined,
  type LeftOutRows,
  numberOf,
  priceless,
  type Recogniser,
  type Table,
  timeOf,
  tradeColumns,
} from './table.ts';
import { AMOUNTS, IDS, RECEIVED, SYMBOLS, TIMES } from './trade-headings.ts';
import { amountColumn, VOLUME, volumeColumn, volumesIn } from './volume-column.ts';

/**
 * Headings of a candle's beginning; other stamps may be its end. CoinAPI's `time_open` is the time
 * of the first trade, so `time_period_start` comes before it.
 */
const BEGINNING = [
  ...['opentime', 'timeperiodstart', 'timeopen', 'start', 'starttime', 'startat', 'windowstart'],
  ...['startedat', 'startsat', 'candledatetimeutc'],
];
const TIME = [
  ...TIMES,
  ...['epoch', 'mts', 'gmttime', 'time(utc)', 'ticks'],
  ...['exchangetimestamp', 'timeexchange', 'transactiontime'],
];
const AMOUNT = [...AMOUNTS, 'baseamount', 'basevolume', 'size(base)'];
const PRICE = ['price', 'px', 'tradeprice'];
/** Headings that levels of a book have beside price and amount. */
const BOOK = ['issnapshot', 'isbid', 'sideisbid', 'level', 'updatetype', 'numorders'];
/**
 * Headings of a pandas index without a name: none in CSV, `Unnamed: 0` once that was read and
 * written again, `index` as a column, `__index_level_0__` in Parquet.
 */
const INDEX = ['', 'unnamed:0', 'index', 'indexlevel0'];
/** A stamp since the epoch; the number of a row has fewer digits. */
const STAMP = /^\d{9,19}(\.\d*)?$/;

const CLOCK = /^\s*(\d\d?:\d\d|(\d{4}|\d{6})\s*$)/;
const DAY = /^\d{4}([-./])\d\d?\1\d\d?$/;
/** A time of day with its offset from UTC: a day alone may end in `-2024`. */
const OFFSET = /:\d\d(\.\d+)? ?(GMT)?[+-]\d\d:?\d\d$/;

/** The time of rows: its SQL, and its cells in the first rows. */
interface TimeOfRows {
  readonly expression: string;
  readonly cells: readonly string[];
}

/**
 * Finds the time: a date with a time of day in another column, else the first of these names, else
 * an index without a name whose cells are times.
 */
export function timeIn(table: Table, names: readonly string[] = TIME): TimeOfRows | undefined {
  const find = columnFinder(table);
  const [date, clock] = [find('date'), find('time')];
  const clocks = cellsIn(table.rows, clock);
  if (date !== undefined && clocks.some((cell) => CLOCK.test(cell))) {
    const cells = cellsIn(table.rows, date).map((cell, at) => `${cell} ${clocks[at]}`);
    const days = cellsIn(table.manyRows, date);
    return { expression: yearFirst(joined(date, clock!), cells, days), cells };
  }
  const isTime = (cell: string): boolean => isDate(cell) || STAMP.test(cell);
  const index = INDEX.map((name) => find(name)).find(
    (column) => column !== undefined && cellsIn(table.rows, column).every(isTime),
  );
  // Dukascopy's local times tell their offset. Without it they may be of any zone.
  const local = find('localtime');
  const isZoned = cellsIn(table.rows, local).every((cell) => OFFSET.test(cell));
  const column = find(...names) ?? (isZoned ? local : undefined) ?? index;
  if (column === undefined) return undefined;
  const cells = cellsIn(table.rows, column);
  return { expression: yearFirst(column, cells, cellsIn(table.manyRows, column)), cells };
}

/** The column that names the market. `contract` does so unless it holds counts or types. */
export function symbolIn(table: Table): string | undefined {
  const find = columnFinder(table);
  const contract = find('contract');
  const isMarket = cellsIn(table.rows, contract).every((cell) => inferMarketId(cell) !== undefined);
  return find(...SYMBOLS) ?? (isMarket ? contract : undefined);
}

/**
 * Candles from any source whose columns (or JSON fields) have plain names. `volume`: its column.
 * Default: chosen by its heading and by the prices.
 */
export function namedCandles(
  table: Table,
  { volume: given }: { readonly volume?: string | undefined } = {},
): ReturnType<Recogniser> {
  const { column: volume, note: volumeNote } =
    given === undefined ? volumeColumn(table) : { column: given };
  // Where it is not clear what a volume counts, a mapping has to choose.
  if (volume === undefined && volumesIn(table).length > 0) return undefined;
  const columns = candlesIn(table, volume);
  if (columns === undefined) return undefined;
  const isWorth = volume !== undefined && columnFinder(table)('marketcap') !== undefined;
  const isFtx = FTX.test(table.headings?.toSorted().join() ?? '');
  const note =
    volumeNote ?? (isWorth ? capitalisedNote(table) : isFtx ? ftxNote(table) : undefined);
  const symbolColumn = symbolIn(table);
  const leftOut = leftOutOf(table);
  return {
    format: `candles as ${table.form}`,
    kind: 'candles',
    symbolColumn,
    columns,
    note,
    leftOut,
  };
}

/** Rows without prices, and OKX's candles that had not ended (`confirm` is 0). */
function leftOutOf(table: Table): LeftOutRows {
  const none = priceless(Object.values(pricesIn(table)));
  const ended = columnFinder(table)('confirm');
  if (ended === undefined || !cellsIn(table.rows, ended).every((cell) => /^[01]$/.test(cell)))
    return none;
  const where = `(${none.where}) OR ${ended} = '0'`;
  return { where, which: `${none.which} or that had not ended` };
}

/** Candles as FTX answered with them. Source: docs.ftx.com, Get historical prices. */
const FTX = /^close,high,low,open,startTime(,time)?,volume$/;

function ftxNote({ name }: Table): string {
  return (
    `${name} has candles as FTX gave them: their volume is in the quote currency, and ` +
    'backtest.fill.volumeCap means nothing with it'
  );
}

function capitalisedNote({ name }: Table): string {
  return (
    `${name} tells market capitalisations: its volume is likely in the quote currency, as that of ` +
    'CoinMarketCap is, and backtest.fill.volumeCap means nothing with it'
  );
}

/** Headings of a volume in a table of candles if none of them tells what it counts. */
export function untoldVolumes(table: Table): string[] {
  const isTold = columnFinder(table)(...VOLUME) !== undefined;
  return isTold || candlesIn(table, undefined) === undefined ? [] : volumesIn(table);
}

function candlesIn(table: Table, volume: string | undefined) {
  return candleColumns({
    time: timeIn(table, [...BEGINNING, ...TIME])?.expression,
    ...pricesIn(table),
    volume,
  });
}

function pricesIn(table: Table) {
  const find = columnFinder(table);
  // Only beside a count of trades, as in Sierra Chart: a ticker's `last` is of a rolling day.
  const last = find('numberoftrades', '#oftrades') === undefined ? [] : ['last'];
  return {
    open: find('open', 'o', 'openprice', 'priceopen', 'openingprice', 'pxopen'),
    high: find('high', 'h', 'highprice', 'pricehigh', 'pxhigh'),
    low: find('low', 'l', 'lowprice', 'pricelow', 'pxlow'),
    close: find('close', 'c', 'closeprice', 'priceclose', 'tradeprice', 'pxclose', ...last),
  };
}

/** Whether rows tell a price and a day without a time: these are daily prices, not trades. */
export function areOfDays(table: Table): boolean {
  const days = timeIn(table)?.cells.every((cell) => DAY.test(cell)) === true;
  return days && columnFinder(table)(...PRICE) !== undefined;
}

/** Trades from any source whose columns (or JSON fields) have plain names. */
export const namedTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [time, price] = [timeIn(table), find(...PRICE)];
  if (time === undefined || price === undefined) return undefined;
  // A price beside a market capitalisation is no trade either.
  if (areOfDays(table) || find('marketcap') !== undefined) return undefined;
  const amounts = AMOUNT.flatMap((name) => find(name) ?? []);
  const { column: amount, note: taken } = amountColumn(table, { price, columns: amounts });
  if (amount === undefined) return undefined;
  const isOfOrders = find('orderid') !== undefined && find(...FEES) === undefined;
  if (isOfOrders || find(...BOOK) !== undefined) return undefined;
  const side = sideIn(table);
  const isSigned = table.manyRows.some((row) => Number(cellIn(row, amount)) < 0);
  const received = find(...RECEIVED);
  const id = find(...IDS);
  const columns = tradeColumns({
    ...{ time: time.expression, received, id, price, amount },
    side: side && untoldSide(side.column, { side: side.cell, word: UNTOLD }),
  });
  const inferred = side === undefined && !isSigned ? inferredNote(table) : undefined;
  const notes = [taken, side?.note, inferred, feesNote(table)];
  const note = notes.filter(Boolean).join('; ') || undefined;
  const facts = { format: `trades as ${table.form}`, kind: 'trades', note } as const;
  const sides = side && { sideWords: side.words, untoldSides: { word: UNTOLD } };
  return { ...facts, ...sides, symbolColumn: symbolIn(table), columns };
};

/** The cell of a side that is not known. */
const UNTOLD = '';

/** Headings of what was paid for a trade. */
const FEES = ['fee', 'commission', 'feeamount', 'feepaid'];

/** A note about trades with fees: they may be those of an account. */
function feesNote(table: Table): string | undefined {
  const fee = columnFinder(table)(...FEES);
  if (fee === undefined) return undefined;
  const { name, manyRows } = table;
  if (!manyRows.some((row) => Number(cellIn(row, fee)) > 0)) return undefined;
  return `${name} tells fees: if its trades are those of an account, its sides are not the takers'`;
}

/** Depth as `data export` writes it. The column `received` may be missing. */
export const exportedDepth: Recogniser = (table) => {
  const find = columnFinder(table);
  const columns: Record<string, string> = {};
  for (const name of COLUMNS.depth) {
    const column = find(name);
    if (column === undefined && name === 'received') continue;
    if (column === undefined) return undefined;
    const isTime = name === 'time' || name === 'received';
    columns[name] = isTime ? timeOf(column) : numberOf(column);
  }
  return { format: `depth from an export, ${table.form}`, kind: 'depth', columns };
};

/** Refuses quotes if the table has the columns of candles or trades as well. @throws {TypeError} */
function refuseBoth(table: Table): void {
  const areCandles = candlesIn(table, undefined) !== undefined;
  if (!areCandles && namedTrades(table) === undefined) return;
  const kind = areCandles ? 'candles' : 'trades';
  const columns = areCandles ? 'open, high, low, close, volume' : 'price, amount';
  throw new TypeError(
    `it has the columns of ${kind} and of quotes, a mapping of its columns is wanted (--mapping) ` +
      `that says which: "kind: ${kind}" (time, ${columns}) or "kind: quotes" (time, bid, ` +
      'bidAmount, ask, askAmount)',
  );
}

/** Best bids and asks from any source whose columns have plain names. */
export const namedQuotes: Recogniser = (table) => {
  const find = columnFinder(table);
  const found = {
    bid: find('bid', 'bidprice', 'bestbidprice', 'bidpx'),
    bidAmount: find('bidamount', 'bidsize', 'bidqty', 'bidvolume', 'bidvol', 'bestbidqty', 'bidsx'),
    ask: find('ask', 'askprice', 'bestaskprice', 'askpx'),
    askAmount: find('askamount', 'asksize', 'askqty', 'askvolume', 'askvol', 'bestaskqty', 'asksx'),
  };
  const time = timeIn(table);
  if (time === undefined || Object.values(found).includes(undefined)) return undefined;
  refuseBoth(table);
  const received = find(...RECEIVED);
  const columns = {
    time: timeOf(time.expression),
    ...(received === undefined ? {} : { received: timeOf(received) }),
    ...Object.fromEntries(Object.entries(found).map(([name, one]) => [name, numberOf(one!)])),
  };
  const symbolColumn = symbolIn(table);
  return { format: `quotes as ${table.form}`, kind: 'quotes', symbolColumn, columns };
};
