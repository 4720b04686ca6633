import { DAY_MS, formatDuration, HOUR_MS } from '../../../kernel/index.ts';
import { equalRuns, RUN_MIN, runMax } from '../../check/step-runs.ts';
import type { Cell, Database } from '../database.ts';
import { resolutionName } from '../resolution.ts';
import { placeOf, type RowsOfFile } from '../staging/row-place.ts';
import { STAGED } from '../staging/staging.ts';

/** The shortest month. */
const MONTH_MIN_MS = 28 * DAY_MS;
/**
 * Highest share of rows that repeat a time with other values: above it, a file holds two series.
 */
const CONFLICTS_MAX = 0.05;

/** The staged candles of a file. */
export interface CandleRows extends RowsOfFile {
  /** The file's number in the import. */
  readonly file: number;
}

/**
 * The length of the staged candles of a file: the step that most rows keep. If others break it but
 * all keep the length in the file's name, it is that, as for a quiet market without a candle for
 * most of its time.
 *
 * @throws {TypeError} when there are too few rows to tell, or when resolutions are mixed.
 */
export async function candleStep(
  database: Database,
  { named, ...rows }: CandleRows & { readonly named: number | undefined },
): Promise<number> {
  const [most] = await database.rows(usualStep(rows));
  const isKept = async (stepMs: number): Promise<boolean> =>
    (await offStep(database, { ...rows, stepMs })) === undefined;
  const stepMs = Number(most?.step ?? named);
  if (Number.isNaN(stepMs)) {
    throw new TypeError('it has too few rows to tell their length, --resolution is wanted');
  }
  if (stepMs >= MONTH_MIN_MS) await refuseMonths(database, rows);
  const byName = named !== undefined && !(await isKept(stepMs)) && (await isKept(named));
  const length = byName ? named : stepMs;
  await refuseMixed(database, { ...rows, stepMs: length, by: byName ? 'name' : 'rows' });
  return length;
}

/** Refuses candles that begin with months. @throws {TypeError} */
async function refuseMonths(database: Database, { file }: CandleRows): Promise<void> {
  const { others } = await database.row(`SELECT count(*) FILTER (
      time <> epoch_ms(date_trunc('month', make_timestamp((time * 1000)::BIGINT)))) AS others
    FROM ${STAGED} WHERE file = ${file}`);
  if (Number(others) > 0) return;
  throw new TypeError(
    'its candles are months, which are not of one length, candles of a week or less are wanted',
  );
}

interface Steps extends CandleRows {
  readonly stepMs: number;
  /** Who tells the step. */
  readonly by: keyof typeof TOLD_BY;
}

/** What a refusal says of the step, by who tells it. */
const TOLD_BY = {
  rows: (stepMs: number) => `most rows are ${formatDuration(stepMs)} apart`,
  name: (stepMs: number) => `its name says ${resolutionName(stepMs)}`,
  user: (stepMs: number) => `--resolution says ${resolutionName(stepMs)}`,
} as const;

/**
 * Refuses candles that do not keep the step. If a user tells it, a run of longer steps is refused
 * only if most rows keep that step.
 *
 * @throws {TypeError} naming where the other step begins.
 */
export async function refuseMixed(database: Database, steps: Steps): Promise<void> {
  const { file, stepMs, by } = steps;
  const other = await offStep(database, steps);
  if (other !== undefined) throw await mixed(other, steps);
  const { rows } = await database.row(
    `SELECT count(*) AS rows FROM ${STAGED} WHERE file = ${file}`,
  );
  const most = `greatest(${RUN_MIN}, ${runMax(Number(rows), `(step / ${stepMs})`)})`;
  const doubted = by === 'user' ? `step = (${usualStep(steps)})` : 'true';
  const [run] = await database.rows(`SELECT * FROM (${equalRuns(stepsOf(steps))})
    WHERE step <> ${stepMs} AND run >= ${most} AND ${doubted} ORDER BY time LIMIT 1`);
  if (run !== undefined) {
    const name = resolutionName(stepMs);
    const otherwise = by === 'user' ? '' : `, or --resolution ${name} if candles are missing there`;
    throw await mixed(run, { ...steps, otherwise });
  }
  await refuseTwoSeries(database, { ...steps, conflictsMax: CONFLICTS_MAX * Number(rows) });
  const longer = await regularConflict(database, { ...steps, most });
  if (longer !== undefined) throw await mixed(longer, steps);
}

