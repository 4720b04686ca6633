import { CODES } from '../../../exchange/index.ts';
import type { Parameters as QueryValues } from '../wire/signing.ts';
import { refuse } from './answers.ts';

/** Decoded values of a query by their decoded names; without a prototype. */
export type { QueryValues };

/** The longest target that is read, in characters; Node refuses headers above 16 KiB itself. */
const TARGET_LENGTH_MAX = 16_384;

/** The path of a target, without its query. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
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
export function readQuery(target: string): QueryValues {
  if (target.length > TARGET_LENGTH_MAX) refuse(CODES.invalidArguments, 'Request too long');
  const values: Record<string, string> = Object.create(null);
  const mark = target.indexOf('?');
  if (mark < 0) return values;
  const decode = NEEDS_DECODING.test(target) ? decoded : asItIs;
  let from = mark + 1;
  while (from < target.length) {
    let end = target.indexOf('&', from);
    if (end < 0) end = target.length;
    if (end > from) {
      const equals = target.indexOf('=', from);
      const split = equals < 0 || equals > end ? end : equals;
      const name = decode(target.slice(from, split));
      if (name in values) refuse(CODES.invalidArguments, `Repeated parameter ${name}`);
      values[name] = decode(target.slice(split + 1, Math.max(split + 1, end)));
    }
    from = end + 1;
  }
  return values;
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
