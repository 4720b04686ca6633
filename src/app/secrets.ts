import type { Logger } from '../kernel/index.ts';
import type { DeploymentConfig } from './config/deployment.ts';

/** Shorter values are no keys, and parts of many words. */
const LENGTH_MIN = 6;

/** Puts `***` in the place of what must not be shown. */
export type Blot = (text: string) => string;

/** Blots out the keys that a deployment names, as they stand in the environment now. */
export function blotOf({ venue }: Pick<DeploymentConfig, 'venue'>): Blot | undefined {
  if (venue.kind !== 'zb') return undefined;
  const values = [venue.accessKey, venue.secretKey].map(({ env }) => process.env[env] ?? '');
  const secrets = values.filter(({ length }) => length >= LENGTH_MIN);
  // The longest first: a shorter one may be a part of it.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** A logger for those who may know secrets: it blots them out of sentences and of fields. */
export function blottedLogger(logger: Logger, blot: Blot): Logger {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, text: string) =>
    logger[level](blottedIn(fields, { blot, above: [] }) as object, blot(text));
  return {
    ...{ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    isLevelEnabled: (level) => logger.isLevelEnabled?.(level) ?? true,
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
