import { join } from 'node:path';
import { MINUTE_MS } from '../../../kernel/index.ts';
import { type Dataset, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import { pathLiteral } from '../sql.ts';
import type { DepthRow } from '../staging/depth-rows.ts';

/** The condition for rows of depth that tell of the book or of a gap: all but trades. */
export const BOOK_OR_GAP = `event <> ${DEPTH_EVENTS.trade}`;

/** A time as a literal of SQL, to the last digit; also an infinite one. */
export function moment(time: number): string {
  return `'${time}'::DOUBLE`;
}

/**
 * A moment of a recording, milliseconds since the epoch: by the exchange's clock, and by the
 * recorder's if one recorder heard all rows. The exchange's stamps are not in the order in which
 * its messages arrive.
 */
export interface Moment {
  readonly time: number;
  readonly received?: number | undefined;
}

/** The condition for rows before a moment. */
export function isBefore(at: Moment): string {
  return compared('<', at);
}

/** The condition for rows after a moment. */
export function isBehind(at: Moment): string {
  return compared('>', at);
}

function compared(sign: '<' | '>', { time, received }: Moment): string {
  const byTime = `time ${sign} ${moment(time)}`;
  if (received === undefined) return byTime;
  return `coalesce(if(isnan(received), NULL, received) ${sign} ${moment(received)}, ${byTime})`;
}

/**
 * How far a moment's rows may be from it by the exchange's clock: more than any message is late.
 */
export const BESIDE_MS = MINUTE_MS;

/** A row of a dataset, and where it lies. */
export interface FoundRow extends DepthRow {
  readonly event: number;
  readonly place: string;
}

/** Where a row is looked for. */
export interface DepthSought {
  readonly dataset: Dataset;
  /** Only rows from before this moment. Default: all. */
  readonly before?: Moment;
}

export const NEVER: Moment = { time: Number.POSITIVE_INFINITY };

/** The last row of depth that meets a condition; undefined where there is none. */
export async function lastRow(
  database: Database,
  { dataset, before = NEVER, where = 'true' }: DepthSought & { readonly where?: string },
): Promise<FoundRow | undefined> {
  const parts = dataset.parts.filter(({ firstTime }) => firstTime < before.time + BESIDE_MS);
  for (const { file } of parts.reverse()) {
    const rows = `read_parquet(${pathLiteral(join(dataset.folder, file))}, file_row_number = true)`;
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

/** The stamps of a message, milliseconds since the epoch; NaN where one is not known. */
export type Stamps = Pick<DepthRow, 'time' | 'received'>;

/** The stamps of the first row of depth; NaN where one is not known. */
export async function firstStamps(database: Database, { folder, parts }: Dataset): Promise<Stamps> {
  const file = pathLiteral(join(folder, parts[0]!.file));
  const { time, received } = await database.row(`SELECT time, coalesce(received, 'nan'::DOUBLE)
      AS received FROM read_parquet(${file}, file_row_number = true) WHERE file_row_number = 0`);
  return { time: Number(time), received: Number(received) };
}

/** The highest number of an update in the files around a moment and in all later ones. */
export async function newestUpdate(
  database: Database,
  { dataset, before = NEVER }: DepthSought,
): Promise<number> {
  const at = dataset.parts.findIndex(({ lastTime }) => lastTime >= before.time - BESIDE_MS);
  const parts = at === -1 ? dataset.parts.slice(-1) : dataset.parts.slice(Math.max(0, at - 1));
  const { update } = await database.row(
    `SELECT max("update") AS update FROM ${rowsOf(dataset, parts)}`,
  );
  return Number(update);
}

/** The time of the first whole book after a moment; undefined where there is none. */
export async function nextBookTime(
  database: Database,
  { dataset, after }: { readonly dataset: Dataset; readonly after: Moment },
): Promise<number | undefined> {
  const from = after.time - BESIDE_MS;
  for (const part of dataset.parts.filter(({ lastTime }) => lastTime > from)) {
    const { time } = await database.row(`SELECT min(time) AS time
      FROM ${rowsOf(dataset, [part])}
      WHERE event = ${DEPTH_EVENTS.snapshot} AND ${isBehind(after)}`);
    if (time !== null) return Number(time);
  }
  return undefined;
}
