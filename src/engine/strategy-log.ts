import { foreignFields, isEnabled, type Logger, messageOf } from '../kernel/index.ts';
import { failureOf } from './strategy-failure.ts';

/** Writes a line that a strategy logs, whatever it is made of: no line may end its strategy. */
export function writeLine(
  logger: Logger,
  { strategy, message, fields }: { strategy: string; message: unknown; fields: unknown },
): void {
  if (!isEnabled(logger, 'info')) return;
  const text = typeof message === 'string' ? message : textOf(message);
  try {
    logger.info(foreignFields({ strategy, ...fieldsOf(fields) }), text);
  } catch (thrown) {
    const why = messageOf(thrown);
    const line = foreignFields({ strategy });
    logger.warn(line, `${text} (Cannot log its fields: ${why}, plain values are wanted)`);
  }
}

/** Fields as a log takes them, beside the line's own: of an error JSON tells nothing. */
function fieldsOf(fields: unknown): object {
  if (fields instanceof Error) return { error: failureOf(fields) };
  if (!hasNamedFields(fields ?? {})) return { details: fields };
  const known = Object.entries(fields ?? {});
  const told = known.map(([key, value]) => [
    key === 'strategy' ? 'fields.strategy' : key,
    value instanceof Error ? failureOf(value) : value,
  ]);
  return Object.fromEntries(told);
}

/** A text, a list and the like have numbers for names: they are told as a whole. */
function hasNamedFields(fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return false;
  const prototype: unknown = Object.getPrototypeOf(fields);
  return prototype === null || prototype === Object.prototype;
}

/** Strategies may be JavaScript, which logs whatever it has. */
function textOf(value: unknown): string {
  if (value instanceof Error) return failureOf(value);
  try {
    return (typeof value === 'object' ? JSON.stringify(value) : undefined) ?? String(value);
  } catch (thrown) {
    return `Cannot log this: ${messageOf(thrown)}, a text is wanted`;
  }
}
