import { join } from 'node:path';
import type { LevelChange } from '../../../domain/index.ts';
import { MINUTE_MS } from '../../../kernel/index.ts';
import type { Dataset } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import type { Part } from '../manifest.ts';
import { literal, parquet } from '../sql.ts';
import type { DepthRow } from '../staging/depth-rows.ts';
import type { Span } from './parts.ts';

/** Rows of depth that tell of a book, as a condition: all but trades. */
export const BOOK_OR_GAP = `event <> ${DEPTH_EVENTS.trade}`;

/** A time as a literal of SQL, to the last digit; also an infinite one. */
export function moment(time: number): string {
  return `'${time}'::DOUBLE`;
}

/**
 * A moment of a recording, milliseconds since the epoch: by the exchange's clock, and by that of the
 * recorder where it is the same for all rows. Stamps of the exchange are not in the order in which
 * its messages come.
 */
export interface Moment {
  readonly time: number;
  readonly received?: number | undefined;
}

/** Rows from before a moment, as a condition. */
export function isBefore(at: Moment): string {
  return compared('<', at);
}

/** Rows from behind a moment, as a condition. */
export function isBehind(at: Moment): string {
  return compared('>', at);
}

function compared(sign: '<' | '>', { time, received }: Moment): string {
  const byTime = `time ${sign} ${moment(time)}`;
  if (received === undefined) return byTime;
  return `coalesce(if(isnan(received), NULL, received) ${sign} ${moment(received)}, ${byTime})`;
}

/** How far from a moment by the exchange's clock rows may lie beside it, more than any message is late. */
const BESIDE_MS = MINUTE_MS;

/** A row of a dataset, and where it lies. */
export interface FoundRow extends DepthRow {
  readonly event: number;
  readonly place: string;
}

/** Rows of which one is looked for. */
export interface DepthSought {
  readonly dataset: Dataset;
  /** Only rows from before it. Default: all. */
  readonly before?: Moment;
}

const NEVER: Moment = { time: Number.POSITIVE_INFINITY };

/** The last row of depth that meets a condition; undefined where there is none. */
export async function lastRow(
  database: Database,
  { dataset, before = NEVER, where = 'true' }: DepthSought & { readonly where?: string },
): Promise<FoundRow | undefined> {
  const parts = dataset.parts.filter(({ firstTime }) => firstTime < before.time + BESIDE_MS);
  for (const { file } of parts.reverse()) {
    const rows = `read_parquet(${literal(join(dataset.folder, file))}, file_row_number = true)`;
    const [row] = await database.rows(`SELECT file_row_number AS number, time, event, "update",
        coalesce(received, 'nan'::DOUBLE) AS received FROM ${rows} WHERE file_row_number =
        (SELECT max(file_row_number) FROM ${rows} WHERE ${isBefore(before)} AND (${where}))`);
    if (row === undefined) continue;
    return {
      ...{ update: Number(row.update), time: Number(row.time), received: Number(row.received) },
      ...{ event: Number(row.event), place: `${file}:${row.number}` },
    };
  }
  return undefined;
}

/** What counts as soon behind a message, milliseconds. */
export const SOON_MS = 1_000;

/** The stamps of a message, milliseconds since the epoch; NaN where one is not known. */
export type Stamps = Pick<DepthRow, 'time' | 'received'>;

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
    FROM ${filesOf(dataset, parts)}`);
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
  return [time, event, side === 'buy' ? 1 : -1, price, amount].join(' ');
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
      [time, event, side, price, amount].map(Number).join(' '),
      { first: Number(first), last: Number(last) },
    ]),
  );
}

/** What a dataset tells of a span of time. */
export function toldInDataset(database: Database, dataset: Dataset, span: Span): Promise<ToldAt> {
  const parts = partsIn(dataset, span);
  if (parts.length === 0) return Promise.resolve(new Map());
  return toldIn(database, filesOf(dataset, parts), span);
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
    FROM ${table} own JOIN ${filesOf(dataset, parts)} known
      USING (time, event, side, price, amount)
    WHERE event IN (${TOLD_EVENTS}) AND time BETWEEN ${moment(span.first)} AND ${moment(span.last)}`);
  return { same: Number(same), later: Number(later) };
}

/** The span of time of messages, by the exchange's clock. */
export function spanOf(messages: readonly Stamps[]): Span {
  const times = messages.map(({ time }) => time);
  return { first: Math.min(...times), last: Math.max(...times) };
}

/** The stamps of the first row of depth; NaN where one is not known. */
export async function firstStamps(database: Database, { folder, parts }: Dataset): Promise<Stamps> {
  const file = literal(join(folder, parts[0]!.file));
  const { time, received } = await database.row(`SELECT time, coalesce(received, 'nan'::DOUBLE)
      AS received FROM read_parquet(${file}, file_row_number = true) WHERE file_row_number = 0`);
  return { time: Number(time), received: Number(received) };
}

/** The biggest number of an update in the files around a time and in all behind. */
export async function newestUpdate(
  database: Database,
  { dataset, before = NEVER }: DepthSought,
): Promise<number> {
  const at = dataset.parts.findIndex(({ lastTime }) => lastTime >= before.time - BESIDE_MS);
  const parts = at === -1 ? dataset.parts.slice(-1) : dataset.parts.slice(Math.max(0, at - 1));
  const { update } = await database.row(
    `SELECT max("update") AS update FROM ${filesOf(dataset, parts)}`,
  );
  return Number(update);
}

/** When the first whole book after a moment comes; undefined where none does. */
export async function nextBookTime(
  database: Database,
  { dataset, after }: { readonly dataset: Dataset; readonly after: Moment },
): Promise<number | undefined> {
  const from = after.time - BESIDE_MS;
  for (const part of dataset.parts.filter(({ lastTime }) => lastTime > from)) {
    const { time } = await database.row(`SELECT min(time) AS time
      FROM ${filesOf(dataset, [part])}
      WHERE event = ${DEPTH_EVENTS.snapshot} AND ${isBehind(after)}`);
    if (time !== null) return Number(time);
  }
  return undefined;
}

function partsIn({ parts }: Dataset, { first, last }: Span): readonly Part[] {
  return parts.filter(({ firstTime, lastTime }) => firstTime <= last && lastTime >= first);
}

function filesOf({ folder }: Dataset, parts: readonly Part[]): string {
  return parquet(parts.map(({ file }) => join(folder, file)));
}
