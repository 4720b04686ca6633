import type { DatabaseFile, Row } from './disk.ts';
import { StorageError } from './errors.ts';
import { kindSetOf, MARKET_DATA, RECALLED } from './kind-set.ts';

/** Marks a database as a journal of Tradewind: "TWJ1" in ASCII. */
export const APPLICATION_ID = 0x54_57_4a_31;
/** The words for a file that is something else. */
export const NO_JOURNAL = 'it is no journal, one of Tradewind is wanted';
/** SQLite's result code for a file that is no database. Source: sqlite.org/rescode.html. */
const SQLITE_NOTADB = 26;
/** The version of the tables. */
const SCHEMA_VERSION = 3;

/** The marks in `orders.final`: live, over, over with a guessed fee. */
export const LIVE = 0;
export const OVER = 1;
export const GUESSED = 2;

/** Conditions of the partial indexes: SQLite uses them only for queries with these very words. */
export const IS_RECALLED = `kinds & ${RECALLED} <> 0`;
export const HAS_MARKET_DATA = `kinds & ${MARKET_DATA} <> 0`;
/** The set of kinds in the index's name before adjustments were recalled. */
const RECALLED_BEFORE = kindSetOf(['fill', 'lateFee', 'tradingState']);

/**
 * A chunk holds the lines of one write, separated by line feeds; a line that was pruned is empty.
 * `first` is the place of its first line in the run, from 1; `kinds` the set of their kinds;
 * `since` and `until` the times of the oldest and the newest; `requests` the times of the requests
 * among them as JSON. `orders` holds the line of each order's newest state, and its mark in
 * `final`.
 */
const TABLES = `
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started REAL NOT NULL,
    configHash TEXT NOT NULL,
    pruned INTEGER NOT NULL DEFAULT 0,
    ended REAL,
    events INTEGER,
    hash TEXT,
    basis TEXT
  );
  CREATE TABLE chunks (
    run INTEGER NOT NULL,
    first INTEGER NOT NULL,
    kinds INTEGER NOT NULL,
    since REAL NOT NULL,
    until REAL NOT NULL,
    marketDataHash TEXT NOT NULL,
    othersHash TEXT NOT NULL,
    requests TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (run, first)
  );
  CREATE TABLE orders (
    clientOrderId TEXT PRIMARY KEY,
    final INTEGER NOT NULL,
    run INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX liveOrders ON orders (run, sequence) WHERE final = ${LIVE};
`;

/**
 * The indexes that a restart and the pruning of old market data use; older files get them when they
 * are next written. The name of `recalled` has its set of kinds, so that one of another set is
 * replaced.
 */
const INDEXES = `
  DROP INDEX IF EXISTS recalled;
  DROP INDEX IF EXISTS recalled${RECALLED_BEFORE};
  CREATE INDEX IF NOT EXISTS recalled${RECALLED} ON chunks (run, first) WHERE ${IS_RECALLED};
  CREATE INDEX IF NOT EXISTS marketData ON chunks (until) WHERE ${HAS_MARKET_DATA};
  CREATE INDEX IF NOT EXISTS guessedOrders ON orders (run, sequence) WHERE final = ${GUESSED};
`;

/**
 * Snapshots of the state that follows from all events up to one place, so that a reader can go on
 * from there: the last of each day. `until` is the time of the newest of those events that matter.
 * Older files get the table when they are next written.
 */
const SNAPSHOTS = `
  CREATE TABLE IF NOT EXISTS snapshots (
    day INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    until REAL NOT NULL,
    body TEXT NOT NULL
  );
`;

/** What a run depended on; older files get the column when they are next written. */
const BASIS = 'ALTER TABLE runs ADD COLUMN basis TEXT';

/** The first row of a query; undefined if there is none. */
export function firstRow(file: DatabaseFile, sql: string): Row | undefined {
  // The query is read to its end, so that no read transaction stays open.
  return [...file.prepare(sql).iterate()][0];
}

/**
 * Makes sure that a file holds the journal's tables: makes them in an empty one.
 *
 * @throws {StorageError} when the file is of another program or of another version.
 */
export function prepareSchema(file: DatabaseFile, path: string): void {
  if (firstRow(file, 'SELECT 1 FROM sqlite_schema') === undefined) {
    file.execute(`BEGIN IMMEDIATE; ${TABLES}
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${SCHEMA_VERSION};
      COMMIT`);
  }
  checkSchema(file, path);
  file.execute(SNAPSHOTS);
  if (!hasBasis(file)) file.execute(BASIS);
  file.execute(INDEXES);
}

/** Whether the file has a table for snapshots. */
export function hasSnapshots(file: DatabaseFile): boolean {
  return firstRow(file, "SELECT 1 FROM sqlite_schema WHERE name = 'snapshots'") !== undefined;
}

function hasBasis(file: DatabaseFile): boolean {
  const sql = "SELECT 1 FROM pragma_table_info('runs') WHERE name = 'basis'";
  return firstRow(file, sql) !== undefined;
}

/** The application id and the version in the file; empty if it is no database. */
function marksOf(file: DatabaseFile): readonly unknown[] {
  try {
    const marks = ['application_id', 'user_version'] as const;
    return marks.map((mark) => firstRow(file, `PRAGMA ${mark}`)?.[mark]);
  } catch (thrown) {
    if (thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_NOTADB)
      return [];
    throw thrown;
  }
}

/** @throws {StorageError} when the file is no journal of this version. */
export function checkSchema(file: DatabaseFile, path: string): void {
  const [application, version] = marksOf(file);
  if (application === APPLICATION_ID && version === SCHEMA_VERSION) return;
  const is =
    application === APPLICATION_ID
      ? `its version is ${version}, ${SCHEMA_VERSION} is wanted`
      : NO_JOURNAL;
  throw new StorageError(`Cannot open the journal ${path}: ${is}`);
}
