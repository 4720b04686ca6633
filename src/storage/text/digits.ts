const ZERO = 0x30;
/** Numbers below are divided as integers, which is several times as fast. */
const SMALL = 1e9;
const SMALL_DIGITS = 9;

/**
 * Writes the digits of a whole number below 2^53, with zeros before it where it has fewer than
 * `width`; answers with the place behind them.
 */
export function putDigits(
  bytes: Uint8Array,
  { at, value, width }: { readonly at: number; readonly value: number; readonly width: number },
): number {
  if (value < SMALL) {
    const digits = Math.max(width, countOf(value));
    putSmall(bytes, value, { at, digits });
    return at + digits;
  }
  const high = Math.floor(value / SMALL);
  const behind = putDigits(bytes, { at, value: high, width: width - SMALL_DIGITS });
  putSmall(bytes, value - high * SMALL, { at: behind, digits: SMALL_DIGITS });
  return behind + SMALL_DIGITS;
}

function putSmall(
  bytes: Uint8Array,
  value: number,
  { at, digits }: { readonly at: number; readonly digits: number },
): void {
  let left = value | 0;
  for (let place = at + digits - 1; place >= at; place--) {
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
