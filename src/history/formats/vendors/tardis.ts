import { amountUnitOf } from '../amount-unit.ts';
import { contractSource } from '../contract-name.ts';
import { deribitSource } from '../exchanges/deribit.ts';
import { untoldSide } from '../named-sides.ts';
import {
  columnFinder,
  numberOf,
  plainHeading,
  type Recogniser,
  type Table,
  timeOf,
  tradeColumns,
} from '../table.ts';

// The downloadable CSV files of tardis.dev: stamps in microseconds, `exchange` and `symbol` first.
// Source: docs.tardis.dev/downloadable-csv-files/data-types.

const LEADING = ['exchange', 'symbol', 'timestamp', 'localtimestamp'];
const STAMPS = { time: timeOf('c2'), received: timeOf('c3') };

function isTardis({ headings = [] }: Table): boolean {
  return LEADING.every((name, at) => plainHeading(headings[at] ?? '') === name);
}

/** The source of a file, and the unit of its amounts. */
function sourceAndUnit({ rows: [first] }: Table) {
  const [exchange = '', symbol = ''] = first ?? [];
  // Only for Deribit has it one name for spot and for futures on the same pair.
  const source = exchange === 'deribit' ? deribitSource(symbol) : contractSource(exchange, symbol);
  return { source, amountUnit: amountUnitOf(exchange, symbol), symbolColumn: 'c1' };
}

/** The word for a side that the exchange did not provide. */
const UNTOLD = 'unknown';

export const tardisTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const [id, side, price, amount] = [find('id'), find('side'), find('price'), find('amount')];
  if (!isTardis(table) || [id, side, price, amount].includes(undefined)) return undefined;
  const columns = tradeColumns({
    ...{ time: 'c2', received: 'c3', id, price: price!, amount: amount! },
    side: untoldSide(side!, { side: `side_of(${side})`, word: UNTOLD }),
  });
  const facts = { format: 'Tardis trades', kind: 'trades' } as const;
  return { ...facts, ...sourceAndUnit(table), columns, untoldSides: { word: UNTOLD } };
};

/** Tardis `quotes`: best bids and asks. Both cells of an empty side are empty. */
export const tardisQuotes: Recogniser = (table) => {
  const find = columnFinder(table);
  const bid = [find('bidprice'), find('bidamount')] as const;
  const ask = [find('askprice'), find('askamount')] as const;
  if (!isTardis(table) || [...bid, ...ask].includes(undefined)) return undefined;
  const numbers = (side: readonly (string | undefined)[]): string[] =>
    side.map((cell) => `CASE WHEN concat(${side.join()}) = '' THEN 0 ELSE ${numberOf(cell!)} END`);
  const [bidPrice, bidAmount] = numbers(bid);
  const [askPrice, askAmount] = numbers(ask);
  const sides = { bid: bidPrice!, bidAmount: bidAmount!, ask: askPrice!, askAmount: askAmount! };
  const columns = { ...STAMPS, ...sides };
  return { format: 'Tardis quotes', kind: 'quotes', ...sourceAndUnit(table), columns };
};

/**
 * Tardis `incremental_book_L2`: a level a row. Rows with the same local stamp are one update,
 * except that a whole book and changes never are: where they share a stamp, `turns` makes the
 * numbers of this and all later updates one higher. Source: docs.tardis.dev/faq/data.
 */
export const tardisBookChanges: Recogniser = (table) => {
  const find = columnFinder(table);
  const [snapshot, side] = [find('issnapshot'), find('side')];
  const [price, amount] = [find('price'), find('amount')];
  if (!isTardis(table) || [snapshot, side, price, amount].includes(undefined)) return undefined;
  const columns = {
    ...STAMPS,
    update: `${numberOf('c3')} + turns`,
    event: `CASE lower(${snapshot}) WHEN 'true' THEN 1 WHEN 'false' THEN 2 END`,
    side: `side_of(${side})`,
    price: numberOf(price!),
    amount: numberOf(amount!),
  };
  return {
    ...{ format: 'Tardis incremental_book_L2', kind: 'depth', ...sourceAndUnit(table), columns },
    relation: withTurns(table, `${snapshot} <> lag(${snapshot}) OVER ()`),
  };
};

/**
 * The rows, with the number of those so far (`turns`) that begin an update though they share the
 * stamp of the row above.
 */
function withTurns({ relation }: Table, begins: string): string {
  const isTurn = `coalesce(c3 = lag(c3) OVER () AND ${begins}, false)`;
  const turns = 'sum(is_turn::INTEGER) OVER (ROWS UNBOUNDED PRECEDING)::DOUBLE';
  return `(SELECT *, ${turns} AS turns FROM (SELECT *, ${isTurn} AS is_turn FROM ${relation}))`;
}

/**
 * Tardis `book_snapshot_5` and `book_snapshot_25`: a whole book a row. Updates are numbered by
 * their stamps, for those of another file may stand beside them.
 */
export const tardisBookSnapshots: Recogniser = (table) => {
  const headings = (table.headings ?? []).map(plainHeading);
  const levels = headings.flatMap((heading, at) => {
    const [, side] = /^(asks|bids)\[\d+\]\.price$/.exec(heading) ?? [];
    return side === undefined ? [] : [{ side: side === 'bids' ? 1 : -1, at }];
  });
  if (!isTardis(table) || levels.length === 0) return undefined;
  const list = (cells: readonly (string | number)[]): string => `unnest([${cells.join(', ')}])`;
  const relation = `(SELECT c1, c2, c3, ${numberOf('c3')} + turns AS update,
    ${list(levels.map(({ side }) => side))} AS side,
    ${list(levels.map(({ at }) => `c${at}`))} AS price,
    ${list(levels.map(({ at }) => `c${at + 1}`))} AS amount FROM ${withTurns(table, 'true')})`;
  const columns = {
    ...STAMPS,
    update: 'update',
    event: '1',
    side: 'side',
    price: numberOf('price'),
    amount: numberOf('amount'),
  };
  return {
    ...{ format: 'Tardis book_snapshot', kind: 'depth', ...sourceAndUnit(table), columns },
    relation: `(SELECT * FROM ${relation} WHERE price <> '')`,
  };
};
