import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What a column holds. */
export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** One prepared statement. */
export interface Statement {
  run(...values: SqlValue[]): void;
  iterate(...values: SqlValue[]): Iterable<Row>;
}

/** One open database file. Everything throws when the disk does not do as it is told. */
export interface DatabaseFile {
  execute(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** How a file is opened. */
export interface OpenMode {
  /** Default: false. */
  readonly readOnly?: boolean;
  /** How long to wait for another's lock, milliseconds. */
  readonly waitMs: number;
}

/** The disk as a port: tests hand in one that lies. */
export interface Disk {
  open(path: string, mode: OpenMode): DatabaseFile;
}

/** The machine's own disk, by SQLite. Folders that are missing are made. */
export const sqliteDisk: Disk = {
  open: (path, { readOnly = false, waitMs }) => {
    if (!readOnly) mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path, { readOnly, timeout: waitMs });
    return {
      execute: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        return {
          run: (...values) => {
            statement.run(...values);
          },
          iterate: (...values) => statement.iterate(...values),
        };
      },
      close: () => database.close(),
    };
  },
};
