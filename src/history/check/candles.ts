import { counted, formatDuration } from '../../kernel/index.ts';
import type { Database } from '../store/database.ts';
import { repetitions } from './repetitions.ts';
import type { Finding } from './report.ts';
import { found, rowFindings } from './rows.ts';
import { longerRuns } from './step-runs.ts';

const CHECKS = [
  {
    fault: 'zero price',
    where: 'least(open, high, low, close) <= 0',
    shown: { 'lowest price': 'least(open, high, low, close)' },
  },
  { fault: 'crossed', where: 'high < low', shown: { high: 'high', low: 'low' } },
  {
    fault: 'outside',
    where:
      'high >= low AND (greatest(open, close) > high OR least(open, close) < low OR volume < 0)',
    shown: { open: 'open', high: 'high', low: 'low', close: 'close', volume: 'volume' },
  },
] as const;

/** The condition for an impossible candle. */
export const IMPOSSIBLE = CHECKS.map(({ where }) => `(${where})`).join(' OR ');

/** Faults of candles, and the share of their time in which there is a candle. */
export async function candleFindings(
  database: Database,
  stepMs: number,
): Promise<{ readonly findings: readonly Finding[]; readonly coverage: number }> {
  const place = `((time % ${stepMs} + ${stepMs}) % ${stepMs})`;
  const phase = `${place} - (SELECT mode(${place}) FROM rows)`;
  await database.run(`CREATE VIEW grid AS SELECT DISTINCT time FROM rows WHERE ${phase} = 0`);
  const span = await database.row(`SELECT count(*) AS times,
    (max(time) - min(time)) / ${stepMs} + 1 AS slots FROM grid`);
  const findings = [
    ...(await gaps(database, stepMs)),
    ...(await mixed(database, { stepMs, count: Number(span.times) })),
    ...(await offGrid(database, { phase, stepMs })),
    ...(await repetitions(database, { kind: 'candles', from: 'rows' })),
    ...(await rowFindings(database, CHECKS)),
  ];
  return { findings, coverage: Number(span.times) / Number(span.slots) };
}

function gaps(database: Database, stepMs: number): Promise<Finding[]> {
  return found(database, 'gap', {
    places: `SELECT before + ${stepMs} AS time, (time - before) / ${stepMs} - 1 AS missing
      FROM (SELECT time, lag(time) OVER (ORDER BY time) AS before FROM grid)
      WHERE time - before > ${stepMs}`,
    each: 'missing',
    detailOf: ({ missing }) => counted(Number(missing), 'candle'),
  });
}

/** Candles that may be longer ones: an import takes a few for gaps. */
function mixed(
  database: Database,
  { stepMs, count }: { readonly stepMs: number; readonly count: number },
): Promise<Finding[]> {
  const steps = `SELECT time, 0 AS file, 0 AS row, time - lag(time) OVER (ORDER BY time) AS step
    FROM grid`;
  return found(database, 'mixed', {
    places: longerRuns(steps, { stepMs, count }),
    each: 'run',
    detailOf: ({ run, step }) =>
      `${run} candles, each ${formatDuration(Number(step))} behind the one before`,
  });
}

/** Candles beside the grid that most keep, as some venues give them. */
function offGrid(
  database: Database,
  { phase, stepMs }: { readonly phase: string; readonly stepMs: number },
): Promise<Finding[]> {
  return found(database, 'off grid', {
    places: `SELECT DISTINCT time, (${phase} + ${stepMs}) % ${stepMs} AS late FROM rows
      WHERE ${phase} <> 0`,
    detailOf: ({ late }) => `begins ${formatDuration(Number(late))} late`,
  });
}
