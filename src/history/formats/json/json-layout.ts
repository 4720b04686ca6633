import { counted } from '../../../kernel/index.ts';
import { inferMarketId } from '../../market-name.ts';
import type { Database } from '../../store/database.ts';
import { literal } from '../../store/sql.ts';
import type { FileHead } from '../file-head.ts';
import { type Answer, plainHeading, type Table } from '../table.ts';
import { rowsPath } from './rows-path.ts';

/** The longest row of JSON that is read, where rows come one by one. Source: DuckDB's default. */
const JSON_ROW_BYTES = 16_777_216;
/** Lists of numbers side by side that are taken for columns. */
const COLUMNS_MIN = 3;

/** How a file of JSON is read. */
export type JsonLayout = Pick<Table, 'form' | 'headings' | 'text' | 'answer' | 'relation'>;

/** @throws {TypeError} when it holds no rows. */
export async function jsonLayout(database: Database, head: FileHead): Promise<JsonLayout> {
  const { objects, text, around, path } = await jsonRows(database, head);
  const [first] = await database.rows(`SELECT json::VARCHAR AS text FROM ${objects} LIMIT 1`);
  if (first === undefined) throw rowless();
  const row = JSON.parse(String(first.text)) as unknown;
  if (typeof row !== 'object' || row === null) {
    throw new TypeError(`it holds ${JSON.stringify(row)}, rows or objects are wanted`);
  }
  const keys = Object.keys(row);
  if (keys.length === 0) throw rowless();
  const names = Array.isArray(row) ? undefined : keys;
  if (names === undefined) await refuseWidths(database, { objects, width: keys.length });
  const cells = keys.map((key, at) => {
    const path = names === undefined ? key : literal(pathOf([key]));
    return `json->>${path} AS c${at}`;
  });
  const answer = around === undefined ? undefined : await answerOf(database, { around, path });
  const isNew = names?.some((name) => plainHeading(name) === 'symbol') !== true;
  const symbol = isNew ? answer?.symbol : undefined;
  if (symbol !== undefined) cells.push(`${literal(symbol)} AS c${cells.length}`);
  const headings = symbol === undefined ? names : names && [...names, 'symbol'];
  const relation = `(SELECT ${cells.join(', ')} FROM ${objects})`;
  return { form: 'JSON', headings, text, answer, relation };
}

/** A path of JSON by its keys. */
function pathOf(keys: readonly string[]): string {
  return `$${keys.map((key) => `."${key}"`).join('')}`;
}

interface Rows {
  /** One row of JSON each, as a relation of SQL whose column is `json`. */
  readonly objects: string;
  readonly text?: Table['text'];
  /** The object around the rows, as such a relation too, where it tells anything else. */
  readonly around?: string;
  /** Where in it the rows are. */
  readonly path: readonly string[];
}

/** The rows of a file: those of a list, of lines, or of a list in an object. */
async function jsonRows(database: Database, { file, text, sizeBytes }: FileHead): Promise<Rows> {
  // An object around the rows is held whole.
  const wholeBytes = Math.max(JSON_ROW_BYTES, sizeBytes + 1);
  const read = (format: string): string =>
    `read_json(${literal(file)}, format = '${format}', records = false,
      columns = {'json': 'JSON'}, compression = 'uncompressed',
      maximum_object_size = ${format === 'unstructured' ? wholeBytes : JSON_ROW_BYTES})`;
  const found = rowsPath(text);
  const { path, columns = [] } = found ?? {};
  if (path === undefined && columns.length >= COLUMNS_MIN) {
    throw new TypeError(
      `it holds a list for each column (${columns.join(', ')}), a list of rows is wanted: ` +
        '`pandas.DataFrame(...).to_csv(...)` writes one',
    );
  }
  if (path !== undefined) {
    const whole = read('unstructured');
    const objects = `(SELECT unnest(json_extract(json, ${literal(`${pathOf(path)}[*]`)})) AS json
      FROM ${whole})`;
    const others = await besideRows(database, { around: whole, path });
    return { objects, path, ...(path.length > 1 || others > 0 ? { around: whole } : {}) };
  }
  if (/^\s*\[\s*[[{]/.test(text)) return { objects: read('array'), path: [] };
  // One object without rows: read by lines it would seem to break off.
  if (found !== undefined && text.trim().includes('\n')) {
    return { objects: read('unstructured'), path: [] };
  }
  return { objects: read('newline_delimited'), text: { file, above: 0 }, path: [] };
}

interface RowsOfObject {
  readonly around: string;
  readonly path: readonly string[];
}

/** How much stands beside a list of rows. @throws {TypeError} where another list of rows does. */
async function besideRows(database: Database, { around, path }: RowsOfObject): Promise<number> {
  const parent = path.slice(0, -1);
  const keys = await database.rows(
    `SELECT unnest(json_keys(json, ${literal(pathOf(parent))})) AS key FROM ${around}`,
  );
  const others = keys.map(({ key }) => String(key)).filter((key) => key !== path.at(-1));
  if (others.length === 0) return 0;
  // The rows themselves are not taken out: they would be held once more.
  const firsts = await textsAt(
    database,
    others.map((key) => `${pathOf([...parent, key])}[0]`),
    around,
  );
  const lists = others.filter((_key, at) => /^\s*[[{]/.test(firsts[at] ?? ''));
  if (lists.length === 0) return others.length;
  const names = [path.at(-1), ...lists].join(', ');
  throw new TypeError(`it holds several lists of rows (${names}), one is wanted`);
}

/** What stands at paths of an object that is held whole, which is read once for all of them. */
async function textsAt(
  database: Database,
  paths: readonly string[],
  around: string,
): Promise<(string | undefined)[]> {
  const list = `json_extract_string(json, [${paths.map(literal).join(', ')}])`;
  const rows = await database.rows(`SELECT unnest(texts) AS text FROM
    (SELECT ${list} AS texts FROM ${around})`);
  return rows.map(({ text }) => (text === null ? undefined : String(text)));
}

/** Where answers tell what stands beside their rows. */
const TOLD = ['$.code', '$.result.category', '$.result.last'];
/** Where they name their market. */
const SYMBOLS = [
  ...['$.result.symbol', '$.result.instrument_name', '$.query.instrument', '$.data.pair'],
  ...['$.symbol', '$.ticker'],
];

/** What an answer tells beside its rows. */
async function answerOf(database: Database, { around, path }: RowsOfObject): Promise<Answer> {
  const [code, category, last, ...symbols] = await textsAt(database, [...TOLD, ...SYMBOLS], around);
  const named = path.length > 1 ? keySymbol(path.at(-1)!) : undefined;
  const symbol = symbols.find((text) => text !== undefined) ?? named;
  const told = Object.entries({ code, category, last, symbol });
  return Object.fromEntries(told.filter(([, text]) => text !== undefined));
}

/** The symbol that a key of rows is, such as `XXBTZUSD` of Kraken or `BTC/USD` of Alpaca. */
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

/** What is to be said of a file without rows. */
export function rowless(): TypeError {
  return new TypeError('it holds no row, at least one is wanted');
}
