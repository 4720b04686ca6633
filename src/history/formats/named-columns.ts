import { inferMarketId } from '../market-name.ts';
import { COLUMNS } from '../store/kinds.ts';
import { inferredNote, sideIn } from './named-sides.ts';
import {
  candleColumns,
  columnFinder,
  isDate,
  joined,
  type LeftOutRows,
  numberOf,
  priceless,
  type Recogniser,
  type Table,
  timeOf,
} from './table.ts';
import { AMOUNTS, IDS, RECEIVED, SYMBOLS, TIMES } from './trade-headings.ts';
import { amountColumn, VOLUME, volumeColumn } from './volume-column.ts';

/** Of a candle, a stamp that does not say so may be its end; CoinAPI's open is its first trade. */
const BEGINNING = ['opentime', 'timeperiodstart', 'timeopen', 'start', 'starttime'];
/** How pandas heads an index that has no name: not at all, read again, made a column, in Parquet. */
const INDEX = ['', 'unnamed:0', 'index', 'indexlevel0'];
/** Digits of a stamp since the epoch: the number of a row has fewer. */
const STAMP = /^\d{9,19}(\.\d*)?$/;

const CLOCK = /^\s*\d\d?:\d\d/;

/**
 * The column of times: the first of these names that is there, else an index without a name that
 * holds them. Of a date with a column for its time, both.
 */
function timeIn(table: Table, names: readonly string[] = TIMES): string | undefined {
  const find = columnFinder(table);
  const [date, clock] = [find('date'), find('time')];
  if (date !== undefined && cellsOf(table, clock).some((cell) => CLOCK.test(cell))) {
    return joined(date, clock!);
  }
  const isTime = (cell: string): boolean => isDate(cell) || STAMP.test(cell);
  const index = INDEX.map((name) => find(name)).find(
    (column) => column !== undefined && cellsOf(table, column).every(isTime),
  );
  return find(...names) ?? index;
}

/** The column that names the market; a contract may also be counted, or be of a type. */
function symbolIn(table: Table): string | undefined {
  const find = columnFinder(table);
  const contract = find('contract');
  const isMarket = cellsOf(table, contract).every((cell) => inferMarketId(cell) !== undefined);
  return find(...SYMBOLS) ?? (isMarket ? contract : undefined);
}

function cellsOf({ rows }: Table, column: string | undefined): string[] {
  return column === undefined ? [] : rows.map((row) => row[Number(column.slice(1))] ?? '');
}

/**
 * Candles of any origin whose columns (or fields of JSON) say what they are. `volume`: its column.
 * Default: by its heading, and by the prices.
 */
