import { availableParallelism } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Interruptible } from './interruption.ts';
import { MACROS } from './macros.ts';
import { literal } from './sql.ts';

/** A cell of an answer. */
export type Cell = string | number | boolean | bigint | null;

/** A database in memory that spills into a folder: for one import, one scan, one question. */
export interface Database {
  readonly connection: DuckDBConnection;
  run(sql: string): Promise<void>;
  /** The rows of an answer that is known to be short. */
  rows(sql: string): Promise<Readonly<Record<string, Cell>>[]>;
  /** The only row of an answer. */
  row(sql: string): Promise<Readonly<Record<string, Cell>>>;
}

export interface DatabaseOptions extends Interruptible {
  /** A folder for what does not fit into memory. Default: everything must fit. */
  readonly spillFolder?: string | undefined;
}

/** Memory beyond which a sort or a join goes to disk. */
const MEMORY_MAX = '256MB';
/** Each thread keeps a part of that memory: with 32 of them a long sort has too little. */
const THREADS_MAX = 4;

/** Does work with a database, which is then closed. @throws also when the work is told to stop. */
export async function withDatabase<T>(
  work: (database: Database) => Promise<T>,
  options: DatabaseOptions = {},
): Promise<T> {
  const database = await openDatabase(options);
  const interrupt = (): void => database.connection.interrupt();
  options.signal?.addEventListener('abort', interrupt);
  try {
    return await work(database);
  } finally {
    options.signal?.removeEventListener('abort', interrupt);
    database.close();
  }
}

/** Opens a database, which the caller closes. */
export async function openDatabase({
  spillFolder = '',
  signal,
}: DatabaseOptions = {}): Promise<Database & { close(): void }> {
  // Most commands open no database and need not wait for the library.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const threads = String(Math.min(availableParallelism(), THREADS_MAX));
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: MEMORY_MAX, threads });
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  // No extension is fetched: what is needed is built in, and a bot's machine may be offline.
  await connection.run('SET autoinstall_known_extensions = false');
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`SET temp_directory = ${literal(spillFolder)}`);
  for (const macro of MACROS) await connection.run(macro);
  return { ...databaseOf(connection, signal), close };
}

function databaseOf(connection: DuckDBConnection, signal: AbortSignal | undefined): Database {
  const rows = async (sql: string): Promise<Record<string, Cell>[]> => {
    // A running query gets interrupted; this keeps the next one from beginning.
    signal?.throwIfAborted();
    const reader = await connection.runAndReadAll(sql);
    const names = reader.columnNames();
    return reader
      .getRows()
      .map((row) => Object.fromEntries(row.map((cell, at) => [names[at]!, cell as Cell])));
  };
  return {
    connection,
    rows,
    run: async (sql) => {
      signal?.throwIfAborted();
      await connection.run(sql);
    },
    row: async (sql) => (await rows(sql))[0]!,
  };
}
