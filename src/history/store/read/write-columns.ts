import { rmSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import type { ColumnSource, ParquetWriter } from 'hyparquet-writer';

/** Rows that are held in memory before they are written. */
const GROUP_ROWS = 8_192;

/** A column: numbers, or texts of which null is an empty one. */
export type WrittenColumn = Float64Array | readonly (string | null)[];

/** Columns of one length, by name. */
export type WrittenColumns = { readonly [name: string]: WrittenColumn };

/**
 * Writes rows to a Parquet file; what is there is written over. They come some at a time, in columns
 * that all have the names and kinds of the first. Memory is that of some thousand rows.
 *
 * @throws what the file system throws; nothing is left then.
 */
export async function writeColumns(file: string, blocks: Iterable<WrittenColumns>): Promise<void> {
  let writer: ParquetWriter | undefined;
  try {
    for (const group of groupsOf(blocks)) {
      writer ??= await openWriter(file, group);
      await writer.write({ columnData: sourcesOf(group), rowGroupSize: GROUP_ROWS });
    }
    await writer?.finish();
  } catch (thrown) {
    rmSync(file, { force: true });
    throw thrown;
  }
}

/** A library without native code: a run that reads no Parquet need not load the database for it. */
async function openWriter(file: string, columns: WrittenColumns): Promise<ParquetWriter> {
  const { fileWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  return new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaFromColumnData({ columnData: sourcesOf(columns) }),
    // Nobody asks the file for a part of its rows.
    statistics: false,
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
  });
}

/** The columns as the writer takes them; a dictionary of numbers would cost time and save nothing. */
function sourcesOf(columns: WrittenColumns): ColumnSource[] {
  return Object.entries(columns).map(([name, column]) =>
    column instanceof Float64Array
      ? { name, data: column, type: 'DOUBLE', nullable: false, encoding: 'PLAIN' }
      : { name, data: [...column], type: 'STRING', nullable: true },
  );
}

/** The rows of the blocks, many at a time; at least one group, if there is a block. */
function* groupsOf(blocks: Iterable<WrittenColumns>): Generator<WrittenColumns> {
  let waiting: WrittenColumns[] = [];
  let rows = 0;
  for (const block of blocks) {
    waiting.push(block);
    rows += Object.values(block)[0]?.length ?? 0;
    if (rows < GROUP_ROWS) continue;
    yield joined(waiting);
    waiting = [];
    rows = 0;
  }
  if (waiting.length > 0) yield joined(waiting);
}

function joined(blocks: readonly WrittenColumns[]): WrittenColumns {
  const names = Object.keys(blocks[0]!);
  const columns = names.map((name) => [name, joinedColumn(blocks.map((block) => block[name]!))]);
  return Object.fromEntries(columns) as WrittenColumns;
}

function joinedColumn(parts: readonly WrittenColumn[]): WrittenColumn {
  if (!(parts[0] instanceof Float64Array)) return (parts as readonly (string | null)[][]).flat();
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts as readonly Float64Array[]) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
