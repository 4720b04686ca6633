/** The fields of a client's frame. Values are texts, numbers, booleans or null. */
export type Fields = Readonly<Record<string, unknown>>;

/** A frame's fields; undefined for what is no flat object, in JSON or as programs write it. */
export function readFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isFlat = isObject(value) && !Object.values(value).some(isObject);
    return isFlat && !Array.isArray(value) ? value : undefined;
  } catch {
    return readLooseFields(text);
  }
}

const NAME = String.raw`\s*(?:'([^'\\]*)'|"([^"\\]*)"|([A-Za-z_]\w*))\s*`;
const VALUE = String.raw`\s*(?:'([^'\\]*)'|"([^"\\]*)"|(-?(?:0|[1-9]\d{0,14})|true|false|null))\s*`;
const FIELD = new RegExp(`${NAME}:${VALUE}(,|\\}\\s*$)`, 'y');
const END = /\s*\}\s*$/y;

/**
 * Reads `{'event':'addChannel','channel':'btcusdt_depth'}`: clients of this exchange quote so, for
 * its own reader took it. Names may stand bare, and a comma may end the list.
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

/** A text or a number as text, anything else as nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
