import { CODES } from '../../../exchange/index.ts';
import { refuse } from './answers.ts';

/** The decoded values of a request by their decoded names; empty for a name without a value. */
export type Query = ReadonlyMap<string, string>;

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
 * `+` and `%20` are both a space, brackets and commas may be unencoded, empty pieces are skipped,
 * and a name without `=` has an empty value. A name that comes twice is refused, because nobody
 * could tell which of the two was meant and signed.
 *
 * @throws {ExchangeFailure} with code 3005 for malformed percent-encoding, raw characters beyond
 * ASCII, a repeated name or a target that is too long.
 */
export function readQuery(target: string): Query {
  if (target.length > TARGET_LENGTH_MAX) refuse(CODES.invalidArguments, 'Request too long');
  const values = new Map<string, string>();
  const mark = target.indexOf('?');
  for (const piece of mark < 0 ? [] : target.slice(mark + 1).split('&')) {
    if (piece === '') continue;
    const [name, ...parts] = piece.split('=');
    const decodedName = decoded(name!);
    if (values.has(decodedName)) {
      refuse(CODES.invalidArguments, `Repeated parameter ${decodedName}`);
    }
    values.set(decodedName, decoded(parts.join('=')));
  }
  return values;
}

/** Characters that must be encoded in a target. */
const BEYOND_ASCII = /[^\0-\x7f]/;

function decoded(text: string): string {
  if (BEYOND_ASCII.test(text)) refuse(CODES.invalidArguments, 'Malformed query');
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse(CODES.invalidArguments, 'Malformed percent-encoding');
  }
}
