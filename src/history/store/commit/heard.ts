import type { LevelChange } from '../../../domain/index.ts';
import { type Dataset, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import type { Part } from '../manifest.ts';
import { BESIDE_MS, moment, type Stamps } from './depth-ends.ts';
import type { Span } from './parts.ts';

/** What counts as soon behind a message, milliseconds. */
export const SOON_MS = 1_000;

/** A message of a recording, and what it tells; undefined of a whole book, which each asks for. */
export interface Heard extends Stamps {
  readonly told: string | undefined;
}

/** The first message of a recording, and those soon behind it. */
export interface Beginning {
  readonly dataset: Dataset;
  readonly first: Stamps;
  readonly soon: readonly Heard[];
}

/** How many rows of a dataset were heard soon behind a message, and are of one of these messages. */
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
export interface Told {
  readonly time: number;
  readonly event: number;
  readonly level: LevelChange;
}

/** The events of rows that tell what each recorder hears alike. */
const TOLD_EVENTS = `${DEPTH_EVENTS.trade}, ${DEPTH_EVENTS.change}`;

/** What is told, as one text: the same whoever heard it. */
export function textOf({ time, event, level: [side, price, amount] }: Told): string {
  return textOfRow([time, event, side === 'buy' ? 1 : -1, price, amount]);
}

/** The same of a row: time, event, side, price and amount. */
function textOfRow(columns: readonly number[]): string {
  return columns.join(' ');
}

/** What rows tell, each with when the first and the last row of it came. */
export type ToldAt = ReadonlyMap<string, Span>;

/**
 * For how long one order trades, by the recorder's clock: equal trades of one instant that come
 * within this are two. Our choice: what it trades comes message by message.
 */
const ORDER_MS = 20;

/** Whether this was heard before, or is heard later, by another recorder. */
export function wasHeardElsewhere({ told, received }: Heard, known: ToldAt): boolean {
  const span = told === undefined ? undefined : known.get(told);
  if (span === undefined) return false;
  const isOwn = received >= span.first - ORDER_MS && received <= span.last + ORDER_MS;
  return !isOwn;
}

/** What rows tell of a span of time by the exchange's clock. `rows`: SQL that names them. */
export async function toldIn(
  database: Database,
  rows: string,
  { first, last }: Span,
): Promise<ToldAt> {
  const found = await database.rows(`SELECT time, event, side, price, amount,
      min(received) AS first, max(received) AS last FROM ${rows}
    WHERE event IN (${TOLD_EVENTS}) AND time BETWEEN ${moment(first)} AND ${moment(last)}
    GROUP BY ALL`);
  return new Map(
    found.map(({ time, event, side, price, amount, first, last }) => [
      textOfRow([time, event, side, price, amount].map(Number)),
      { first: Number(first), last: Number(last) },
    ]),
  );
}

/** What a dataset tells of a span of time. */
export function toldInDataset(database: Database, dataset: Dataset, span: Span): Promise<ToldAt> {
  const parts = partsIn(dataset, span);
  if (parts.length === 0) return Promise.resolve(new Map());
  return toldIn(database, rowsOf(dataset, parts), span);
}

/** Rows of a span of time, and the dataset that may tell the same. */
export interface Again {
  readonly dataset: Dataset;
  /** The table of the rows. */
  readonly table: string;
  readonly span: Span;
  /** When the last of the rows came. */
  readonly received: number;
}

/** How many rows a dataset has too: of the same hearing, and of one later than their last. */
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
    WHERE event IN (${TOLD_EVENTS}) AND time BETWEEN ${moment(span.first)} AND ${moment(span.last)}`);
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
