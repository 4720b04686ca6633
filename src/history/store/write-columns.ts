import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, withDatabase } from './database.ts';
import { identifier, literal, parquet } from './sql.ts';
import { doublesOf } from './vectors.ts';

/** Rows of one batch. Source: the size of DuckDB's own vectors. */
const BATCH_ROWS = 2_048;
/** Rows that are held in memory before they go to a file of their own. */
const PART_ROWS = 16_384;
/** Rows that are held in memory while those files become one. */
const GROUP_ROWS = 20_480;

/** A column: numbers, or texts of which null is an empty one. */
export type WrittenColumn = Float64Array | readonly (string | null)[];

/** Columns of one length, by name. */
export type WrittenColumns = { readonly [name: string]: WrittenColumn };

/**
 * Writes rows to a Parquet file; what is there is written over. They come some at a time, in columns
 * that all have the names and kinds of the first. Memory is that of some thousand rows.
 */
export async function writeColumns(file: string, blocks: Iterable<WrittenColumns>): Promise<void> {
  const folder = `${file}.parts`;
  mkdirSync(folder);
  try {
    await withDatabase(async (database) => {
      // Each thread holds rows of its own.
      await database.run('SET threads = 1');
      const [first, ...others] = await writeParts(database, { blocks, folder });
      if (others.length === 0) renameSync(first!, file);
      else await copy(database, { from: parquet([first!, ...others]), to: file });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Parts {
  readonly blocks: Iterable<WrittenColumns>;
  readonly folder: string;
}

/** Writes the rows to files, at least one, and gives their paths in the order of the rows. */
async function writeParts(database: Database, { blocks, folder }: Parts): Promise<string[]> {
  const files: string[] = [];
  let types: readonly string[] | undefined;
  let rows = 0;
  let isBegun = false;
  const end = async (): Promise<void> => {
    const to = join(folder, `${files.length}.parquet`);
    await copy(database, { from: 'written', to });
    await database.run('DROP TABLE written');
    files.push(to);
    rows = 0;
    isBegun = false;
  };
  for (const block of blocks) {
    types ??= columnTypes(block);
    if (!isBegun) await database.run(`CREATE TABLE written (${types.join(', ')})`);
    isBegun = true;
    const columns = Object.values(block);
    await append(database, columns);
    rows += columns[0]?.length ?? 0;
    if (rows >= PART_ROWS) await end();
  }
  if (isBegun) await end();
  return files;
}

function copy(
  database: Database,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  return database.run(`COPY (SELECT * FROM ${from}) TO ${literal(to)}
    (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${GROUP_ROWS})`);
}

function columnTypes(columns: WrittenColumns): string[] {
  return Object.entries(columns).map(([name, column]) => {
    return `${identifier(name)} ${column instanceof Float64Array ? 'DOUBLE' : 'VARCHAR'}`;
  });
}

async function append(database: Database, columns: readonly WrittenColumn[]): Promise<void> {
  const { DOUBLE, DuckDBDataChunk, VARCHAR } = await import('@duckdb/node-api');
  const appender = await database.connection.createAppender('written');
  const types = columns.map((column) => (column instanceof Float64Array ? DOUBLE : VARCHAR));
  const rows = columns[0]?.length ?? 0;
  for (let first = 0; first < rows; first += BATCH_ROWS) {
    const count = Math.min(BATCH_ROWS, rows - first);
    const chunk = DuckDBDataChunk.create(types, count);
    for (const [at, column] of columns.entries()) {
      const batch = column.slice(first, first + count);
      if (batch instanceof Float64Array) {
        doublesOf(chunk, at).set(batch);
        chunk.getColumnVector(at).flush();
      } else chunk.setColumnValues(at, batch);
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
