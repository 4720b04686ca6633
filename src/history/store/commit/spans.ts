import { HOUR_MS } from '../../../kernel/index.ts';
import type { Database } from '../database.ts';
import { STAGED } from '../staging/staging.ts';
import type { Segment, Span } from './parts.ts';

/** Files of ticks that are no further apart follow each other. Our choice: markets are quicker. */
const APART_MIN_MS = HOUR_MS;

/**
 * The times that the files of an import tell of, oldest first: one span for those that overlap or
 * follow each other. A row of no file tells of what is before them.
 *
 * `stepMs`: the length of a candle; of candles alone.
 */
export async function spansOf(database: Database, stepMs = APART_MIN_MS): Promise<Span[]> {
  const rows = await database.rows(`SELECT min(time) AS first, max(time) AS last FROM ${STAGED}
    WHERE file >= 0 GROUP BY file ORDER BY first`);
  const spans: { first: number; last: number }[] = [];
  for (const row of rows) {
    const [first, last] = [Number(row.first), Number(row.last)];
    const before = spans.at(-1);
    if (before === undefined || first - before.last > stepMs) spans.push({ first, last });
    else before.last = Math.max(before.last, last);
  }
  return spans;
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
