import { counted, HOUR_MS, SECOND_MS } from '../../../kernel/index.ts';
import { HistoryError } from '../../errors.ts';
import { type Dataset, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { STAGED } from '../staging/staging.ts';
import type { Segment, Span } from './parts.ts';

/**
 * Files of ticks that are no further apart follow each other; one between others may be missing. Our
 * choice: markets are quicker.
 */
export const APART_MIN_MS = HOUR_MS;

/** Parts of a raw recording that are no further apart follow each other. Our choice. */
const RAW_APART_MIN_MS = SECOND_MS;

/**
 * The times that the files of an import tell of, oldest first: one span for those that overlap or
 * follow each other. A row of no file tells of what is before them.
 *
 * `apartMs`: how far files are apart at most that follow each other: of candles their length.
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
 * Raw recordings take the place of all from the first to the last of them.
 *
 * @throws {HistoryError} where that would take away what lies between two of them.
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

/** Whether a dataset has rows of such times: between two of its files there may be none. */
export async function hasAnyIn(
  database: Database,
  { before, spans }: { readonly before: Dataset; readonly spans: readonly Span[] },
): Promise<boolean> {
  const within = spans.map(({ first, last }) => `time BETWEEN ${first} AND ${last}`).join(' OR ');
  return (await countOf(database, before, within)) > 0;
}

/** How many rows a dataset has for which that holds. */
async function countOf(database: Database, dataset: Dataset, where: string): Promise<number> {
  const { rows } = await database.row(
    `SELECT count(*) AS rows FROM ${rowsOf(dataset)} WHERE ${where}`,
  );
  return Number(rows);
}

/** Staged rows in place of all that a dataset has of their spans; what lies between those stays. */
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
