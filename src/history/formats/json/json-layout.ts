import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../../../kernel/index.ts';
import { inferMarketId } from '../../market-name.ts';
import type { Database } from '../../store/database.ts';
import type { Interruptible } from '../../store/interruption.ts';
import { literal, pathLiteral } from '../../store/sql.ts';
import type { FileHead } from '../file-head.ts';
import { type Answer, plainHeading, type Table } from '../table.ts';
import { TIMES } from '../trade-headings.ts';
import { COLUMNS_MIN, columnRows } from './column-rows.ts';
import { INDEX, isKeyed, keyedRows } from './keyed-rows.ts';
import { rowsPath } from './rows-path.ts';
import { splitObject } from './split-object.ts';

/** The longest JSON row that is read. Source: DuckDB's default. */
const JSON_ROW_BYTES = 16_777_216;
/** Bytes of a file read at a time. */
const CHUNK_BYTES = 1_048_576;

/** How a file of JSON is read. */
export type JsonLayout = Pick<Table, 'form' | 'headings' | 'text' | 'answer' | 'relation'>;

/** A file of JSON to read. */
export interface JsonFile extends Interruptible {
  readonly head: FileHead;
  /** Makes a folder for rows that are taken out of an object. */
  readonly newFolder: () => string;
}

/** @throws {TypeError} when it holds no rows. */
export async function jsonLayout(database: Database, file: JsonFile): Promise<JsonLayout> {
  const { objects, text, answer, columns } = await jsonRows(file);
  const { keys, isList } = await firstRow(database, objects);
  const fields = isList ? undefined : keys;
  if (fields === undefined) await refuseWidths(database, { objects, width: keys.length });
  const cells = keys.map((key, at) => {
    const path = fields === undefined ? key : literal(pathOf([key]));
    return `json->>${path} AS c${at}`;
  });
  const frame = columns?.names.length === keys.length ? columns : undefined;
  if (frame !== undefined) cells.push(`index->>'$' AS c${cells.length}`);
  const names = frame === undefined ? fields : [...frame.names, INDEX];
  const isNew = names?.some((name) => plainHeading(name) === 'symbol') !== true;
  const symbol = isNew ? answer?.symbol : undefined;
  if (symbol !== undefined) cells.push(`${literal(symbol)} AS c${cells.length}`);
  const headings = symbol === undefined ? names : names && [...names, 'symbol'];
  const beside = frame === undefined ? '' : ` POSITIONAL JOIN ${frame.index}`;
  const relation = `(SELECT ${cells.join(', ')} FROM ${objects}${beside})`;
  return { form: 'JSON', headings, text, answer, relation };
}

/**
 * The keys of the first row, or its indices if it is a list. The database reads it because it takes
 * NaN for a number, which JSON does not have.
 */
async function firstRow(
  database: Database,
  objects: string,
): Promise<{ readonly keys: readonly string[]; readonly isList: boolean }> {
  const [first] = await database.rows(`SELECT json_type(json) AS type,
    json_array_length(json) AS width, to_json(json_keys(json))::VARCHAR AS keys
    FROM ${objects} LIMIT 1`);
  if (first === undefined) throw rowless();
  const isList = first.type === 'ARRAY';
  const named = JSON.parse(String(first.keys)) as string[];
  const keys = isList ? Array.from({ length: Number(first.width) }, (_, at) => `${at}`) : named;
  if (keys.length === 0) throw rowless();
  await refuseColumns(database, { objects, keys: named });
  return { keys: [...new Set(keys)], isList };
}

/** Refuses an object that holds a list of times, which is no row. @throws {TypeError} */
async function refuseColumns(
  database: Database,
  { objects, keys }: { readonly objects: string; readonly keys: readonly string[] },
): Promise<void> {
  const times = keys.filter((key) => TIMES.includes(plainHeading(key)));
  if (times.length === 0) return;
  const types = times.map((key, at) => `json_type(json, ${literal(pathOf([key]))}) AS t${at}`);
  const row = await database.row(`SELECT ${types.join(', ')} FROM ${objects} LIMIT 1`);
  if (Object.values(row).includes('ARRAY')) throw columnar(keys);
}

