import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDate } from '../table.ts';
import { BROKEN_OFF, parsed } from './split-object.ts';

/** Most bytes of an object that is turned into rows: it is held in memory. */
const BYTES_MAX = 67_108_864;
/** The heading for keys of rows, as pandas calls an index without a name. */
export const INDEX = 'index';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The beginning of an object of objects, the first of which holds no other: two keys and a value.
 */
const NESTED = /^\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*[^\s[{]/;
/** The number of a row, or a stamp since the epoch. */
const NUMBER = /^\d+$/;

/** How a whole object of objects, and any whole object, ends, within so many characters. */
const WHOLE = /\}\s*\}\s*$/;
const CLOSED = /\}\s*$/;
const ENDING = 100;

/**
 * Whether a text begins as pandas writes a frame whose rows have keys: by rows (`orient='index'`) or
 * by columns (its default).
 */
export function isKeyed(text: string): boolean {
  const [, outer, inner] = NESTED.exec(text) ?? [];
  return outer !== undefined && isKey(outer) !== isKey(inner!);
}

function isKey(key: string): boolean {
  return NUMBER.test(key) || isDate(key);
}

/** A file with an object to be read whole. */
export interface KeyedFile {
  readonly file: string;
  readonly sizeBytes: number;
  /** Where the file of rows goes. */
  readonly folder: string;
}

/**
 * Writes the rows of an object whose rows have keys; returns the path of the list.
 *
 * @throws {TypeError} when it is too big to be held in memory, or its columns differ in their rows.
 */
export async function keyedRows(file: KeyedFile): Promise<string> {
  const frame = (await wholeObject(file, WHOLE)) as Readonly<Record<string, Fields>>;
  const [first = ''] = Object.keys(frame);
  const rows = isKey(first) ? byRows(frame) : byColumns(frame);
  const path = join(file.folder, 'rows.json');
  await writeFile(path, `[${rows.map((row) => JSON.stringify(row)).join(',\n')}]`);
  return path;
}

/** Reads an object into memory. @throws {TypeError} when it is too big for that, or breaks off. */
export async function wholeObject(
  { file, sizeBytes }: KeyedFile,
  ending: RegExp = CLOSED,
): Promise<Fields> {
  if (sizeBytes > BYTES_MAX) {
    throw new TypeError(
      `it is an object of ${Math.ceil(sizeBytes / 1_048_576)} MB that must be read whole, at most ` +
        `${BYTES_MAX / 1_048_576} MB are wanted, or a list of rows: pandas writes one with ` +
        "`to_json(..., orient='records', lines=True)` after `reset_index()`",
    );
  }
  const text = await readFile(file, 'utf8');
  if (!ending.test(text.slice(-ENDING))) throw new TypeError(BROKEN_OFF);
  return parsed(text, 'it') as Fields;
}

function byRows(frame: Readonly<Record<string, Fields>>): Fields[] {
  return Object.entries(frame).map(([key, row]) => ({ [INDEX]: key, ...row }));
}

function byColumns(frame: Readonly<Record<string, Fields>>): Fields[] {
  const [first = {}, ...others] = Object.values(frame);
  const keys = Object.keys(first);
  const isAlike = (column: Fields | null): boolean =>
    typeof column === 'object' &&
    column !== null &&
    Object.keys(column).length === keys.length &&
    keys.every((key) => key in column);
  const odd = others.findIndex((column) => !isAlike(column));
  if (odd >= 0) {
    const [name, other] = [Object.keys(frame)[0], Object.keys(frame)[odd + 1]];
    throw new TypeError(`"${other}" has other rows than "${name}", the same in each are wanted`);
  }
  return keys.map((key) => {
    const cells = Object.entries(frame).map(([name, column]) => [name, column[key]]);
    return { [INDEX]: key, ...Object.fromEntries(cells) };
  });
}
