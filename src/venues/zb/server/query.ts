import { CODES } from '../../../exchange/index.ts';
import { isSigned, signedText } from '../wire/signing.ts';
import { refuse } from './answers.ts';

/** The decoded values of a request by their decoded names. */
export class Query {
  readonly #values = new Map<string, string>();
  /** Whether the signed names came in ASCII order so far. */
  #isSorted = true;
  #lastSigned = '';

  /**
   * Takes up a parameter.
   *
   * @throws {ExchangeFailure} with code 3005 where its name came before: nobody could tell which of
   * the two was meant and signed.
   */
  add(name: string, value: string): void {
    if (this.#values.has(name)) refuse(CODES.invalidArguments, `Repeated parameter ${name}`);
    this.#values.set(name, value);
    if (!isSigned(name, value)) return;
    this.#isSorted &&= this.#lastSigned <= name;
    this.#lastSigned = name;
  }

  /** Undefined where the name did not come; empty where it came without a value. */
  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** The text that `sign` covers. Nearly all requests come sorted, which saves the sorting. */
  signedText(): string {
    if (!this.#isSorted) return signedText(Object.fromEntries(this.#values));
    let text = '';
    for (const [name, value] of this.#values) {
      if (isSigned(name, value)) text += text === '' ? `${name}=${value}` : `&${name}=${value}`;
    }
    return text;
  }
}

/** The longest target that is read, in characters. */
export const TARGET_LENGTH_MAX = 16_384;

/** The path of a target, without its query and without a slash at its end. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/**
 * Reads the query of a request target.
 *
 * `+` and `%20` are both a space, brackets and commas may stand raw, empty pieces are skipped, and a
 * name without `=` has the empty value. A name that comes twice is refused, for nobody could tell
 * which of the two was meant and signed.
 *
 * @throws {ExchangeFailure} with code 3005 for malformed percent-encoding, raw characters beyond
 * ASCII, a repeated name or a target that is too long.
 */
export function readQuery(target: string): Query {
  if (target.length > TARGET_LENGTH_MAX) refuse(CODES.invalidArguments, 'Request too long');
  const query = new Query();
  const mark = target.indexOf('?');
  const decode = NEEDS_DECODING.test(target) ? decoded : asItIs;
  let from = mark < 0 ? target.length : mark + 1;
  while (from < target.length) {
    let end = target.indexOf('&', from);
    if (end < 0) end = target.length;
    if (end > from) {
      const equals = target.indexOf('=', from);
      const split = equals < 0 || equals > end ? end : equals;
      const value = decode(target.slice(split + 1, Math.max(split + 1, end)));
      query.add(decode(target.slice(from, split)), value);
    }
    from = end + 1;
  }
  return query;
}

/** Anything but printable ASCII, and the two characters that stand for others. */
const NEEDS_DECODING = /[^!-~]|[%+]/;
/** Anything that may not stand raw in a target. */
const BEYOND_ASCII = /[^\0-\x7f]/;

function asItIs(text: string): string {
  return text;
}

function decoded(text: string): string {
  if (BEYOND_ASCII.test(text)) refuse(CODES.invalidArguments, 'Malformed query');
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse(CODES.invalidArguments, 'Malformed percent-encoding');
  }
}
