import { type Dataset, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { COLUMNS, type DatasetKind } from '../kinds.ts';
import type { Part } from '../manifest.ts';
import { FILE_ORDER, identifiers, inOrder } from '../sql.ts';
import { STAGED } from '../staging/staging.ts';
import { copyPart, isOfPeriod, type Span, stagedPeriods, type WrittenParts } from './parts.ts';

/** Staged rows that join a dataset. */
export interface Appended {
  readonly kind: DatasetKind;
  readonly before: Dataset | undefined;
  readonly span: Span;
  readonly revision: number;
  readonly workFolder: string;
}

/**
 * Writes staged rows as new files, together with the rows of files whose time they touch. Rows
 * marked `revised` take the place of those of their time.
 *
 * Rows that come a few at a time would make many small files, or write a big one anew each time. So
 * the newest files join the new rows as long as they are no bigger than what they join: files
 * double in size, there are few of them, and a row is written once for every doubling.
 */
export async function appendParts(database: Database, change: Appended): Promise<WrittenParts> {
  const { kind, before } = change;
  const old = before?.parts ?? [];
  const joined: Part[] = [];
  const written: Part[] = [];
  for (const { period, rows } of await stagedPeriods(database, kind)) {
    const parts = joinedParts(
      old.filter((part) => part.period === period),
      { ...change, rows },
    );
    const part = await writeJoined(database, { ...change, period, parts });
    if (part !== undefined) written.push(part);
    joined.push(...parts);
  }
  const kept = old.filter((part) => !joined.includes(part));
  const parts = [...kept, ...written];
  // Depth stays in the order in which it came.
  if (kind !== 'depth') parts.sort((a, b) => a.firstTime - b.firstTime);
  return { parts, written, replaced: joined.map(({ file }) => file) };
}

interface Joining {
  readonly kind: DatasetKind;
  readonly span: Span;
  readonly rows: number;
}

/** The files of a period that are written anew, together with new rows. */
function joinedParts(parts: readonly Part[], { kind, span, rows }: Joining): Part[] {
  // A candle of a known time revises it; other kinds may have several rows of one moment.
  const isAgain = ({ lastTime }: Part): boolean => kind === 'candles' && lastTime === span.first;
  const isTouched = (part: Part): boolean =>
    kind !== 'depth' &&
    part.firstTime <= span.last &&
    (part.lastTime > span.first || isAgain(part));
  const isNewest = kind === 'depth' || parts.every(({ lastTime }) => lastTime <= span.last);
  let from = parts.length;
  let sum = rows;
  while (isNewest && from > 0 && parts[from - 1]!.rows <= sum) sum += parts[--from]!.rows;
  return parts.filter((part, at) => at >= from || isTouched(part));
}

interface Joined extends Appended {
  readonly period: string;
  readonly parts: readonly Part[];
}

function writeJoined(
  database: Database,
  { kind, before, revision, workFolder, period, parts }: Joined,
): Promise<Part | undefined> {
  const columns = identifiers(COLUMNS[kind]);
  const isKept = `time NOT IN (SELECT time FROM ${STAGED} WHERE revised)`;
  const kept =
    parts.length === 0
      ? []
      : [{ from: `${rowsOf(before!, parts)} WHERE ${isKept}`, order: FILE_ORDER }];
  const isByTime = kind !== 'depth';
  const staged = {
    from: `${STAGED} WHERE ${isOfPeriod(kind, period)}`,
    order: isByTime ? 'time, row' : 'row',
  };
  const selections = [...kept, staged];
  return copyPart(database, {
    period,
    file: `${period}.${revision}.parquet`,
    folder: workFolder,
    rows: inOrder(columns, { selections, ...(isByTime && { first: 'time' }) }),
  });
}
