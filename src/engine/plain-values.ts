import { failureOf } from './strategy-failure.ts';

/** What lies deeper is left out: logs show no more levels. */
const DEPTH_MAX = 6;

/**
 * A value as JSON can write it, with what JSON alone would leave out: the content of maps and sets,
 * big integers and numbers such as NaN as text, errors with their place, links back as a word.
 *
 * @throws what a `toJSON` or a getter of it throws.
 */
export function plainOf(value: unknown): unknown {
  return copyOf(value, new Set());
}

/** `within`: the objects that hold it, the outermost first. */
function copyOf(value: unknown, within: ReadonlySet<object>): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'number') return Number.isFinite(value) ? value : `${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return failureOf(value);
  if (within.has(value)) return '[Circular]';
  if (within.size === DEPTH_MAX) return Array.isArray(value) ? '[Array]' : '[Object]';
  const inner = new Set([...within, value]);
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyOf(value.toJSON(), inner);
  if (value instanceof Map) return copyOfMap(value, inner);
  if (value instanceof Set || Array.isArray(value)) {
    return Array.from(value, (part: unknown) => copyOf(part, inner));
  }
  // Bytes and texts as objects have numbers for names, and logs their own way with them.
  if (ArrayBuffer.isView(value) || value instanceof String) return value;
  if (value instanceof Number || value instanceof Boolean) return value.valueOf();
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, copyOf(part, inner)] as const),
  );
}

/** An object where its keys can be names, else a list of pairs. */
function copyOfMap(map: ReadonlyMap<unknown, unknown>, inner: ReadonlySet<object>): unknown {
  const pairs = Array.from(map, (pair) => pair.map((part) => copyOf(part, inner)));
  const isNamed = pairs.every(([key]) => typeof key !== 'object' || key === null);
  return isNamed ? Object.fromEntries(pairs.map(([key, part]) => [String(key), part])) : pairs;
}
