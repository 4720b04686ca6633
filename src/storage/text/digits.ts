const ZERO = 0x30;
/** Numbers below this are divided as integers, which is several times as fast. */
const SMALL = 1e9;
const SMALL_DIGITS = 9;
/** At each index the smallest number that has more digits than the index. */
const POWERS = Array.from({ length: SMALL_DIGITS }, (_, digits) => 10 ** digits);

/**
 * Writes the digits of a whole number below 2^53, padded with zeros to `width`; returns the place
 * after them.
 */
export function putDigits(bytes: Uint8Array, at: number, value: number, width: number): number {
  if (value < SMALL) return putSmall(bytes, at, value, width);
  const high = Math.floor(value / SMALL);
  const low = putSmall(bytes, at, high, Math.max(1, width - SMALL_DIGITS));
  return putSmall(bytes, low, value - high * SMALL, SMALL_DIGITS);
}

function putSmall(bytes: Uint8Array, at: number, value: number, width: number): number {
  let digits = width;
  while (digits < SMALL_DIGITS && value >= POWERS[digits]!) digits++;
  let left = value | 0;
  for (let place = at + digits - 1; place >= at; place--) {
    const next = (left / 10) | 0;
    bytes[place] = ZERO + left - 10 * next;
    left = next;
  }
  return at + digits;
}
