import { MINUTE_MS } from '../../../kernel/index.ts';
import { type Dataset, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import { COLUMNS, type DatasetKind } from '../kinds.ts';
import { identifier, identifiers } from '../sql.ts';
import { STAGED } from '../staging/staging.ts';

/**
 * How far apart one trade may be stamped when it is told twice, as by a push and by an answer that
 * is rounded to seconds. Our choice: a venue that counts its trades anew takes longer than that.
 */
const TOLD_TWICE_MS = MINUTE_MS;

/** Staged rows, and the dataset that they are to join. */
export interface Joining {
  readonly kind: DatasetKind;
  readonly before: Dataset | undefined;
}

/**
 * Takes away staged rows that repeat what is known.
 *
 * Of candles of one time the last counts; if it differs from the dataset's, it is marked `revised`.
 * Of trades with one id the dataset's counts, else the first. Rows of other kinds may be equal.
 */
export async function takeAwayRepetitions(database: Database, joining: Joining): Promise<void> {
  if (joining.kind === 'candles') await lastOfEachTime(database);
  if (joining.kind === 'trades') await firstOfEachId(database);
  await database.run(`ALTER TABLE ${STAGED} ADD COLUMN revised BOOLEAN DEFAULT false`);
  if (joining.kind === 'candles') await markRevised(database, joining);
  if (joining.kind === 'trades') await passOver(database, joining);
}

/** Puts the last candle of a time in the place of its first: a revision is not out of order. */
async function lastOfEachTime(database: Database): Promise<void> {
  const [, ...names] = COLUMNS.candles;
  const cells = names.map(identifier).map((name) => `arg_max(${name}, row) AS ${name}`);
  await database.run(`CREATE OR REPLACE TABLE ${STAGED} AS
    SELECT min(file) AS file, min(row) AS row, time, ${cells.join(', ')}
    FROM ${STAGED} GROUP BY time ORDER BY row`);
}

async function firstOfEachId(database: Database): Promise<void> {
  await database.run(`DELETE FROM ${STAGED} WHERE row IN (SELECT row FROM (
      SELECT row, time - lag(time) OVER (PARTITION BY id ORDER BY row) AS apart
      FROM ${STAGED} WHERE id IS NOT NULL)
    WHERE abs(apart) <= ${TOLD_TWICE_MS})`);
}

async function markRevised(database: Database, { before }: Joining): Promise<void> {
  const known = await rowsNear(database, { before, withinMs: 0 });
  if (known === undefined) return;
  const columns = identifiers(COLUMNS.candles);
  await database.run(`DELETE FROM ${STAGED}
    WHERE (${columns}) IN (SELECT (${columns}) FROM ${known})`);
  await database.run(`UPDATE ${STAGED} SET revised = true
    WHERE time IN (SELECT time FROM ${known})`);
}

async function passOver(database: Database, { before }: Joining): Promise<void> {
  const known = await rowsNear(database, { before, withinMs: TOLD_TWICE_MS });
  if (known === undefined) return;
  await database.run(`DELETE FROM ${STAGED} WHERE row IN (SELECT ${STAGED}.row
    FROM ${STAGED} JOIN ${known} AS known ON known.id = ${STAGED}.id
    WHERE abs(known.time - ${STAGED}.time) <= ${TOLD_TWICE_MS})`);
}

interface Near extends Pick<Joining, 'before'> {
  readonly withinMs: number;
}

/** SQL for the dataset's rows of the time that is staged; undefined where it has none. */
async function rowsNear(
  database: Database,
  { before, withinMs }: Near,
): Promise<string | undefined> {
  const span = await database.row(`SELECT min(time) AS first, max(time) AS last FROM ${STAGED}`);
  const [first, last] = [Number(span.first) - withinMs, Number(span.last) + withinMs];
  const parts = before?.parts.filter((part) => part.firstTime <= last && part.lastTime >= first);
  if (before === undefined || parts === undefined || parts.length === 0) return undefined;
  return `(SELECT * FROM ${rowsOf(before, parts)} WHERE time BETWEEN ${first} AND ${last})`;
}
