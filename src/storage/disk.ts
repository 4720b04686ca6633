import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { placeOf } from './place.ts';

/** What a column holds. */
export type SqlValue = string | number | Uint8Array | null;
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

/** An open text file that grows until it is emptied. Throws as a database file does. */
export interface LogFile {
  /** The text is with the operating system when this returns: a kill of the process spares it. */
  append(text: string): void;
  /** What was appended survives a loss of power when this returns. */
  sync(): void;
  empty(): void;
  close(): void;
}

/** The disk as a port: tests hand in one that lies. */
export interface Disk {
  open(path: string, mode: OpenMode): DatabaseFile;
  openLog(path: string): LogFile;
  /** The one name of a place, by which files beside it are called: links may lead to it. */
  placeOf(path: string): string;
  /** What a log holds; nothing where there is none. */
  readLog(path: string): string;
}

/** What a text to append has room in at least, bytes. */
const LOG_BYTES = 4_096;
/** The most bytes of UTF-8 that a unit of a string takes. */
const UNIT_BYTES_MAX = 3;

/** The machine's own disk: SQLite and plain files. No folder is made: whoever picks a path does. */
export const machineDisk: Disk = {
  open: (path, { readOnly = false, waitMs }) => {
    const log = `${placeOf(path)}-wal`;
    const isLogThere = existsSync(log);
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
      close: () => {
        database.close();
        const left = statSync(log, { throwIfNoEntry: false });
        // What stands in one that was there, as after a crash, is not ours to bring in.
        if (readOnly && left && (!isLogThere || left.size === 0)) tidyUp(path);
      },
    };
  },
  openLog: (path) => {
    const file = openSync(path, 'a');
    let bytes = Buffer.allocUnsafeSlow(LOG_BYTES);
    return {
      append: (text) => {
        // Bytes at hand: Node makes room for each text that it writes as one.
        const most = UNIT_BYTES_MAX * text.length;
        if (most > bytes.length) bytes = Buffer.allocUnsafeSlow(most);
        const length = bytes.write(text);
        const written = writeSync(file, bytes, 0, length);
        if (written < length) throw new Error('the disk took a part only');
      },
      sync: () => fdatasyncSync(file),
      empty: () => ftruncateSync(file),
      close: () => closeSync(file),
    };
  },
  placeOf,
  readLog: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
};

/**
 * Takes away what readers have laid beside a database in write-ahead mode (`-wal`, `-shm`): SQLite
 * does so as the last connection closes, where that one may write. While another has it open, in
 * this process or in another, all stays.
 */
function tidyUp(path: string): void {
  try {
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      // Nothing is opened before something is read.
      database.prepare('SELECT 1 FROM sqlite_schema').all();
    } finally {
      database.close();
    }
  } catch {
    // Who may not write there, or comes upon a writer, leaves it as it is.
  }
}