export function namedCandles(
  table: Table,
  { volume: given }: { readonly volume?: string | undefined } = {},
): ReturnType<Recogniser> {
  const { column: volume, note: told } =
    given === undefined ? volumeColumn(table) : { column: given };
  // One of which it is not clear what it counts is for a mapping to choose.
  if (volume === undefined && volumesIn(table).length > 0) return undefined;
  const columns = candlesIn(table, volume);
  if (columns === undefined) return undefined;
  const isWorth = volume !== undefined && columnFinder(table)('marketcap') !== undefined;
  const note = told ?? (isWorth ? capitalisedNote(table) : undefined);
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

/** Rows without prices, and of OKX (`confirm`) those that had not ended. */
function leftOutOf(table: Table): LeftOutRows {
  const none = priceless(Object.values(pricesIn(table)));
  const ended = columnFinder(table)('confirm');
  if (ended === undefined || !cellsOf(table, ended).every((cell) => /^[01]$/.test(cell)))
    return none;
  const where = `(${none.where}) OR ${ended} = '0'`;
  return { where, which: `${none.which} or that had not ended` };
}

function capitalisedNote({ name }: Table): string {
  return (
    `${name} tells market capitalisations: its volume is likely in the quote currency, as that of ` +
    'CoinMarketCap is, and backtest.fill.volumeCap means nothing with it'
  );
}

/** Headings that speak of a volume in a table of candles, of which none tells what it counts. */
export function untoldVolumes(table: Table): string[] {
  const isTold = columnFinder(table)(...VOLUME) !== undefined;
  return isTold || candlesIn(table, undefined) === undefined ? [] : volumesIn(table);
}

function volumesIn({ headings = [] }: Table): string[] {
  return headings.filter((name) => /vol/i.test(name));
}

function candlesIn(table: Table, volume: string | undefined) {
  return candleColumns({
    time: timeIn(table, [...BEGINNING, ...TIMES]),
    ...pricesIn(table),
    volume,
  });
}

function pricesIn(table: Table) {
  const find = columnFinder(table);
  return {
    open: find('open', 'o'),
    high: find('high', 'h'),
    low: find('low', 'l'),
    close: find('close', 'c'),
  };
}

/** Trades of any origin whose columns (or fields of JSON) say what they are. */
export const namedTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [time, price] = [timeIn(table), find('price')];
  if (time === undefined || price === undefined) return undefined;
  const amounts = AMOUNTS.flatMap((name) => find(name) ?? []);
  const { column: amount, note: taken } = amountColumn(table, { price, columns: amounts });
  if (amount === undefined) return undefined;
  if (find('issnapshot') !== undefined) return undefined;
  const side = sideIn(table);
  const isSigned = table.manyRows.some((row) => Number(row[Number(amount.slice(1))]) < 0);
  const received = find(...RECEIVED);
  const id = find(...IDS);
  const columns = {
    time: timeOf(time),
    price: numberOf(price),
    amount: numberOf(amount),
    ...(received === undefined ? {} : { received: timeOf(received) }),
    ...(id === undefined ? {} : { id }),
    ...(side === undefined ? {} : { side: side.cell }),
  };
  const inferred = side === undefined && !isSigned ? inferredNote(table) : undefined;
  const notes = [taken, side?.note, inferred, feesNote(table)];
  const note = notes.filter(Boolean).join('; ') || undefined;
  const told = { format: `trades as ${table.form}`, kind: 'trades', note } as const;
  return { ...told, symbolColumn: symbolIn(table), columns, sideWords: side?.words };
};

/** What is to be said of trades that somebody paid for. */
function feesNote(table: Table): string | undefined {
  const fee = columnFinder(table)('fee', 'commission', 'feeamount', 'feepaid');
  if (fee === undefined) return undefined;
  const { name, manyRows } = table;
  if (!manyRows.some((row) => Number(row[Number(fee.slice(1))]) > 0)) return undefined;
  return `${name} tells fees: if its trades are those of an account, its sides are not the takers'`;
}

/** Depth as `data export` writes it. */
export const exportedDepth: Recogniser = (table) => {
  const find = columnFinder(table);
  const names = COLUMNS.depth.map((name) => [name, find(name)] as const);
  if (names.some(([, column]) => column === undefined)) return undefined;
  const columns = Object.fromEntries(
    names.map(([name, column]) => {
      const isTime = name === 'time' || name === 'received';
      return [name, isTime ? timeOf(column!) : numberOf(column!)];
    }),
  );
  return { format: `depth from an export, ${table.form}`, kind: 'depth', columns };
};

/** The best bid and ask of any origin whose columns say what they are. */
export const namedQuotes: Recogniser = (table) => {
  const find = columnFinder(table);
  const found = {
    bid: find('bid', 'bidprice'),
    bidAmount: find('bidamount', 'bidsize', 'bidqty'),
    ask: find('ask', 'askprice'),
    askAmount: find('askamount', 'asksize', 'askqty'),
  };
  const time = timeIn(table);
  if (time === undefined || Object.values(found).includes(undefined)) return undefined;
  const received = find(...RECEIVED);
  const columns = {
    time: timeOf(time),
    ...(received === undefined ? {} : { received: timeOf(received) }),
    ...Object.fromEntries(Object.entries(found).map(([name, one]) => [name, numberOf(one!)])),
  };
  const symbolColumn = symbolIn(table);
  return { format: `quotes as ${table.form}`, kind: 'quotes', symbolColumn, columns };
};
