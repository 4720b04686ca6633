import { ExchangeFailure } from '../../../exchange/index.ts';
import { writingsOf } from '../../../kernel/index.ts';
import { readAnswer, type WireAnswer } from './outcome.ts';

interface Reading<T> {
  readonly action: string;
  readonly read: (json: unknown) => T;
}

/**
 * The value of an answer to a request that carried secrets, or its failure.
 *
 * An answer may repeat the request, and a failure repeats a piece of the answer. So where it fails,
 * its message and cause are those of the same answer with the secrets blotted out; what is known of
 * the outcome is told by the answer itself.
 *
 * @throws {ExchangeFailure} and nothing else.
 */
export function readConfidential<T>(
  answer: WireAnswer,
  { action, read, secrets }: Reading<T> & { readonly secrets: readonly string[] },
): T {
  try {
    return readAnswer(answer, { action, read });
  } catch (thrown) {
    const { kind, code } = thrown as ExchangeFailure;
    const shown = failureOf({ ...answer, body: blotted(answer.body, secrets) }, { action, read });
    const message = shown?.message ?? `Cannot ${action}: the answer cannot be read`;
    const known = code === undefined ? {} : { code };
    throw new ExchangeFailure(kind, message, { ...known, cause: shown?.cause });
  }
}

function failureOf(answer: WireAnswer, reading: Reading<unknown>): ExchangeFailure | undefined {
  try {
    readAnswer(answer, reading);
    return undefined;
  } catch (thrown) {
    return thrown as ExchangeFailure;
  }
}

/** A text with every way that it may write a secret blotted out. */
function blotted(text: string, secrets: readonly string[]): string {
  const written = writingsOf(secrets.filter((secret) => secret !== ''));
  return written.reduce((rest, secret) => rest.replaceAll(secret, '***'), usual(text));
}

/** JSON in its usual writing: a secret may be hidden behind escapes that nobody needs. */
function usual(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
