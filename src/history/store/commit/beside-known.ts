import { type Dataset, rowsOf } from '../catalogue.ts';
import type { Database } from '../database.ts';
import type { DatasetKind } from '../kinds.ts';
import type { ImportedSource } from '../manifest.ts';
import { STAGED } from '../staging/staging.ts';

/** Which staged rows lie before (`ahead`) and after a dataset's, as conditions of SQL. */
export interface BesideKnown {
  readonly ahead: string;
  readonly behind: string;
  /** Which rows of the dataset stay. Default: all. */
  readonly kept?: string;
}

/** The staged rows that a dataset has already, by file and row. */
const KNOWN = 'known_rows';

/** Columns that tell rows of one instant apart. Candles have one row, depth keeps its order. */
const VALUES: { readonly [kind in DatasetKind]?: string } = {
  trades: 'price, amount',
  quotes: 'bid, "bidAmount", ask, "askAmount"',
};

/** Staged rows of files, and the dataset that they join. */
interface Joining {
  readonly before: Dataset;
  readonly kind: DatasetKind;
  readonly sources: readonly ImportedSource[];
}

/**
 * The staged rows before and after a dataset. Its first and last instant may be split between two
 * files: trades and quotes of these are added if the dataset does not have them.
 */
export async function besideKnown(
  database: Database,
  { before, kind, sources }: Joining,
): Promise<BesideKnown> {
  const { firstTime: first, lastTime: last } = before;
  const apart = { ahead: `time < ${first}`, behind: `time > ${last}` };
  if (VALUES[kind] === undefined) return apart;
  const edges = `time IN (${first}, ${last})`;
  const old = `${rowsOf(before)} WHERE ${edges}`;
  const toldSides = [...before.sources, ...sources].every((source) => source.toldSides);
  const alike = await alikeBy(database, { kind, old, edges, toldSides });
  const nth = (order: string): string =>
    `row_number() OVER (PARTITION BY time, ${alike} ${order}) AS nth`;
  await database.run(`CREATE OR REPLACE TABLE ${KNOWN} AS SELECT file, row FROM
      (SELECT *, ${nth('ORDER BY file, row')} FROM ${STAGED} WHERE ${edges})
    SEMI JOIN (SELECT *, ${nth('')} FROM ${old}) USING (time, ${alike}, nth)`);
  const isNew = `(file, row) NOT IN (SELECT (file, row) FROM ${KNOWN})`;
  return {
    ahead: first === last ? apart.ahead : `(${apart.ahead} OR (time = ${first} AND ${isNew}))`,
    behind: `(${apart.behind} OR (time = ${last} AND ${isNew}))`,
  };
}

interface Edges {
  readonly kind: DatasetKind;
  readonly old: string;
  readonly edges: string;
  readonly toldSides: boolean;
}

/**
 * The columns in which equal rows agree. For trades their ids if all have one; sides only if all
 * were told, because inferred ones follow from the rows before, which differ from file to file.
 */
async function alikeBy(
  database: Database,
  { kind, old, edges, toldSides }: Edges,
): Promise<string> {
  const values = VALUES[kind]!;
  if (kind !== 'trades') return values;
  const { missing } = await database.row(`SELECT count(*) FILTER (id IS NULL) AS missing FROM
    (SELECT id FROM ${old} UNION ALL SELECT id FROM ${STAGED} WHERE ${edges})`);
  if (Number(missing) === 0) return 'id';
  return toldSides ? `${values}, side` : values;
}
