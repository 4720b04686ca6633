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
  if (holds(table, type, CODE)) return codeOf(type);
  // The type of an order, such as limit, is another thing.
  return holds(table, type, SIDE) ? `side_of(${type})` : undefined;
}

const FLAG = /^\s*(true|false)\s*$/i;
const CODE = /^\s*\d\s*$/;
const SIDE = /^\s*(buy(er)?|sell(er)?|b|s|bid|ask|bought|sold)\s*$/i;

function holds({ rows }: Table, column: string | undefined, form: RegExp): boolean {
  return column !== undefined && rows.every((row) => form.test(row[Number(column.slice(1))] ?? ''));
}

/** The `type` of Bitstamp: 0 is a buy, 1 a sell. Source: bitstamp.net/api, transactions. */
function codeOf(column: string): string {
  return `CASE trim(${column}) WHEN '0' THEN 1 WHEN '1' THEN -1 END`;
}
