/** JSON that is written again exactly as it came. Source: ECMA-262, JSON.rawJSON. */
interface RawJson {
  readonly rawJSON: string;
}

// TypeScript does not know these two yet.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

/**
 * The fields of a client's frame. Values are texts, numbers, booleans or null. A number that
 * JavaScript would write differently is kept as it was sent, because the signature covers it in
 * that form.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** A frame's fields; undefined if it is no flat object in JSON or in the loose form of programs. */
export function readFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text, asSent);
    const isFlat = isObject(value) && !Object.values(value).some(isObject);
    return isFlat && !Array.isArray(value) ? value : undefined;
  } catch {
    return readLooseFields(text);
  }
}

function asSent(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  return String(value) === source ? value : rawJSON(source);
}

const NAME = String.raw`\s*(?:'([^'\\]*)'|"([^"\\]*)"|([A-Za-z_]\w*))\s*`;
const VALUE = String.raw`\s*(?:'([^'\\]*)'|"([^"\\]*)"|(-?(?:0|[1-9]\d{0,14})|true|false|null))\s*`;
const FIELD = new RegExp(`${NAME}:${VALUE}(,|\\}\\s*$)`, 'y');
const END = /\s*\}\s*$/y;

/**
 * Reads `{'event':'addChannel','channel':'btcusdt_depth'}`: clients of this exchange quote like
 * this, because the exchange accepted it. Names may be unquoted, and a comma may end the list.
 */
function readLooseFields(text: string): Fields | undefined {
  const fields: [string, unknown][] = [];
  const begin = /^\s*\{/.exec(text)?.[0].length;
  for (let at = begin; at !== undefined; ) {
    FIELD.lastIndex = at;
    const field = FIELD.exec(text);
    if (field === null) return isEnd(text, at) && fields.length > 0 ? record(fields) : undefined;
    const [, single, double, bare, singleValue, doubleValue, literal, mark] = field;
    const name = single ?? double ?? bare ?? '';
    fields.push([name, literal === undefined ? (singleValue ?? doubleValue) : JSON.parse(literal)]);
    if (mark !== ',') return record(fields);
    at = FIELD.lastIndex;
  }
  return undefined;
}

function isEnd(text: string, at: number): boolean {
  END.lastIndex = at;
  return END.test(text);
}

function record(fields: readonly [string, unknown][]): Fields {
  return Object.fromEntries(fields);
}

/** A text or a number as text; anything else as an empty text. */
export function textOf(value: unknown): string {
  if (isRawJSON(value)) {
    const number = Number(value.rawJSON);
    return Number.isSafeInteger(number) ? String(number) : value.rawJSON;
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !isRawJSON(value);
}
