/** A number of 16 characters or more outside of a string: a double may not hold it. */
const LONG_NUMBER = /[[:,\s]-?\d[\d.]{15}/;

/** The most decimal digits that a double always holds. Source: IEEE 754. */
const SAFE_DIGITS = 15;

/**
 * Parses JSON without loss: a number with more digits than a double surely holds comes as its text.
 *
 * Identifiers of orders lie above 2^53, and sums of money may have more than 15 digits. Texts
 * without such numbers, nearly all of them, are parsed the plain and fast way.
 *
 * @throws {SyntaxError} when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  return LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(
  _name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || source.length <= SAFE_DIGITS)
    return value;
  return source;
}