/** The error for a file of columns. */
function columnar(names: readonly string[]): TypeError {
  return new TypeError(
    `it holds a list for each column (${names.join(', ')}), a list of rows is wanted: ` +
      '`pandas.DataFrame(...).to_csv(...)` writes one',
  );
}

function pathOf(keys: readonly string[]): string {
  return `$${keys.map((key) => `."${key}"`).join('')}`;
}

interface Rows {
  /** A relation of SQL with one JSON row each in its column `json`. */
  readonly objects: string;
  readonly text?: Table['text'];
  readonly answer?: Answer | undefined;
  readonly columns?: FrameColumns | undefined;
}

/** The names of a frame's columns and its index, which stand beside its rows. */
interface FrameColumns {
  readonly names: readonly string[];
  /** A relation whose column `index` has the key of each row. */
  readonly index: string;
}

/** A relation of the JSON values in a file, each of at most `JSON_ROW_BYTES`. */
function read(file: string, format: 'array' | 'newline_delimited' | 'unstructured', name = 'json') {
  return `read_json(${pathLiteral(file)}, format = '${format}', records = false,
      columns = {'${name}': 'JSON'}, compression = 'uncompressed',
      maximum_object_size = ${JSON_ROW_BYTES})`;
}

/**
 * The bytes of a file. It is opened when the first are asked for: a stream that is aborted before
 * anyone listens to it ends the process.
 */
async function* bytesOf(file: string, { signal }: Interruptible): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { signal, highWaterMark: CHUNK_BYTES });
}