/** The first row that is no whole number of steps behind the one before. */
async function offStep(
  database: Database,
  { stepMs, ...rows }: CandleRows & { readonly stepMs: number },
): Promise<Readonly<Record<string, Cell>> | undefined> {
  const [first] = await database.rows(`SELECT time, step, row FROM (${stepsOf(rows)})
    WHERE step > 0 AND step % ${stepMs} <> 0 ORDER BY time LIMIT 1`);
  return first;
}

/** SQL for the different candles of a file: those of one time are in conflict. */
const different = (file: number): string => `(SELECT min(row) AS row, time FROM ${STAGED}
  WHERE file = ${file} GROUP BY time, open, high, low, close, volume)`;

/**
 * The first of many rows in conflict with others at equal steps, if their prices show that they are
 * candles of that length: rows that were fetched twice have equal steps too.
 */
async function regularConflict(
  database: Database,
  { file, stepMs, most }: Steps & { readonly most: string },
): Promise<Readonly<Record<string, Cell>> | undefined> {
  const conflicts = `SELECT time, max(row) AS row FROM ${different(file)}
    GROUP BY time HAVING count(*) > 1`;
  const [first] =
    await database.rows(`SELECT min(time) AS time, step, arg_min(row, time) AS row FROM
      (SELECT time, row, time - lag(time) OVER (ORDER BY time) AS step FROM (${conflicts}))
    WHERE step > ${stepMs} GROUP BY step
    HAVING count(*) >= ${most} AND count(*) * 2 > (SELECT count(*) FROM (${conflicts}))
    ORDER BY time LIMIT 1`);
  if (first === undefined) return undefined;
  const { longer, all } = await database.row(`SELECT count(*) AS all,
      count(*) FILTER (high >= highest AND low <= lowest) AS longer FROM
      (SELECT own.time, max(own.high) AS high, min(own.low) AS low,
          max(within.high) AS highest, min(within.low) AS lowest
        FROM (${conflicts}) AS conflict
        JOIN ${STAGED} AS own ON own.file = ${file} AND own.time = conflict.time
        JOIN ${STAGED} AS within ON within.file = ${file} AND within.time > conflict.time
          AND within.time < conflict.time + ${Number(first.step)}
        GROUP BY own.time)`);
  return Number(longer) * 2 > Number(all) ? first : undefined;
}

/** Refuses many rows that have the time of another row and other values. @throws {TypeError} */
async function refuseTwoSeries(
  database: Database,
  { conflictsMax, ...rows }: CandleRows & { readonly conflictsMax: number },
): Promise<void> {
  const { conflicts, row } = await database.row(`SELECT count(*) AS conflicts, min(row) AS row FROM
      (SELECT row, row_number() OVER (PARTITION BY time ORDER BY row) AS nth
        FROM ${different(rows.file)})
    WHERE nth > 1`);
  if (Number(conflicts) <= conflictsMax) return;
  const clashing = Number(conflicts) === 1 ? '1 row has' : `${conflicts} rows have`;
  throw new TypeError(
    `${clashing} the time of another row and other values, ` +
      `${await placeOf(Number(row), rows)} first: ` +
      'candles of one market and one resolution are wanted',
  );
}

async function mixed(
  other: Readonly<Record<string, Cell>>,
  steps: Steps & { readonly otherwise?: string },
): Promise<TypeError> {
  const { stepMs, by, otherwise = '' } = steps;
  // Between two days that begin by a clock with summer time an hour is missing or too many.
  const isClock = [-HOUR_MS, HOUR_MS].some((ms) => (Number(other.step) + ms) % stepMs === 0);
  const [what, wanted] =
    stepMs % DAY_MS === 0 && isClock
      ? ['its days keep summer time', 'dates without a time zone are wanted']
      : ['its resolutions are mixed', 'candles of one resolution are wanted'];
  const step = formatDuration(Number(other.step));
  const at = new Date(Number(other.time)).toISOString();
  const place = await placeOf(Number(other.row), steps);
  const usual = TOLD_BY[by](stepMs);
  return new TypeError(
    `${what}: ${usual}, those from ${place} (${at}) on ${step}; ${wanted}${otherwise}`,
  );
}

/** The step that most rows keep. */
function usualStep(rows: CandleRows): string {
  return `SELECT step FROM (${stepsOf(rows)})
    WHERE step > 0 GROUP BY step ORDER BY count(*) DESC, step LIMIT 1`;
}

function stepsOf({ file }: CandleRows): string {
  return `SELECT file, row, time, time - lag(time) OVER (ORDER BY time) AS step FROM ${STAGED}
    WHERE file = ${file}`;
}
