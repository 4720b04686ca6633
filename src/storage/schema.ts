import type { DatabaseFile, Row } from './disk.ts';
import { StorageError } from './errors.ts';
import { MARKET_DATA_KINDS } from './line.ts';

/** Marks a database as a journal of Tradewind: "TWJ1" in ASCII. */
const APPLICATION_ID = 0x54_57_4a_31;
/** The newest form of the tables. */
const SCHEMA_VERSION = 2;

/** Where market data is left out: with these words alone SQLite uses the index on kinds. */
export const NOT_MARKET_DATA: string = `kind NOT IN (${quotedList(MARKET_DATA_KINDS)})`;

/**
 * `events.id` grows without holes within a run, from the run's `firstEvent`; only pruning takes some
 * out. `orders` points to the event that holds the newest state. `departures` holds the lines of
 * orders that were about to leave and are not among the events yet.
 */
const TABLES = `
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started REAL NOT NULL,
    configHash TEXT NOT NULL,
    firstEvent INTEGER NOT NULL,
    pruned INTEGER NOT NULL DEFAULT 0,
    ended REAL,
    events INTEGER,
    hash TEXT
  );
  CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    time REAL NOT NULL,
    kind TEXT NOT NULL,
    market TEXT,
    body TEXT NOT NULL,
    hash TEXT NOT NULL
  );
  CREATE INDEX eventsByKind ON events (kind) WHERE ${NOT_MARKET_DATA};
  CREATE TABLE orders (
    clientOrderId TEXT PRIMARY KEY,
    final INTEGER NOT NULL,
    event INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE departures (
    id INTEGER PRIMARY KEY,
    time REAL NOT NULL,
    body TEXT NOT NULL
  );
`;

/** The first row of a question, undefined when there is none. */
export function firstRow(file: DatabaseFile, sql: string): Row | undefined {
  // A question is read to its end, so that no read transaction stays open behind it.
  return [...file.prepare(sql).iterate()][0];
}

/**
 * Makes sure that a file holds the journal's tables: makes them in an empty one.
 *
 * @throws {StorageError} when the file is of another program or of a newer version.
 */
export function prepareSchema(file: DatabaseFile, path: string): void {
  if (firstRow(file, 'SELECT 1 FROM sqlite_schema') === undefined) {
    file.execute(`BEGIN IMMEDIATE; ${TABLES}
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${SCHEMA_VERSION};
      COMMIT`);
  }
  checkSchema(file, path);
}

/** @throws {StorageError} when the file is no journal of this version. */
export function checkSchema(file: DatabaseFile, path: string): void {
  const application = firstRow(file, 'PRAGMA application_id')?.application_id;
  const version = firstRow(file, 'PRAGMA user_version')?.user_version;
  if (application === APPLICATION_ID && version === SCHEMA_VERSION) return;
  const is =
    application === APPLICATION_ID
      ? `its version is ${version}, ${SCHEMA_VERSION}`
      : 'it is no journal, one of Tradewind';
  throw new StorageError(`Cannot open the journal ${path}: ${is} is wanted`);
}

/** Words as SQL writes them in a list. */
export function quotedList(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join();
}
