import { foreignFields, isEnabled, type Logger, messageOf } from '../kernel/index.ts';
import { plainOf } from './plain-values.ts';
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

/** Fields as a log takes them, beside the line's own: every log shows the same of them. */
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
    return (
      (typeof value === 'object' ? JSON.stringify(plainOf(value)) : undefined) ?? String(value)
    );
  } catch (thrown) {
    return `Cannot log this: ${messageOf(thrown)}, a text is wanted`;
  }
}
