import { createReadStream } from 'node:fs';
import { bare } from '../../csv.ts';
import type { Recognised, Table, TextOfRows } from '../../formats/table.ts';
import { linesOf } from '../../lines.ts';

/** Rows as they lie in a file. */
export interface RowsOfFile {
  readonly table: Table;
  /** The table's format, once it is known. */
  readonly recognised?: Recognised | undefined;
}

/** Where a row is: the line of a text, as an editor counts them; of other files the row, from 1. */
export async function placeOf(row: number, { table, recognised }: RowsOfFile): Promise<string> {
  const { text } = table;
  const line =
    text === undefined || recognised?.relation !== undefined ? undefined : await lineOf(row, text);
  return line === undefined ? `row ${row}` : `line ${line}`;
}

/** Row 0 is the line above the first row. */
async function lineOf(
  row: number,
  { file, above, heading }: TextOfRows,
): Promise<number | undefined> {
  let passed = -above;
  for await (const lines of linesOf(createReadStream(file), { isLoose: true })) {
    for (const { number, text } of lines) {
      if (passed >= 0 && bare(text) === heading) continue;
      if (++passed === row) return number;
    }
  }
  return undefined;
}
