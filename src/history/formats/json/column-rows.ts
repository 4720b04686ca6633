import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KeyedFile, wholeObject } from './keyed-rows.ts';

/** How many lists side by side are taken for columns. */
export const COLUMNS_MIN = 3;

type Fields = Readonly<Record<string, unknown>>;

/** Rows of an object that holds a list for each column. */
export interface ColumnRows {
  /** A file that is a list of the rows. */
  readonly file: string;
  /** The whole object. */
  readonly around: Fields;
}

/**
 * Writes the rows of an object that holds a list for each column, all of one length, as answers for
 * charts do; undefined if it has no such lists.
 *
 * @throws {TypeError} when it is too big to be held in memory.
 */
export async function columnRows(file: KeyedFile): Promise<ColumnRows | undefined> {
  const around = await wholeObject(file);
  const columns = columnsIn(around);
  if (columns === undefined) return undefined;
  const [[, first = []] = []] = columns;
  const rows = first.map((_cell, at) =>
    JSON.stringify(Object.fromEntries(columns.map(([name, cells]) => [name, cells[at]]))),
  );
  const path = join(file.folder, 'rows.json');
  await writeFile(path, `[${rows.join(',\n')}]`);
  return { file: path, around };
}

type Column = readonly [name: string, cells: readonly unknown[]];

/** The columns of an object, or of the first within it that has some. */
function columnsIn(object: Fields): readonly Column[] | undefined {
  const columns = Object.entries(object).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  const lengths = new Set(columns.map(([, cells]) => cells.length));
  if (columns.length >= COLUMNS_MIN && lengths.size === 1) return columns;
  const inner = Object.values(object).filter((value): value is Fields => isObject(value));
  return inner.map(columnsIn).find((found) => found !== undefined);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
