import { CODES } from '../../../exchange/index.ts';
import { isSigned, signedText } from '../wire/signing.ts';
import { refuse } from './answers.ts';

/** Names up to which looking through all of them is quicker than a map. */
const SEARCHED_MAX = 32;

/** The decoded values of a request by their decoded names. */
export class Query {
  readonly #target: string;
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  /** Where each parameter begins in the target. */
  readonly #starts: number[] = [];
  /** Whether names and values stand in the target as they are. */
  readonly #isPlain: boolean;
  /** The name that comes last in ASCII order so far. */
  #highest = '';
  /** Whether each signed name surely comes after all before it in ASCII order. */
  #isSorted = true;
  /** Values by name, from as many names on as are more than a request has. */
  #byName: Map<string, string> | undefined;

  /**
   * Reads the query of a request target, as `readQuery` describes it.
   *
   * @throws {ExchangeFailure} with code 3005.
   */
  constructor(target: string) {
    this.#target = target;
    this.#isPlain = !NEEDS_DECODING.test(target);
    const mark = target.indexOf('?');
    let from = mark < 0 ? target.length : mark + 1;
    while (from < target.length) {
      let end = target.indexOf('&', from);
      if (end < 0) end = target.length;
      if (end > from) this.#read(from, end);
      from = end + 1;
    }
  }

  /** Undefined where the name did not come; empty where it came without a value. */
  get(name: string): string | undefined {
    if (this.#byName !== undefined) return this.#byName.get(name);
    const at = this.#names.indexOf(name);
    return at < 0 ? undefined : this.#values[at];
  }

  /**
   * The text that `sign` covers. Nearly all requests come sorted, with all that is signed in one
   * piece: it is read off the target then.
   */
  signedText(): string {
    if (!this.#isSorted) return signedText(Object.fromEntries(this.#entries()));
    const text = this.#signedPiece();
    if (text !== undefined) return text;
    return this.#entries()
      .filter(([name, value]) => isSigned(name, value))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
  }

  /** Takes up the parameter between two places. */
  #read(from: number, end: number): void {
    const target = this.#target;
    const equals = target.indexOf('=', from);
    const split = equals < 0 || equals > end ? end : equals;
    const text = target.slice(split + 1, Math.max(split + 1, end));
    const value = this.#isPlain ? text : decoded(text);
    const name = this.#isPlain ? target.slice(from, split) : decoded(target.slice(from, split));
    if (name > this.#highest) this.#highest = name;
    else this.#checkOutOfOrder(name, value);
    this.#names.push(name);
    this.#values.push(value);
    this.#starts.push(from);
    if (this.#byName !== undefined) this.#byName.set(name, value);
    else if (this.#names.length === SEARCHED_MAX) this.#byName = new Map(this.#entries());
  }

  /** A name that does not come after all before it may be one of them. */
  #checkOutOfOrder(name: string, value: string): void {
    if (this.get(name) !== undefined) {
      refuse(CODES.invalidArguments, `Repeated parameter ${name}`);
    }
    if (isSigned(name, value)) this.#isSorted = false;
  }

  #entries(): [string, string][] {
    return this.#names.map((name, at) => [name, this.#values[at]!]);
  }

  /** The piece of the target that is the signed text, undefined where no piece is. */
  #signedPiece(): string | undefined {
    if (!this.#isPlain) return undefined;
    const target = this.#target;
    let first = -1;
    let end = -1;
    for (let at = 0; at < this.#names.length; at++) {
      const name = this.#names[at]!;
      const value = this.#values[at]!;
      if (!isSigned(name, value)) continue;
      const start = this.#starts[at]!;
      if (first < 0) first = start;
      else if (start !== end + 1) return undefined;
      // A name that came without `=` is signed with one.
      if (target[start + name.length] !== '=') return undefined;
      end = start + name.length + 1 + value.length;
    }
    return first < 0 ? '' : target.slice(first, end);
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
  return new Query(target);
}

/** Anything but printable ASCII, and the two characters that stand for others. */
const NEEDS_DECODING = /[^!-~]|[%+]/;
/** Anything that may not stand raw in a target. */
const BEYOND_ASCII = /[^\0-\x7f]/;

function decoded(text: string): string {
  if (BEYOND_ASCII.test(text)) refuse(CODES.invalidArguments, 'Malformed query');
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse(CODES.invalidArguments, 'Malformed percent-encoding');
  }
}
