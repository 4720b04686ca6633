/** Units of stamps since the epoch, told apart by magnitude: each covers the years 1973 to 5138. */
const UNITS = [
  { below: 1e11, perMs: 1e-3 },
  { below: 1e14, perMs: 1 },
  { below: 1e17, perMs: 1e3 },
  { below: 1e20, perMs: 1e6 },
] as const;

/**
 * Counts in the years 2000 to 2035 of microseconds since 1899 (Sierra Chart), and of 100 ns since
 * 1601 (Windows) and since the year 1 (.NET). As stamps since the epoch they would be of 2070 and
 * later, of 1974 and of 1990, and nobody has data of these.
 */
export const TICKS = [
  { from: 3.155e15, below: 4.26e15 },
  { from: 1.25e17, below: 1.37e17 },
  { from: 6.3e17, below: 6.45e17 },
] as const;

/**
 * A time in milliseconds since the epoch, from a stamp in seconds, milliseconds, microseconds or
 * nanoseconds: told apart by magnitude.
 *
 * @throws {TypeError} when the value is none of these.
 */
export function readTime(value: unknown): number {
  // The quick way for what exchanges send all the time: milliseconds as a number.
  if (typeof value === 'number' && value >= 1e11 && value < 1e13) return value;
  const text = String(value).trim();
  const stamp = /^\d+(\.\d*)?$/.test(text) ? Number(text) : Number.NaN;
  const unit = UNITS.find(({ below }) => stamp < below);
  const isTick = TICKS.some(({ from, below }) => stamp >= from && stamp < below);
  if (unit === undefined || stamp < 1e8 || isTick) {
    throw new TypeError(`the time is ${quote(value)}, a stamp since the epoch is wanted`);
  }
  // Nanoseconds have more digits than a double: cut the text, not the number.
  if (unit.perMs === 1e6 && /^\d+$/.test(text)) {
    return Number(`${text.slice(0, -6)}.${text.slice(-6)}`);
  }
  // A division by a power of ten is correctly rounded, a multiplication by its inverse is not.
  return unit.perMs < 1 ? roundMicro(stamp * 1e3) : stamp / unit.perMs;
}

/** Seconds with a fraction, times 1000, lose their last bits: a microsecond is all they hold. */
function roundMicro(timeMs: number): number {
  return Math.round(timeMs * 1e3) / 1e3;
}

/** A finite number, zero or more. @throws {TypeError} naming `what` otherwise. */
export function readAmount(value: unknown, what: string): number {
  const fast = typeof value === 'string' ? Number(value) : 0;
  if (fast > 0 && fast < Infinity) return fast;
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = isText || typeof value === 'number' ? Number(value) : Number.NaN;
  if (Number.isFinite(number) && number >= 0) return number;
  throw new TypeError(`the ${what} is ${quote(value)}, a number is wanted`);
}

/** A value as it stands in a message, cut to a readable length. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
