import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { refuseCutShort } from './database-header.ts';
import { openToRead } from './open-to-read.ts';
import { placeOf } from './place.ts';

/** A value of a column. */
export type SqlValue = string | number | Uint8Array | null;
export type Row = Readonly<Record<string, unknown>>;

/** One prepared statement. */
export interface Statement {
  run(...values: SqlValue[]): void;
  iterate(...values: SqlValue[]): Iterable<Row>;
}

/** One open database file. Every method throws when the disk fails. */
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

/** An open text file that grows until it is emptied. Throws as a database file does. */
export interface LogFile {
  /**
   * Hands text, as bytes, to the operating system: from then on it survives a kill of the process.
   */
  append(text: Uint8Array): void;
  /** When this returns, all that was appended survives a loss of power. */
  sync(): void;
  empty(): void;
  close(): void;
}

/** The disk as a port: tests hand in one that lies. */
export interface Disk {
  open(path: string, mode: OpenMode): DatabaseFile;
  openLog(path: string): LogFile;
  /** The real path behind any links; the files beside it are named after this one. */
  placeOf(path: string): string;
  /** The text of a log; empty if there is none. */
  readLog(path: string): string;
}

/** The machine's own disk: SQLite and plain files. Makes no folders: that is left to the caller. */
export const machineDisk: Disk = {
  open: (path, { readOnly = false, waitMs }) => {
    const { database, close } = readOnly ? openToRead(path, waitMs) : openToWrite(path, waitMs);
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
      close,
    };
  },
  openLog: (path) => {
    const file = openSync(path, 'a');
    return {
      append: (text) => {
        const written = writeSync(file, text);
        if (written < text.length) throw new Error('the disk took a part only');
      },
      sync: () => fdatasyncSync(file),
      empty: () => ftruncateSync(file),
      close: () => closeSync(file),
    };
  },
  placeOf,
  readLog: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
};

function openToWrite(path: string, waitMs: number) {
  // As an absolute path: SQLite does not take `:memory:` and `file:...` for names of files.
  refuseCutShort(placeOf(path));
  const database = new DatabaseSync(resolve(path), { timeout: waitMs });
  return { database, close: () => database.close() };
}
