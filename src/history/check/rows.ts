import type { Database } from '../store/database.ts';
import { type Fault, type Finding, finding, PLACES_MAX } from './report.ts';

/** Rows that are wrong in the same way. */
export interface RowCheck {
  readonly fault: Fault;
  /** Condition on a row of the view `rows`. */
  readonly where: string;
  /** An expression of text that tells what is wrong. */
  readonly detail: string;
}

/** Checks rows one by one. */
export async function rowFindings(
  database: Database,
  checks: readonly RowCheck[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { fault, where, detail } of checks) {
    const { count } = await database.row(`SELECT count(*) AS count FROM rows WHERE ${where}`);
    const places = await placesOf(
      database,
      `SELECT time, ${detail} AS detail FROM rows WHERE ${where}`,
    );
    findings.push(...finding(fault, count, places));
  }
  return findings;
}

/** The first places of an answer with `time` and `detail`. */
export async function placesOf(database: Database, sql: string) {
  const rows = await database.rows(`SELECT * FROM (${sql}) ORDER BY time LIMIT ${PLACES_MAX}`);
  return rows.map(({ time, detail }) => ({ time: Number(time), detail: String(detail) }));
}

/** Rows that are equal to an earlier one in all of some columns. */
export async function duplicates(
  database: Database,
  columns: readonly string[],
): Promise<Finding[]> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const groups = `SELECT min(time) AS time, count(*) - 1 AS more FROM rows
    GROUP BY ${names} HAVING count(*) > 1`;
  const { count } = await database.row(`SELECT coalesce(sum(more), 0) AS count FROM (${groups})`);
  const places = await placesOf(
    database,
    `SELECT time, more || ' more of it' AS detail FROM (${groups})`,
  );
  return finding('duplicate', count, places);
}
