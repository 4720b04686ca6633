const ZERO = 0x30;
/** Numbers below are divided as integers, which is several times as fast. */
const SMALL = 1e9;
const SMALL_DIGITS = 9;

/**
 * Writes the digits of a whole number below 2^53, with zeros before it where it has fewer than
 * `width`; answers with the place behind them.
 */
export function putDigits(bytes: Uint8Array, at: number, value: number, width: number): number {
  if (value < SMALL) {
    const behind = at + Math.max(width, countOf(value));
    putSmall(bytes, at, value, behind);
    return behind;
  }
  const high = Math.floor(value / SMALL);
  const low = putDigits(bytes, at, high, width - SMALL_DIGITS);
  putSmall(bytes, low, value - high * SMALL, low + SMALL_DIGITS);
  return low + SMALL_DIGITS;
}

/** Writes the digits of a small number from one place to before another, with zeros before them. */
function putSmall(bytes: Uint8Array, from: number, value: number, behind: number): void {
  let left = value | 0;
  for (let place = behind - 1; place >= from; place--) {
    const next = (left / 10) | 0;
    bytes[place] = ZERO + left - 10 * next;
    left = next;
  }
}

/** How many digits a number below 10^9 has. */
function countOf(value: number): number {
  if (value < 1e4) return value < 1e2 ? (value < 10 ? 1 : 2) : value < 1e3 ? 3 : 4;
  if (value < 1e6) return value < 1e5 ? 5 : 6;
  return value < 1e8 ? (value < 1e7 ? 7 : 8) : 9;
}
