import { ExchangeFailure } from '../../../exchange/index.ts';
import { writingsOf } from '../../../kernel/index.ts';
import { readAnswer, type WireAnswer } from './outcome.ts';

interface Reading<T> {
  readonly action: string;
  readonly read: (json: unknown) => T;
}

/** The secret parameters of a request target, with their values. */
const SECRETS = /([?&](?:sign|accesskey|safePwd)=)([^&]*)/g;

/** What may be shown of a request target: only the path if it contains secrets. */
export function shownTarget(target: string): string {
  return target.search(SECRETS) === -1 ? target : target.slice(0, target.indexOf('?'));
}

function secretsIn(target: string): string[] {
  return Array.from(target.matchAll(SECRETS), ([, , value]) =>
    decodeURIComponent(value!.replaceAll('+', ' ')),
  );
}

/**
 * The value of an answer to a signed request, or its failure without the secrets of `target`.
 *
 * An answer may repeat the request, and a failure repeats a piece of the answer. If that happens,
 * message and cause are those of the same answer with the secrets blotted out; kind and code come
 * from the answer itself.
 *
 * @throws {ExchangeFailure} and nothing else.
 */
export function readConfidential<T>(
  answer: WireAnswer,
  { action, read, target }: Reading<T> & { readonly target: string },
): T {
  try {
    return readAnswer(answer, { action, read });
  } catch (thrown) {
    const body = blotted(answer.body, secretsIn(target));
    if (body === undefined) throw thrown;
    const { kind, code } = thrown as ExchangeFailure;
    const shown = failureOf({ ...answer, body }, { action, read });
    const message = shown?.message ?? `Cannot ${action}: the answer cannot be read`;
    throw new ExchangeFailure(kind, message, { code, cause: shown?.cause });
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

/** A text with the secrets blotted out, however they are written; undefined if it has none. */
function blotted(text: string, secrets: readonly string[]): string | undefined {
  const written = writingsOf(secrets.filter((secret) => secret !== ''));
  const plain = usual(text);
  if (!written.some((secret) => text.includes(secret) || plain.includes(secret))) return undefined;
  return written.reduce((rest, secret) => rest.replaceAll(secret, '***'), plain);
}

/** JSON in its usual form: needless escapes may hide a secret. */
function usual(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
