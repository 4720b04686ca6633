import { counted } from '../../kernel/index.ts';
import type { Database } from '../store/database.ts';
import { COLUMNS, type DatasetKind } from '../store/kinds.ts';
import { identifiers } from '../store/sql.ts';
import type { Finding } from './report.ts';
import { found } from './rows.ts';

/** What rows that may repeat each other have in common, and which columns are compared. */
interface Compared {
  readonly alike: string;
  readonly columns: readonly string[];
  /** Rows with the same key and other values are in conflict. Default: none are. */
  readonly key?: 'time' | 'id';
}

/** How rows of each kind are compared; those of depth are not. */
const COMPARED: { readonly [kind in DatasetKind]: Compared | undefined } = {
  candles: { alike: 'time', columns: COLUMNS.candles, key: 'time' },
  trades: { alike: 'hash(id)', columns: ['time', 'id', 'price', 'amount', 'side'], key: 'id' },
  quotes: { alike: `hash(${identifiers(COLUMNS.quotes)})`, columns: COLUMNS.quotes },
  depth: undefined,
};

/** The table of the few rows that may repeat others: they alone are compared in all columns. */
const ALIKE = 'alike';

/** Rows of a kind. */
export interface RowsToCompare {
  readonly kind: DatasetKind;
  /** SQL that names them. */
  readonly from: string;
}

/**
 * Finds equal rows, and rows with the time of another candle or the id of another trade but other
 * values. Equal trades without ids may both have happened.
 */
export async function repetitions(
  database: Database,
  { kind, from }: RowsToCompare,
): Promise<Finding[]> {
  const compared = COMPARED[kind];
  if (compared === undefined) return [];
  const { alike } = compared;
  const rows = kind === 'trades' ? `(FROM ${from} WHERE id IS NOT NULL)` : from;
  const { all, different } = await database.row(
    `SELECT count(*) AS all, count(DISTINCT ${alike}) AS different FROM ${rows}`,
  );
  if (all === different) return [];
  await database.run(`CREATE OR REPLACE TEMP TABLE ${ALIKE} AS SELECT * FROM ${rows}
    WHERE ${alike} IN (SELECT ${alike} FROM ${rows} GROUP BY ${alike} HAVING count(*) > 1)`);
  return [...(await duplicates(database, compared)), ...(await conflicts(database, compared))];
}

function duplicates(database: Database, { columns }: Compared): Promise<Finding[]> {
  return found(database, 'duplicate', {
    places: `SELECT min(time) AS time, count(*) - 1 AS more FROM ${ALIKE}
      GROUP BY ${identifiers(columns)} HAVING count(*) > 1`,
    each: 'more',
    detailOf: ({ more }) => `repeated ${counted(Number(more), 'time')}`,
  });
}

async function conflicts(database: Database, { columns, key }: Compared): Promise<Finding[]> {
  if (key === undefined) return [];
  return found(database, 'conflict', {
    places: `SELECT min(time) AS time, ${key} AS key, count(*) AS n FROM
      (SELECT DISTINCT ${identifiers(columns)} FROM ${ALIKE}) GROUP BY ${key} HAVING n > 1`,
    each: 'n - 1',
    detailOf: (row) =>
      key === 'time' ? `${row.n} different candles` : `id ${row.key} with other values`,
  });
}
