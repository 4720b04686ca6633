/** Where an object of JSON holds its rows. */
export interface RowsPath {
  /** The keys down to the first list of rows, or else to an empty list. */
  readonly path?: readonly string[] | undefined;
  /** Keys of lists that hold no rows but, as in answers for charts, the cells of a column. */
  readonly columns: readonly string[];
}

/** Where pandas describes the columns, ahead of the rows (`orient='table'`). */
const SCHEMA = 'schema.fields';

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** Keys that answers have around their rows: an object with a list there is not a row itself. */
const AROUND: ReadonlySet<string> = new Set([
  ...['data', 'result', 'results', 'candles', 'trades', 'history', 'bars', 'values', 'list'],
]);

/**
 * Where the object that a text begins with holds its rows; undefined if it begins with none, or
 * with several that are the rows themselves. The text may end anywhere.
 */
export function rowsPath(text: string): RowsPath | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const walk = new Walk();
  for (const token of text.matchAll(TOKENS)) {
    if (walk.isOver) return walk.rows?.some((key) => AROUND.has(key)) ? found(walk) : undefined;
    walk.take(token[0]);
  }
  return found(walk);
}

function found({ rows, empty, columns }: Walk): RowsPath {
  return { path: rows ?? empty, columns };
}

/** A walk over the tokens of an object that passes over what its lists hold. */
class Walk {
  rows: readonly string[] | undefined;
  empty: readonly string[] | undefined;
  readonly columns: string[] = [];
  isOver = false;
  /** The key of each open object. */
  readonly #keys: string[] = [];
  #lists = 0;
  #last = '';

  take(token: string): void {
    if (this.#lists === 1 && this.#last === '[') this.#beginList(token);
    if (token === '[') this.#lists++;
    else if (token === ']') this.#lists--;
    else if (this.#lists === 0) this.#takeOfObject(token);
    this.#last = token;
  }

  #beginList(first: string): void {
    const isSchema = this.#keys.join('.') === SCHEMA;
    if ((first === '[' || first === '{') && !isSchema) this.rows ??= [...this.#keys];
    else if (first === ']') this.empty = [...this.#keys];
    else if (!isSchema) this.columns.push(this.#keys.at(-1)!);
  }

  #takeOfObject(token: string): void {
    if (token === '{') this.#keys.push('');
    else if (token === '}') {
      this.#keys.pop();
      this.isOver = this.#keys.length === 0;
    } else if (token === ':') this.#keys[this.#keys.length - 1] = keyOf(this.#last);
  }
}

/** A key without its quotes and escapes. */
function keyOf(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    // It is not JSON; reading the whole file will say so.
    return token.slice(1, -1);
  }
}
