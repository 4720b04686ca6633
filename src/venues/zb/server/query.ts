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
  let from = mark < 0 ? target.length : mark + 1;
  while (from < target.length) {
    let end = target.indexOf('&', from);
    if (end < 0) end = target.length;
    if (end > from) readPair(target.slice(from, end), values);
    from = end + 1;
  }
  return values;
}

function readPair(pair: string, values: Record<string, string>): void {
  const equals = pair.indexOf('=');
  const name = decode(equals < 0 ? pair : pair.slice(0, equals));
  if (name in values) refuse(CODES.invalidArguments, `Repeated parameter ${name}`);
  values[name] = equals < 0 ? '' : decode(pair.slice(equals + 1));
}

function decode(text: string): string {
  let encoded = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === PERCENT || character === PLUS) encoded = true;
    else if (character > ASCII_LAST) refuse(CODES.invalidArguments, 'Malformed query');
  }
  if (!encoded) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse(CODES.invalidArguments, 'Malformed percent-encoding');
  }
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const ASCII_LAST = 0x7f;