/** The rows of a file: items of a list, lines, or items of a list in an object. */
async function jsonRows({ head, newFolder, signal }: JsonFile): Promise<Rows> {
  const { file, text, sizeBytes } = head;
  const found = rowsPath(text);
  const { columns = [] } = found ?? {};
  // The rows of a long frame begin behind its index, and so behind the head of the file.
  const path = found?.path ?? (columns.join() === 'columns,index' ? ['data'] : undefined);
  if (path === undefined && columns.length > 0) {
    const rows = await columnRows({ file, sizeBytes, folder: newFolder() });
    if (rows !== undefined) {
      return { objects: read(rows.file, 'array'), answer: answerOf(rows.around, []) };
    }
    if (columns.length >= COLUMNS_MIN) throw columnar(columns);
  }
  if (path !== undefined) {
    const folder = newFolder();
    const bytes = bytesOf(file, { signal });
    const { file: rows, around, others } = await splitObject(bytes, { path, folder });
    if (others.length > 0) refuseStrange([around, ...others], path);
    const beside = besideRows(around, path);
    const isAnswer = path.length > 1 || beside > 0;
    return {
      objects: read(rows, 'array'),
      answer: isAnswer ? answerOf(around, path) : undefined,
      columns: await frameColumns(around, folder),
    };
  }
  if (/^\s*\[\s*[[{]/.test(text)) return { objects: read(file, 'array') };
  if (found !== undefined && isKeyed(text)) {
    const rows = await keyedRows({ file, sizeBytes, folder: newFolder() });
    return { objects: read(rows, 'array') };
  }
  // A single object without rows: read line by line, it would seem to break off.
  if (found !== undefined && text.trim().includes('\n')) {
    return { objects: read(file, 'unstructured') };
  }
  return { objects: read(file, 'newline_delimited'), text: { file, above: 0 } };
}

/** What an object holds at a path; undefined where nothing is there, or null. */
function at(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const key of path) value = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  return value ?? undefined;
}

/** Refuses objects that are not one series. @throws {TypeError} naming the first that differs. */
function refuseStrange(objects: readonly unknown[], path: readonly string[]): void {
  const hasRows = (object: unknown): boolean =>
    Object.hasOwn(at(object, path.slice(0, -1)) ?? {}, path.at(-1)!);
  const bare = objects.findIndex((object) => !hasRows(object));
  if (bare > 0) {
    const rows = path.join('.');
    throw new TypeError(`object ${bare + 1} of it has no "${rows}", rows in each are wanted`);
  }
  const symbols = new Set(objects.map((object) => answerOf(object, path).symbol));
  if (symbols.size <= 1) return;
  const named = [...symbols].map((symbol) => symbol ?? 'no market').slice(0, 3);
  throw new TypeError(`it holds answers of ${named.join(', ')}, one market a file is wanted`);
}

/**
 * The number of entries beside a list of rows. @throws {TypeError} when one is a list of rows too.
 */
function besideRows(around: unknown, path: readonly string[]): number {
  const beside = Object.entries(at(around, path.slice(0, -1)) as object);
  const others = beside.filter(([key]) => key !== path.at(-1));
  const lists = others.filter(([, value]) => Array.isArray(value) && isObject(value[0]));
  if (lists.length === 0) return others.length;
  const names = [path.at(-1), ...lists.map(([key]) => key)].join(', ');
  throw new TypeError(`it holds several lists of rows (${names}), one is wanted`);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The columns and the index that pandas writes beside its rows (`orient='split'`). */
async function frameColumns(around: unknown, folder: string): Promise<FrameColumns | undefined> {
  const [names, index] = [at(around, ['columns']), at(around, ['index'])];
  if (!Array.isArray(names) || !Array.isArray(index)) return undefined;
  const file = join(folder, 'index.json');
  await writeFile(file, JSON.stringify(index));
  return { names: names.map(String), index: read(file, 'array', 'index') };
}

/** Where an answer tells what it has beside its rows. */
const ANSWER_FIELDS = {
  code: ['code'],
  success: ['success'],
  category: ['result', 'category'],
  last: ['result', 'last'],
  instrumentClass: ['query', 'instrument_class'],
  moreCandles: ['more_candles'],
  type: ['data', 'type'],
  zone: ['meta', 'exchange_timezone'],
};
/** Where an answer names its market. */
const SYMBOLS = [
  ...[
    ['result', 'symbol'],
    ['result', 'instrument_name'],
    ['query', 'instrument'],
  ],
  ...[['data', 'pair'], ['symbol'], ['ticker'], ['ch']],
];

/** What an answer tells beside its rows. */
function answerOf(around: unknown, path: readonly string[]): Answer {
  const textAt = (keys: readonly string[]): string | undefined => {
    const value = at(around, keys);
    return value === undefined || isObject(value) ? undefined : String(value);
  };
  const named = path.length > 1 ? keySymbol(path.at(-1)!) : undefined;
  const symbol = SYMBOLS.map(textAt).find((text) => text !== undefined) ?? named;
  const fields = Object.entries(ANSWER_FIELDS).map(([name, keys]) => [name, textAt(keys)] as const);
  return Object.fromEntries(
    [...fields, ['symbol', symbol]].filter(([, text]) => text !== undefined),
  );
}

/** The symbol in the key of a list of rows, such as `XXBTZUSD` of Kraken or `BTC/USD` of Alpaca. */
function keySymbol(key: string): string | undefined {
  const symbol = key.replace('/', '-');
  return inferMarketId(symbol) === undefined && symbol === key ? undefined : symbol;
}

/** Refuses lists of other lengths than the first. @throws {TypeError} naming the first of them. */
async function refuseWidths(
  database: Database,
  { objects, width }: { readonly objects: string; readonly width: number },
): Promise<void> {
  const [other] = await database.rows(`SELECT * FROM
      (SELECT row_number() OVER () AS row, json_array_length(json) AS width FROM ${objects})
    WHERE width <> ${width} ORDER BY row LIMIT 1`);
  if (other === undefined) return;
  throw new TypeError(
    `row ${other.row} has ${counted(Number(other.width), 'column')}, ${width} are wanted`,
  );
}

/** The error for a file without rows. */
export function rowless(): TypeError {
  return new TypeError('it holds no row, at least one is wanted');
}
