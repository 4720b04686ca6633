/**
 * The root of every error that Tradewind throws. Each floor has one class of its own below it.
 *
 * Messages follow one grammar: "Cannot <action>: <what is>, <what is wanted>".
 */
export class TradewindError extends Error {
  override readonly name: string = 'TradewindError';
}

/** A number could not be turned into an exact decimal, or an exact result left its range. */
export class DecimalError extends TradewindError {
  override readonly name = 'DecimalError';
}

/** A rule that the program itself promised was broken: a defect in Tradewind, never in its input. */
export class AssertionError extends TradewindError {
  override readonly name = 'AssertionError';
}

/**
 * Checks a promise of the program; stays on in production.
 *
 * @throws {AssertionError} when `condition` is false.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** A message without its "Cannot <action>: ", for a text that names the action itself. */
export function withoutAction(message: string): string {
  return message.replace(/^Cannot [^:]*: /, '');
}

/** The text of whatever was thrown, an `Error` or not; it never throws itself. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof AggregateError && thrown.message === '' && thrown.errors.length > 0) {
      return messageOf(thrown.errors[0]);
    }
    const parts = (thrown ?? {}) as Readonly<Record<string, unknown>>;
    const { name, suppressed, message, code, path } = parts;
    // Work failed, then its file could not be closed (`using`): the failure of the work counts.
    if (name === 'SuppressedError') return messageOf(suppressed);
    const text = String(typeof message === 'string' ? message : thrown);
    if (code === 'EACCES' && typeof path === 'string') {
      return `you may not use ${path}, permission is wanted`;
    }
    return code === 'EMFILE' ? `${text}, a higher limit (\`ulimit -n\`) is wanted` : text;
  } catch {
    return 'something that has no text';
  }
}

/** The stack of whatever was thrown; undefined where it has none that is a text. It never throws. */
export function stackOf(thrown: unknown): string | undefined {
  try {
    const stack = thrown instanceof Error ? thrown.stack : undefined;
    // A library may make the stack a list.
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}
