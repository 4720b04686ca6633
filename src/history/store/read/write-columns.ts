import { rmSync } from 'node:fs';
import type { ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { WRITTEN_PARQUET } from '../../written-parquet.ts';

/** Rows that are gathered in memory before they are written. */
const GROUP_ROWS = 16_384;

/** A column: numbers, or texts of which null is an empty one. */
export type WrittenColumn = Float64Array | readonly (string | null)[];

/** Columns of one length, by name. */
export type WrittenColumns = { readonly [name: string]: WrittenColumn };

/**
 * Writes rows to a Parquet file, in place of one that is there. All blocks need the columns of the
 * first, of the same kinds. Some thousand rows are in memory at a time.
 *
 * @throws what the file system throws; nothing is left then.
 */
export async function writeColumns(file: string, blocks: Iterable<WrittenColumns>): Promise<void> {
  let writer: ParquetWriter | undefined;
  try {
    for (const group of groupsOf(blocks)) {
      writer ??= await openWriter(file, group);
      // One page for each column: otherwise the writer looks value by value for where a page ends.
      await writer.write({ columnData: sourcesOf(group), rowGroupSize: GROUP_ROWS, pageSize: 0 });
    }
    await writer?.finish();
  } catch (thrown) {
    rmSync(file, { force: true });
    throw thrown;
  }
}

/** Takes a library without native code: a run that reads no Parquet need not load the database. */
async function openWriter(file: string, columns: WrittenColumns): Promise<ParquetWriter> {
  const { fileWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  return new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaFromColumnData({ columnData: sourcesOf(columns) }),
    ...WRITTEN_PARQUET,
  });
}

/** The columns as the writer takes them; a dictionary of numbers would cost time and save nothing. */
function sourcesOf(columns: WrittenColumns): ColumnSource[] {
  return Object.entries(columns).map(([name, column]) =>
    column instanceof Float64Array
      ? { name, data: column, type: 'DOUBLE', nullable: false, encoding: 'PLAIN' }
      : { name, data: column as (string | null)[], type: 'STRING', nullable: true },
  );
}

/** The rows of the blocks in larger groups; at least one group if there is a block. */
function* groupsOf(blocks: Iterable<WrittenColumns>): Generator<WrittenColumns> {
  let group: RowGroup | undefined;
  for (const block of blocks) {
    group ??= new RowGroup(block);
    for (let from = 0; from < rowsOf(block); ) {
      from += group.add(block, from);
      if (group.isFull) yield group.take();
    }
  }
  if (group?.isWanted === true) yield group.take();
}

/**
 * Gathers rows of some blocks in columns that are used again: a long file leaves no garbage behind.
 */
class RowGroup {
  readonly #columns: ReadonlyMap<string, Float64Array | (string | null)[]>;
  #length = 0;
  #isFirst = true;

  constructor(like: WrittenColumns) {
    const columns = Object.entries(like).map(
      ([name, column]) =>
        [name, column instanceof Float64Array ? new Float64Array(GROUP_ROWS) : []] as const,
    );
    this.#columns = new Map(columns);
  }

  get isFull(): boolean {
    return this.#length === GROUP_ROWS;
  }

  /** Whether it has rows, or would be the only one. */
  get isWanted(): boolean {
    return this.#length > 0 || this.#isFirst;
  }

  /** Takes rows of a block as far as there is room; returns how many. */
  add(block: WrittenColumns, from: number): number {
    const length = Math.min(rowsOf(block) - from, GROUP_ROWS - this.#length);
    for (const [name, part] of Object.entries(block)) {
      const column = this.#columns.get(name);
      if (column instanceof Float64Array && part instanceof Float64Array) {
        column.set(part.subarray(from, from + length), this.#length);
      } else if (Array.isArray(column) && Array.isArray(part)) {
        column.push(...part.slice(from, from + length));
      } else throw new TypeError(`Cannot write ${name}: a column of the first block is wanted`);
    }
    this.#length += length;
    return length;
  }

  /** The rows that were added since the last time; valid until more are added. */
  take(): WrittenColumns {
    const taken = Array.from(
      this.#columns,
      ([name, column]) =>
        [
          name,
          column instanceof Float64Array ? column.subarray(0, this.#length) : column.splice(0),
        ] as const,
    );
    this.#length = 0;
    this.#isFirst = false;
    return Object.fromEntries(taken);
  }
}

function rowsOf(block: WrittenColumns): number {
  return Object.values(block)[0]?.length ?? 0;
}
