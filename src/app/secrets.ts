import {
  areForeign,
  type Blot,
  foreignFields,
  isEnabled,
  type Logger,
  type LogLevel,
  loggerTo,
  messageOf,
  stackOf,
  writingsOf,
} from '../kernel/index.ts';
import { valueAt } from './config/problems.ts';
import { AppError, asAppError } from './errors.ts';

/** Shorter values are no keys, and would match parts of many words. */
const LENGTH_MIN = 6;

/** Where a deployment refers to secrets. */
const SECRETS = [
  ['venue', 'accessKey'],
  ['venue', 'secretKey'],
  ['alerts', 'url'],
  ['alerts', 'aliveUrl'],
] as const;

export type { Blot };

/**
 * Blots out the keys and the addresses of alerts that a deployment refers to, with their values in
 * the environment now, however they are written. Its file may be wrong elsewhere.
 */
export function blotOf(deployment: {
  readonly venue?: unknown;
  readonly alerts?: unknown;
}): Blot | undefined {
  const names = SECRETS.map((path) => valueAt(deployment, [...path, 'env']));
  if (!names.some((name) => typeof name === 'string')) return undefined;
  const values = names.map((name) => process.env[String(name)] ?? '');
  const secrets = writingsOf(values.filter(({ length }) => length >= LENGTH_MIN));
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/**
 * An error without the secrets in its text, which may be that of an exchange, nor, if nobody
 * foresaw it, in its stack.
 */
export function blottedError(thrown: unknown, blot: Blot | undefined): unknown {
  const error = asAppError(thrown);
  if (blot === undefined || !(error instanceof Error)) return error;
  if (error instanceof AppError)
    return new AppError(error.reason, blot(error.message), { cause: error });
  const { name, stack = '' } = error;
  return Object.assign(new Error(blot(error.message)), { name, stack: blot(stack) });
}

/** A logger for those who may know secrets: it blots them out of sentences and of fields. */
export function blottedLogger(logger: Logger, blot: Blot): Logger {
  const isLevelEnabled = (level: LogLevel): boolean => isEnabled(logger, level);
  return loggerTo((level, fields, text) => {
    if (!isLevelEnabled(level)) return;
    const blotted = blottedIn(fields, blot);
    logger[level](areForeign(fields) ? foreignFields(blotted) : blotted, blot(text));
  }, isLevelEnabled);
}

/** How deep objects are copied; what lies deeper is left out. */
const DEPTH_MAX = 20;

/**
 * A copy with every text in it blotted, as JSON would write it. Each object is copied once, however
 * many others link to it.
 */
function blottedIn(fields: object, blot: Blot): object {
  const copies = new Map<object, unknown>();
  const open: { readonly value: object; readonly copy: Copy; readonly depth: number }[] = [];
  const copyOf = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return blot(value);
    // JSON has no functions, but would call one named toJSON.
    if (typeof value === 'function') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (!copies.has(value)) copies.set(value, copyOfObject(value, depth));
    return copies.get(value);
  };
  const copyOfObject = (value: object, depth: number): unknown => {
    if (depth > DEPTH_MAX) return '[Object]';
    if (value instanceof Error) return blot(stackOf(value) ?? messageOf(value));
    // A secret copied letter by letter, or byte by byte, would not be recognised.
    if (value instanceof String) return blot(value.toString());
    if (value instanceof Number || value instanceof Boolean) return value.valueOf();
    if (value instanceof Uint8Array) return `[${value.length} bytes]`;
    const plain: unknown = 'toJSON' in value ? jsonOf(value) : value;
    if (typeof plain !== 'object' || plain === null) return copyOf(plain, depth);
    const copy = (Array.isArray(plain) ? [] : {}) as Copy;
    open.push({ value: plain, copy, depth });
    return copy;
  };
  const whole = copyOf(fields, 0);
  // Level by level: copying adds deeper objects to the list.
  for (const { value, copy, depth } of open) {
    for (const [key, part] of Object.entries(value)) copy[blot(key)] = copyOf(part, depth + 1);
  }
  return whole as object;
}

type Copy = Record<string, unknown>;

function jsonOf(value: { readonly toJSON: unknown }): unknown {
  return typeof value.toJSON === 'function' ? value.toJSON() : value;
}
