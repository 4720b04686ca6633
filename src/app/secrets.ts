import type { Logger } from '../kernel/index.ts';
import { valueAt } from './config/problems.ts';

/** Shorter values are no keys, and parts of many words. */
const LENGTH_MIN = 6;

/** Puts `***` in the place of what must not be shown. */
export type Blot = (text: string) => string;

/**
 * Blots out the keys that a deployment names, as they stand in the environment now. Its file may be
 * wrong elsewhere.
 */
export function blotOf({ venue }: { readonly venue?: unknown }): Blot | undefined {
  const names = ['accessKey', 'secretKey'].map((key) => valueAt(venue, [key, 'env']));
  if (!names.some((name) => typeof name === 'string')) return undefined;
  const values = names.map((name) => process.env[String(name)] ?? '');
  const secrets = values.filter(({ length }) => length >= LENGTH_MIN);
  // The longest first: a shorter one may be a part of it.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

type Level = Parameters<NonNullable<Logger['isLevelEnabled']>>[0];

/** A logger for those who may know secrets: it blots them out of sentences and of fields. */
export function blottedLogger(logger: Logger, blot: Blot): Logger {
  const isLevelEnabled = (level: Level): boolean => logger.isLevelEnabled?.(level) ?? true;
  const write = (level: Level) => (fields: object, text: string) => {
    if (!isLevelEnabled(level)) return;
    logger[level](blottedIn(fields, { blot, above: [] }) as object, blot(text));
  };
  return {
    ...{ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    isLevelEnabled,
  };
}

/** A copy with every text in it blotted, as JSON would write it. `above`: what it is a part of. */
function blottedIn(
  value: unknown,
  { blot, above }: { readonly blot: Blot; readonly above: readonly object[] },
): unknown {
  if (typeof value === 'string') return blot(value);
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '[Circular]';
  if (value instanceof Error) return blot(value.stack ?? value.message);
  const within = { blot, above: [...above, value] };
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return blottedIn(value.toJSON(), within);
  }
  if (Array.isArray(value)) return value.map((part) => blottedIn(part, within));
  const parts = Object.entries(value).map(([key, part]) => [blot(key), blottedIn(part, within)]);
  return Object.fromEntries(parts);
}
