import { foreignFields, isEnabled, type Logger, messageOf } from '../kernel/index.ts';
import { plainOf } from './plain-values.ts';
import { failureOf } from './strategy-failure.ts';

/** Writes a strategy's log line, whatever values it holds: no log line may end its strategy. */
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

/** The strategy's fields beside the line's own, in a form that every kind of log shows alike. */
function fieldsOf(fields: unknown): object {
  if (fields instanceof Error) return { error: failureOf(fields) };
  const plain = plainOf(fields ?? {});
  if (!hasNamedFields(fields ?? {})) return { details: plain };
  const told = Object.entries(plain as object).map(([key, value]) => [
    key === 'strategy' ? 'fields.strategy' : key,
    value,
  ]);
  return Object.fromEntries(told);
}

/**
 * Whether the fields have names. Texts, lists and the like have indexes instead and are shown
 * whole.
 */
function hasNamedFields(fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return false;
  const prototype: unknown = Object.getPrototypeOf(fields);
  return prototype === null || prototype === Object.prototype;
}

/** The message as text. A strategy in JavaScript may log any value. */
function textOf(value: unknown): string {
  if (value instanceof Error) return failureOf(value);
  try {
    return (
      (typeof value === 'object' ? JSON.stringify(plainOf(value)) : undefined) ?? String(value)
    );
  } catch (thrown) {
    return `Cannot log this: ${messageOf(thrown)}, a text is wanted`;
  }
}
