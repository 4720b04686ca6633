import type { DuckDBAppender, DuckDBDataChunk, DuckDBType } from '@duckdb/node-api';
import type { Database } from '../database.ts';
import { doublesOf } from '../vectors.ts';

/** Rows of one batch. Source: the size of DuckDB's own vectors. */
const BATCH_ROWS = 2_048;

/** What makes the batches of the library. */
interface ChunkMaker {
  create(types: readonly DuckDBType[], rowCount?: number): DuckDBDataChunk;
}

/** Appends rows of numbers to a table, a batch at a time, without an object a row. */
export class RowWriter {
  readonly #appender: DuckDBAppender;
  readonly #chunks: ChunkMaker;
  readonly #types: readonly DuckDBType[];
  readonly #columns: readonly Float64Array[];
  #rows = 0;

  private constructor(appender: DuckDBAppender, chunks: ChunkMaker) {
    this.#appender = appender;
    this.#chunks = chunks;
    this.#types = Array.from({ length: appender.columnCount }, (_, at) => appender.columnType(at));
    this.#columns = this.#types.map(() => new Float64Array(BATCH_ROWS));
  }

  /** A writer to a table all of whose columns are DOUBLE. */
  static async to(database: Database, table: string): Promise<RowWriter> {
    const { DuckDBDataChunk: chunks } = await import('@duckdb/node-api');
    return new RowWriter(await database.connection.createAppender(table), chunks);
  }

  /** The batch at hand, to be filled at `nextRow()`. */
  get columns(): readonly Float64Array[] {
    return this.#columns;
  }

  /** The index in the batch of the row that is written next. */
  nextRow(): number {
    if (this.#rows === BATCH_ROWS) this.#flush();
    return this.#rows++;
  }

  /** Writes what was appended up to now, for all to read. */
  flush(): void {
    this.#flush();
    this.#appender.flushSync();
  }

  /** Writes what is left. */
  close(): void {
    this.#flush();
    this.#appender.closeSync();
  }

  #flush(): void {
    if (this.#rows === 0) return;
    const chunk = this.#chunks.create(this.#types, this.#rows);
    for (const [at, column] of this.#columns.entries()) {
      doublesOf(chunk, at).set(column.subarray(0, this.#rows));
      chunk.getColumnVector(at).flush();
    }
    this.#appender.appendDataChunk(chunk);
    this.#rows = 0;
  }
}
