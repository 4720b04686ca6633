/** The fields of a client's frame. Values are texts, numbers, booleans or null. */
export type Fields = Readonly<Record<string, unknown>>;

/** A frame's fields; undefined for what is not a flat JSON object. */
export function readFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isFlat = isObject(value) && !Object.values(value).some(isObject);
    return isFlat && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A text or a number as text, anything else as nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
