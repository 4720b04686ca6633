import { type Database, withDatabase } from './database.ts';
import { identifier, literal } from './sql.ts';
import { doublesOf } from './vectors.ts';

/** Rows of one batch. Source: the size of DuckDB's own vectors. */
const BATCH_ROWS = 2_048;

/** A column: numbers, or texts of which null is an empty one. */
export type WrittenColumn = Float64Array | readonly (string | null)[];

/** Columns of one length, by name. */
export type WrittenColumns = Readonly<Record<string, WrittenColumn>>;

/** Writes columns to a Parquet file; what is there is written over. */
export async function writeColumns(file: string, columns: WrittenColumns): Promise<void> {
  const named = Object.entries(columns);
  await withDatabase(async (database) => {
    const types = named.map(
      ([name, column]) =>
        `${identifier(name)} ${column instanceof Float64Array ? 'DOUBLE' : 'VARCHAR'}`,
    );
    await database.run(`CREATE TABLE written (${types.join(', ')})`);
    await append(
      database,
      named.map(([, column]) => column),
    );
    await database.run(`COPY written TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd)`);
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
