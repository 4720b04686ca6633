import { join } from 'node:path';
import type { Batch, Field, Table } from '@uwdata/flechette';
import { type ColumnSource, fileWriter, ParquetWriter } from 'hyparquet-writer';
import { WRITTEN_PARQUET } from '../../written-parquet.ts';
import type { Unpacking } from '../unzip.ts';
import { arrowBatches, orDamaged } from './batches.ts';
import { type Cells, cellsOf } from './cells.ts';
import { checkTexts } from './texts.ts';

/** Rows written at once: a batch may hold all rows of a file. */
const GROUP_ROWS = 65_536;

/** Rows of Arrow as the database can read them. */
export interface RewrittenRows {
  /** A file of Parquet; its columns are `c0`, `c1`, ... */
  readonly file: string;
  /** The columns' names as they stand in Arrow. */
  readonly headings: readonly string[];
}

/**
 * Writes the rows of an Arrow file into a folder, as Parquet; undefined when there is none.
 *
 * @throws {TypeError} when the file breaks off or is damaged.
 */
export async function rewriteArrow(
  arrow: string,
  { folder, signal }: Unpacking,
): Promise<RewrittenRows | undefined> {
  const file = join(folder, 'rows.parquet');
  let open: { readonly writer: ParquetWriter; readonly fields: readonly Field[] } | undefined;
  for await (const table of arrowBatches(arrow, { signal })) {
    const { fields } = table.schema;
    open ??= { writer: writerTo(file, fields), fields };
    const { writer } = open;
    await orDamaged(() => writeBatch(writer, table));
  }
  if (open === undefined) return undefined;
  await open.writer.finish();
  return { file, headings: open.fields.map(({ name }) => name) };
}

function writerTo(file: string, fields: readonly Field[]): ParquetWriter {
  const elements = fields.map(({ type }, at) => ({
    ...cellsOf(type).element,
    ...{ name: `c${at}`, repetition_type: 'OPTIONAL' as const },
  }));
  return new ParquetWriter({
    writer: fileWriter(file),
    schema: [{ name: 'root', num_children: elements.length }, ...elements],
    ...WRITTEN_PARQUET,
  });
}

/**
 * @throws {RangeError | TypeError} when a column is shorter than it says, or its values are broken.
 */
async function writeBatch(writer: ParquetWriter, { schema, children, numRows }: Table) {
  const columns = children.flatMap(({ data }, at) =>
    data.map((batch) => ({ batch, cells: cellsOf(schema.fields[at]!.type) })),
  );
  for (const { batch } of columns) {
    if (batch.length !== numRows) throw new RangeError(`a column has ${batch.length} rows`);
    checkTexts(batch);
  }
  for (let from = 0; from < numRows; from += GROUP_ROWS) {
    const to = Math.min(from + GROUP_ROWS, numRows);
    const columnData = columns.map((column, at): ColumnSource => {
      return { name: `c${at}`, data: valuesOf(column, { from, to }) };
    });
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
  }
}

function valuesOf(
  { batch, cells: { of } }: { readonly batch: Batch<unknown>; readonly cells: Cells },
  { from, to }: { readonly from: number; readonly to: number },
): ColumnSource['data'] {
  const values = batch.slice(from, to) as ColumnSource['data'];
  if (values.length !== to - from) throw new RangeError('a column ends before its last row');
  if (of === undefined) return values;
  return Array.from(values as readonly unknown[], (value) => {
    if (value === undefined) throw new RangeError('a value is in no dictionary');
    return value === null ? null : of(value);
  });
}
