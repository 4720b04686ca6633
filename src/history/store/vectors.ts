import type { DuckDBDataChunk } from '@duckdb/node-api';
import { assert } from '../../kernel/index.ts';

/**
 * The numbers of a DOUBLE column of a chunk, without a copy: valid as long as the chunk is.
 *
 * The library keeps them in a field that its types call private, and offers them one by one, boxed.
 * A million rows a second need the whole array, so the field is read and its type is checked.
 */
export function doublesOf(chunk: DuckDBDataChunk, column: number): Float64Array {
  const items: unknown = Reflect.get(chunk.getColumnVector(column), 'items');
  assert(items instanceof Float64Array, `column ${column} is not of numbers`);
  return items;
}
