import { ExchangeFailure } from '../../../exchange/index.ts';
import { writingsOf } from '../../../kernel/index.ts';
import { readAnswer, type WireAnswer } from './outcome.ts';

interface Reading<T> {
  readonly action: string;
  readonly read: (json: unknown) => T;
}

/** The parameters of a request that may not be shown, with their values as they stand in a target. */
const SECRETS = /([?&](?:sign|accesskey|safePwd)=)([^&]*)/g;

/** What may be shown of a request target: the path alone where secrets go with it. */
export function shownTarget(target: string): string {
  return target.search(SECRETS) === -1 ? target : target.slice(0, target.indexOf('?'));
}

function secretsIn(target: string): string[] {
  return Array.from(target.matchAll(SECRETS), ([, , value]) =>
    decodeURIComponent(value!.replaceAll('+', ' ')),
  );
}

/**
 * The value of an answer to a signed request, by its target, or its failure.
 *
 * An answer may repeat the request, and a failure repeats a piece of the answer. So where it fails
 * and one does, message and cause are those of the same answer with the secrets blotted out; what is
 * known of the outcome is told by the answer itself.
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

/** A text with every way that it may write a secret blotted out; undefined where it writes none. */
function blotted(text: string, secrets: readonly string[]): string | undefined {
  const written = writingsOf(secrets.filter((secret) => secret !== ''));
  const plain = usual(text);
  if (!written.some((secret) => text.includes(secret) || plain.includes(secret))) return undefined;
  return written.reduce((rest, secret) => rest.replaceAll(secret, '***'), plain);
}

/** JSON in its usual writing: a secret may be hidden behind escapes that nobody needs. */
function usual(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
