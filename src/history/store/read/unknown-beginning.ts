import type { Database } from '../database.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import type { Remark } from '../remark.ts';
import { pathLiteral } from '../sql.ts';

/** Rows of depth whose book is not known at their beginning. */
export interface UnknownBeginning {
  /** The time of the first row, milliseconds since the epoch. */
  readonly from: number;
  /** The time of the first whole book; undefined where there is none. */
  readonly to: number | undefined;
  /** Changes of levels before it, to a book that nobody knows. */
  readonly changes: number;
}

/** Rows of depth as they lie on disk. */
export interface DepthOnDisk {
  /** Parquet files, in their order. */
  readonly files: readonly string[];
  /** Which of their rows, as a condition. Default: all. */
  readonly where?: string;
}

/**
 * The beginning of rows of depth if changes come before the first whole book, or if there is no
 * whole book; undefined otherwise. If only trades come before the book, nothing that was recorded
 * is unknown.
 */
export async function unknownBeginning(
  database: Database,
  { files, where = 'true' }: DepthOnDisk,
): Promise<UnknownBeginning | undefined> {
  let from = Number.POSITIVE_INFINITY;
  let changes = 0;
  for (const file of files) {
    const rows = `(SELECT file_row_number AS place, time, event
      FROM read_parquet(${pathLiteral(file)}, file_row_number = true) WHERE ${where})`;
    const { first, book, to } = await database.row(`SELECT min(time) AS first,
        min(place) FILTER (event = ${DEPTH_EVENTS.snapshot}) AS book,
        arg_min(time, place) FILTER (event = ${DEPTH_EVENTS.snapshot}) AS to FROM ${rows}`);
    if (first === null) continue;
    from = Math.min(from, Number(first));
    const isAhead = book === null ? 'true' : `place < ${book}`;
    const { count } = await database.row(`SELECT count(*) AS count FROM ${rows}
      WHERE event = ${DEPTH_EVENTS.change} AND ${isAhead}`);
    changes += Number(count);
    if (book !== null) return changes === 0 ? undefined : { from, to: Number(to), changes };
  }
  return Number.isFinite(from) ? { from, to: undefined, changes } : undefined;
}

/** A remark about such a beginning. `name`: what the rows are called. */
export function unknownBook(name: string, { from, to, changes }: UnknownBeginning): Remark {
  const count = `${changes.toLocaleString('en-US')} ${changes === 1 ? 'change' : 'changes'}`;
  if (to === undefined) {
    const behind = changes === 0 ? '' : `, but ${count}`;
    return {
      text: `the book of ${name} is never known: its rows hold no whole book${behind}`,
      hint: 'a backtest has no book then, and fills no order',
    };
  }
  const [since, until] = [from, to].map((time) => new Date(time).toISOString());
  return {
    text:
      `the book of ${name} is unknown from ${since} to ${until}: its first whole book comes then, ` +
      `after ${count}`,
    hint: 'a backtest has no book before, and fills no order',
  };
}
