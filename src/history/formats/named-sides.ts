import { columnFinder, type Table } from './table.ts';

/** What is to be said of trades of which no column is known to tell sides. */
export function inferredNote({ name }: Table): string {
  return (
    `${name} has no column that is known to tell sides, they are inferred: up is a buy, down a ` +
    'sell'
  );
}

/** The side of the taker, as the headings tell it; undefined where none does. */
export function sideIn(table: Table): string | undefined {
  const find = columnFinder(table);
  const maker = find('isbuyermaker', 'buyermaker');
  // Kaiko's `sell` says whether the taker sold, which is whether the buyer was the maker.
  const sale = [find('takersidesell'), find('sell')].find((column) => holds(table, column, FLAG));
  if (maker !== undefined || sale !== undefined) return `side_of_maker(${maker ?? sale})`;
  const side = find('side', 'takerside', 'aggressorside', 'direction');
  if (side !== undefined) return `side_of(${side})`;
  const type = find('type');
  if (type === undefined) return undefined;
  // Beside -1, which may stand further down, 1 is a buy.
  const isSigned = cellsIn(table.manyRows, type).includes('-1');
  if (!isSigned && holds(table, type, CODE)) return codeOf(type);
  // The type of an order, such as limit, is another thing.
  return holds(table, type, SIDE) ? `side_of(${type})` : undefined;
}

const FLAG = /^(true|false)$/i;
const CODE = /^\d$/;
const SIDE = /^(buy(er)?|sell(er)?|b|s|bid|ask|bought|sold|-?1)$/i;

function holds({ rows }: Table, column: string | undefined, form: RegExp): boolean {
  return column !== undefined && cellsIn(rows, column).every((cell) => form.test(cell));
}

function cellsIn(rows: Table['rows'], column: string): string[] {
  return rows.map((row) => (row[Number(column.slice(1))] ?? '').trim());
}

/** The `type` of Bitstamp: 0 is a buy, 1 a sell. Source: bitstamp.net/api, transactions. */
function codeOf(column: string): string {
  return `CASE trim(${column}) WHEN '0' THEN 1 WHEN '1' THEN -1 END`;
}
