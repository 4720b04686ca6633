import type { Cell, Database } from '../store/database.ts';
import { identifier } from '../store/sql.ts';
import { type Fault, type Finding, finding, numbersText, PLACES_MAX } from './report.ts';

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
    const cells = Object.entries(shown).map(([name, cell]) => `${cell} AS ${identifier(name)}`);
    const places = `SELECT time, ${cells.join(', ')} FROM rows WHERE ${where}`;
    const detailOf = (row: Row): string =>
      numbersText(Object.keys(shown).map((name) => [name, Number(row[name])]));
    findings.push(...(await found(database, fault, { places, detailOf })));
  }
  return findings;
}

/** A row of an answer. */
export type Row = Readonly<Record<string, Cell>>;

/** Places where something is wrong. */
interface Places {
  /** SQL of rows with `time`. */
  readonly places: string;
  /** An expression: how many rows are wrong at a place. Default: 1. */
  readonly each?: string;
  readonly detailOf: (row: Row) => string;
}

/** A fault with its first places, or none where there is no place. */
export async function found(
  database: Database,
  fault: Fault,
  { places, each = '1', detailOf }: Places,
): Promise<Finding[]> {
  const { count } = await database.row(`SELECT sum(${each}) AS count FROM (${places})`);
  if (count === null) return [];
  const first = await database.rows(`SELECT * FROM (${places}) ORDER BY time LIMIT ${PLACES_MAX}`);
  const firstPlaces = first.map((row) => ({ time: Number(row.time), detail: detailOf(row) }));
  return finding(fault, Number(count), firstPlaces);
}
