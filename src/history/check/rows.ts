import type { Cell, Database } from '../store/database.ts';
import { identifier } from '../store/sql.ts';
import {
  type Fault,
  type FaultPlace,
  type Finding,
  finding,
  numbersText,
  PLACES_MAX,
} from './report.ts';

/** Rows that are wrong in the same way. */
export interface RowCheck {
  readonly fault: Fault;
  /** Condition on a row of the view `rows`. */
  readonly where: string;
  /** Expressions of the numbers that tell what is wrong, by name. */
  readonly shown: Readonly<Record<string, string>>;
}

/** Checks rows one by one. */
export async function rowFindings(
  database: Database,
  checks: readonly RowCheck[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { fault, where, shown } of checks) {
    const { count } = await database.row(`SELECT count(*) AS count FROM rows WHERE ${where}`);
    const cells = Object.entries(shown).map(([name, cell]) => `${cell} AS ${identifier(name)}`);
    const found = `SELECT time, ${cells.join(', ')} FROM rows WHERE ${where}`;
    const places = await placesOf(database, found, (row) =>
      numbersText(Object.keys(shown).map((name) => [name, Number(row[name])])),
    );
    findings.push(...finding(fault, count, places));
  }
  return findings;
}

/** A row of an answer. */
export type Row = Readonly<Record<string, Cell>>;

/** The first places of an answer with `time`. `detailOf`: Default: its column `detail`. */
export async function placesOf(
  database: Database,
  sql: string,
  detailOf: (row: Row) => string = ({ detail }) => String(detail),
): Promise<FaultPlace[]> {
  const rows = await database.rows(`SELECT * FROM (${sql}) ORDER BY time LIMIT ${PLACES_MAX}`);
  return rows.map((row) => ({ time: Number(row.time), detail: detailOf(row) }));
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
