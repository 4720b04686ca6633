import { counted, HOUR_MS, SECOND_MS } from '../../../kernel/index.ts';
import { HistoryError } from '../../errors.ts';
import { type Dataset, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { STAGED } from '../staging/staging.ts';
import type { Segment, Span } from './parts.ts';

/**
 * Files of ticks that are no further apart follow each other; otherwise one between them may be
 * missing. Our choice: markets are quicker.
 */
export const APART_MIN_MS = HOUR_MS;

/** Parts of a raw recording that are no further apart follow each other. Our choice. */
const RAW_APART_MIN_MS = SECOND_MS;

/**
 * The spans of the files of an import, oldest first. Files that overlap or follow each other share
 * one. Rows of no file, which tell of what is before the files, do not count.
 *
 * `apartMs`: the most that files are apart which follow each other: for candles their length.
 * Default: that of ticks.
 */
export async function spansOf(database: Database, apartMs = APART_MIN_MS): Promise<Span[]> {
  const rows = await database.rows(`SELECT min(time) AS first, max(time) AS last FROM ${STAGED}
    WHERE file >= 0 GROUP BY file ORDER BY first`);
  const spans: { first: number; last: number }[] = [];
  for (const row of rows) {
    const [first, last] = [Number(row.first), Number(row.last)];
    const before = spans.at(-1);
    if (before === undefined || first - before.last > apartMs) spans.push({ first, last });
    else before.last = Math.max(before.last, last);
  }
  return spans;
}

/**
 * Refuses to replace rows between raw recordings, which replace all from the first to the last.
 *
 * @throws {HistoryError} naming how many rows there are, and when.
 */
export async function requireNothingBetween(database: Database, before: Dataset): Promise<void> {
  const spans = await spansOf(database, RAW_APART_MIN_MS);
  for (const [at, { first: to }] of spans.slice(1).entries()) {
    const from = spans[at]!.last;
    const rows = await countOf(database, before, `time > ${from} AND time < ${to}`);
    if (rows === 0) continue;
    const span = `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
    throw new HistoryError(
      `Cannot import these recordings together: ${before.id} has ${counted(rows, 'row')} ` +
        `between them, ${span}, which --replace would take away; one import each is wanted`,
    );
  }
}

/** Whether a dataset has rows in these spans: between two of its files there may be none. */
export async function hasAnyIn(
  database: Database,
  { before, spans }: { readonly before: Dataset; readonly spans: readonly Span[] },
): Promise<boolean> {
  const within = spans.map(({ first, last }) => `time BETWEEN ${first} AND ${last}`).join(' OR ');
  return (await countOf(database, before, within)) > 0;
}

/** How many rows of a dataset meet a condition. */
async function countOf(database: Database, dataset: Dataset, where: string): Promise<number> {
  const { rows } = await database.row(
    `SELECT count(*) AS rows FROM ${rowsOf(dataset)} WHERE ${where}`,
  );
  return Number(rows);
}

/** Staged rows in place of the dataset's rows in their spans; rows between the spans stay. */
export function replaced(spans: readonly Span[]): Segment[] {
  const segments: Segment[] = [];
  let behind = 'true';
  for (const [at, { first, last }] of spans.entries()) {
    const isLast = at === spans.length - 1;
    segments.push({ from: 'before', where: `${behind} AND time < ${first}` });
    segments.push({ from: 'staged', where: isLast ? behind : `${behind} AND time <= ${last}` });
    behind = `time > ${last}`;
  }
  return [...segments, { from: 'before', where: behind }];
}
