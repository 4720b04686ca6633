import { COLUMNS } from '../store/kinds.ts';
import { literal } from '../store/sql.ts';
import { cellsIn, columnFinder, plainHeading, type Table } from './table.ts';
import { BUYER_MAKERS, SIDES } from './trade-headings.ts';

/** How a column tells the side of the taker. */
export interface ToldSide {
  /** SQL: 1 for a buy, -1 for a sell, NULL for anything else. */
  readonly cell: string;
  readonly column: string;
  /** What may stand in the column. Default: `buy or sell`. */
  readonly words?: string;
  /** What a user who imports it should know: a whole sentence. */
  readonly note?: string | undefined;
}

/** Headings that may tell sides. */
const LIKELY = /side|maker|taker|sell|buy|direction|^type$/;
/** Headings that tell amounts or orders of one side instead. */
const UNLIKELY = /vol|amount|size|qty|quantity|price|id$|count|order/;

/** The note about trades whose sides no known column tells. */
export function inferredNote({ name, headings = [] }: Table): string {
  const likely = headings.find((heading) => {
    const plain = plainHeading(heading);
    return LIKELY.test(plain) && !UNLIKELY.test(plain);
  });
  const remedy =
    likely === undefined ? '' : `; if "${likely}" tells them, a mapping with "sides" says how`;
  return (
    `${name} has no column that is known to tell sides, they are inferred: a rise is a buy, a fall a ` +
    `sell${remedy}`
  );
}

/** SQL for a side: `side`; where that is NULL, NaN unless the cell is `word` (side not known). */
export function untoldSide(
  column: string,
  { side, word }: { readonly side: string; readonly word: string },
): string {
  const isOther = `lower(trim(${column})) <> ${literal(word.toLowerCase())}`;
  return `coalesce(${side}, CASE WHEN ${isOther} THEN 'nan'::DOUBLE END)`;
}

/** The column that tells the taker's side, and how; undefined if there is none. */
export function sideIn(table: Table): ToldSide | undefined {
  const find = columnFinder(table);
  const sale = find('sell');
  // Kaiko says whether the taker sold, which is whether the buyer was the maker.
  const maker = find(...BUYER_MAKERS) ?? (holds(table.manyRows, sale, FLAG) ? sale : undefined);
  if (maker !== undefined) {
    return { column: maker, cell: `side_of_maker(${maker})`, words: 'true or false' };
  }
  const side = find(...SIDES);
  if (side !== undefined) {
    const word = isCoded(table, side) ? `nullif(trim(${side}), '1')` : side;
    return { column: side, cell: `side_of(${word})` };
  }
  const type = find('type');
  if (type === undefined) return undefined;
  // If -1 occurs, maybe not among the first rows, 1 is a buy.
  const isSigned = cellsIn(table.manyRows, type).includes('-1');
  if (!isSigned && holds(table.rows, type, CODE)) return codeOf(type, table);
  // `type` may also be that of an order, such as limit.
  return holds(table.rows, type, SIDE) ? { column: type, cell: `side_of(${type})` } : undefined;
}

/**
 * Whether sides are digits without any -1. Then 1 is a buy for some (FIX) and a sell for others
 * (AlphaPoint's `TakerSide`). `data export` writes both 1 and -1, so its files are no such case.
 */
function isCoded(table: Table, side: string): boolean {
  const { headings = [], manyRows } = table;
  return headings.join() !== COLUMNS.trades.join() && holds(manyRows, side, CODE);
}

const FLAG = /^(true|false|[01])$/i;
const CODE = /^\d$/;
const SIDE = /^(buy(er)?|sell(er)?|b|s|bid|ask|bought|sold|-?1)$/i;

function holds(rows: Table['rows'], column: string | undefined, form: RegExp): boolean {
  return column !== undefined && cellsIn(rows, column).every((cell) => form.test(cell));
}

/** The `type` of Bitstamp: 0 is a buy, 1 a sell. Source: bitstamp.net/api, transactions. */
function codeOf(column: string, table: Table): ToldSide {
  const find = columnFinder(table);
  const isBitstamp = find('microtimestamp', 'tid') !== undefined;
  const cell = sideBy(column, { buy: 0, sell: 1 });
  const as = 'a "type" of 0 is taken for a buy and 1 for a sell, as Bitstamp has it';
  const note = isBitstamp ? undefined : `${table.name}: ${as}`;
  return { column, cell, words: '0 or 1', note };
}

type Word = string | number | boolean;

/** What stands in a column where the taker bought, and where it sold. */
export interface SideWords {
  readonly buy: Word | readonly Word[];
  readonly sell: Word | readonly Word[];
}

/** SQL for a side by the words in its column. */
export function sideBy(column: string, { buy, sell }: SideWords): string {
  const when = (words: SideWords['buy'], side: number): string =>
    `WHEN lower(trim(${column})) IN (${textsOf(words).map(literal).join(', ')}) THEN ${side}`;
  return `CASE ${when(buy, 1)} ${when(sell, -1)} END`;
}

/** All words of both sides, for people. */
export function wordsText({ buy, sell }: SideWords): string {
  const words = [...textsOf(buy), ...textsOf(sell)].map((word) => JSON.stringify(word));
  const last = words.pop();
  return `${words.join(', ')} or ${last}`;
}

function textsOf(words: SideWords['buy']): string[] {
  return [words].flat().map((word) => String(word).trim().toLowerCase());
}
