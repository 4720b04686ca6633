import type { LevelChange } from '../../../domain/index.ts';
import { type Dataset, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import type { Part } from '../manifest.ts';
import { BESIDE_MS, moment, type Stamps } from './depth-ends.ts';
import type { Span } from './parts.ts';

/** Messages within so many milliseconds behind one count as soon behind it. */
export const SOON_MS = 1_000;

/**
 * A message of a recording, and its content as a text; undefined for a whole book, which each
 * recorder asks for itself.
 */
export interface Heard extends Stamps {
  readonly content: string | undefined;
}

/** The first message of a recording, and those soon behind it. */
export interface Beginning {
  readonly dataset: Dataset;
  readonly first: Stamps;
  readonly soon: readonly Heard[];
}

/** How many rows of a dataset arrived soon behind a message, and how many are of one of `soon`. */
export async function rowsSoon(
  database: Database,
  { dataset, first, soon }: Beginning,
): Promise<{ readonly heard: number; readonly same: number }> {
  const { time, received } = first;
  const parts = dataset.parts.filter((part) => {
    return part.firstTime < time + BESIDE_MS && part.lastTime > time - BESIDE_MS;
  });
  if (parts.length === 0) return { heard: 0, same: 0 };
  const stamps = soon.map((one) => `(${moment(one.time)}, ${moment(one.received)})`);
  const { heard, same } = await database.row(`SELECT
      count(*) FILTER (received BETWEEN ${moment(received)} AND ${moment(received + SOON_MS)})
        AS heard,
      count(*) FILTER ((time, received) IN (${stamps.join(', ')})) AS same
    FROM ${rowsOf(dataset, parts)}`);
  return { heard: Number(heard), same: Number(same) };
}

/** A trade, or a level of a change of the book. */
export interface Content {
  readonly time: number;
  readonly event: number;
  readonly level: LevelChange;
}

/** The events whose rows are alike for all recorders. */
const ALIKE_EVENTS = `${DEPTH_EVENTS.trade}, ${DEPTH_EVENTS.change}`;

/** The content of a row as a text: the same whoever heard it. */
export function textOf({ time, event, level: [side, price, amount] }: Content): string {
  return textOfRow([time, event, side === 'buy' ? 1 : -1, price, amount]);
}

/** The same of a row: time, event, side, price and amount. */
function textOfRow(columns: readonly number[]): string {
  return columns.join(' ');
}

/** The contents of rows, each with the arrivals of its first and its last row. */
export type HeardContents = ReadonlyMap<string, Span>;

/**
 * How long the trades of one order keep arriving, by the recorder's clock. Equal trades of one
 * instant that arrive within this are two trades, not one that was heard twice. Our choice.
 */
const ORDER_MS = 20;

/** Whether a message's content was also heard by another recorder, before or later. */
export function wasHeardElsewhere({ content, received }: Heard, known: HeardContents): boolean {
  const span = content === undefined ? undefined : known.get(content);
  if (span === undefined) return false;
  const isOwn = received >= span.first - ORDER_MS && received <= span.last + ORDER_MS;
  return !isOwn;
}

/** The contents of rows in a span of time by the exchange's clock. `rows`: SQL that names them. */
export async function contentsIn(
  database: Database,
  rows: string,
  { first, last }: Span,
): Promise<HeardContents> {
  const found = await database.rows(`SELECT time, event, side, price, amount,
      min(received) AS first, max(received) AS last FROM ${rows}
    WHERE event IN (${ALIKE_EVENTS}) AND time BETWEEN ${moment(first)} AND ${moment(last)}
    GROUP BY ALL`);
  return new Map(
    found.map(({ time, event, side, price, amount, first, last }) => [
      textOfRow([time, event, side, price, amount].map(Number)),
      { first: Number(first), last: Number(last) },
    ]),
  );
}

/** The contents of a dataset's rows in a span of time. */
export function contentsInDataset(
  database: Database,
  dataset: Dataset,
  span: Span,
): Promise<HeardContents> {
  const parts = partsIn(dataset, span);
  if (parts.length === 0) return Promise.resolve(new Map());
  return contentsIn(database, rowsOf(dataset, parts), span);
}

/** Rows of a span of time, and the dataset that may have them too. */
export interface Again {
  readonly dataset: Dataset;
  /** The table of the rows. */
  readonly table: string;
  readonly span: Span;
  /** When the last of the rows arrived. */
  readonly received: number;
}

/**
 * How many of the rows a dataset has too: `same` with the same arrival, and so from the same
 * recorder; `later` with an arrival behind the last of them.
 */
export async function rowsAgain(
  database: Database,
  { dataset, table, span, received }: Again,
): Promise<{ readonly same: number; readonly later: number }> {
  const parts = partsIn(dataset, span);
  if (parts.length === 0) return { same: 0, later: 0 };
  const { same, later } = await database.row(`SELECT
      count(*) FILTER (known.received = own.received) AS same,
      count(*) FILTER (known.received > ${moment(received)} AND NOT isnan(known.received)
        AND known.received > own.received + ${ORDER_MS}) AS later
    FROM ${table} own JOIN ${rowsOf(dataset, parts)} known
      USING (time, event, side, price, amount)
    WHERE event IN (${ALIKE_EVENTS}) AND time BETWEEN ${moment(span.first)} AND ${moment(span.last)}`);
  return { same: Number(same), later: Number(later) };
}

/** The span of time of messages, by the exchange's clock. */
export function spanOf(messages: readonly Stamps[]): Span {
  const times = messages.map(({ time }) => time);
  return { first: Math.min(...times), last: Math.max(...times) };
}

function partsIn({ parts }: Dataset, { first, last }: Span): readonly Part[] {
  return parts.filter(({ firstTime, lastTime }) => firstTime <= last && lastTime >= first);
}
