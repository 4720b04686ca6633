import { failureOf } from './strategy-failure.ts';

/** Values nested deeper are left out: logs show no more levels. */
const DEPTH_MAX = 6;

/**
 * A copy of a value that JSON can write, including what JSON alone would drop: the content of maps
 * and sets, big integers and numbers such as NaN as text, errors with their place in the source,
 * circular references as a word.
 *
 * @throws whatever one of its `toJSON` methods or getters throws.
 */
export function plainOf(value: unknown): unknown {
  return copyOf(value, new Set());
}

/** `within`: the objects that contain it, outermost first. */
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
  // Byte arrays and String objects have numeric keys; each log shows them in its own way.
  if (ArrayBuffer.isView(value) || value instanceof String) return value;
  if (value instanceof Number || value instanceof Boolean) return value.valueOf();
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, copyOf(part, inner)] as const),
  );
}

/** An object if no key is an object, else a list of pairs. */
function copyOfMap(map: ReadonlyMap<unknown, unknown>, inner: ReadonlySet<object>): unknown {
  const pairs = Array.from(map, (pair) => pair.map((part) => copyOf(part, inner)));
  const isNamed = pairs.every(([key]) => typeof key !== 'object' || key === null);
  return isNamed ? Object.fromEntries(pairs.map(([key, part]) => [String(key), part])) : pairs;
}
