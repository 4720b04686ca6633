import { DecimalError } from './errors.ts';

/** Which way an inexact result goes: towards zero, away from zero, or to the nearest (half away). */
export const ROUNDINGS = ['down', 'up', 'nearest'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

const PATTERN = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

const quoted = (value: string | number): string =>
  typeof value === 'string' ? JSON.stringify(value) : String(value);

const POWERS = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10 to the power of `exponent`, as a BigInt. */
export function powerOfTen(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

/** `dividend / divisor` to a whole number, rounded as told. `divisor` is positive. */
export function divideRounded(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (remainder === 0n || rounding === 'down') return quotient;
  const away = dividend < 0n ? quotient - 1n : quotient + 1n;
  if (rounding === 'up') return away;
  const twice = (remainder < 0n ? -remainder : remainder) * 2n;
  return twice >= divisor ? away : quotient;
}

const SAFE = Number.MAX_SAFE_INTEGER;
/** A whole number of this many digits is always a safe integer. */
const SAFE_DIGITS = 15;
/** The powers of ten by their exponent: all that a double holds exactly. */
export const DOUBLE_POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * An exact decimal number: `units` divided by 10 to the power of `scale`. Immutable, unbounded.
 *
 * For money: balances, fees, profit, the value of an order. Sums, differences and products are
 * exact; only `round` loses digits, and says which way. A run makes very many of them, so helpers
 * are functions: private methods would make each object larger and slower to create.
 */
export class Decimal {
  static readonly ZERO = new Decimal(0, 0);
  /** The units: a number while they are a safe integer, which is ten times as fast; never -0. */
  readonly whole: number | bigint;
  readonly scale: number;

  /** @throws {RangeError} when the units are no whole number. */
  constructor(units: bigint | number, scale: number) {
    const isWhole = typeof units === 'bigint' || Number.isInteger(units);
    const isSmall = isWhole && units <= SAFE && units >= -SAFE;
    this.whole = isSmall ? Number(units) + 0 : BigInt(units);
    this.scale = scale;
  }

  /**
   * Reads a text such as `-12.50` or `1e-8`, or a finite number by its shortest text.
   *
   * @throws {DecimalError} when the value is not a finite decimal number.
   */
  static of(value: string | number | bigint | Decimal): Decimal {
    if (value instanceof Decimal) return value;
    if (typeof value === 'bigint') return new Decimal(value, 0);
    const short = typeof value === 'number' ? shortDecimal(value) : undefined;
    if (short !== undefined) return short;
    const match = PATTERN.exec(String(value).trim());
    if (match === null) {
      throw new DecimalError(
        `Cannot read a decimal: it is ${quoted(value)}, a finite number is wanted`,
      );
    }
    const [, sign, whole, fraction = '', exponent = '0'] = match;
    const digits = `${sign}${whole}${fraction}`;
    const scale = fraction.length - Number(exponent);
    if (scale < 0) return new Decimal(BigInt(digits) * powerOfTen(-scale), 0);
    return new Decimal(digits.length > SAFE_DIGITS ? BigInt(digits) : Number(digits), scale);
  }

  get units(): bigint {
    return BigInt(this.whole);
  }

  plus(other: Decimal): Decimal {
    if (other.whole === 0) return this;
    if (this.whole === 0) return other;
    const scale = Math.max(this.scale, other.scale);
    const sum = doubleAt(this, scale) + doubleAt(other, scale);
    if (sum <= SAFE && sum >= -SAFE) return new Decimal(sum, scale);
    return new Decimal(unitsAt(this, scale) + unitsAt(other, scale), scale);
  }

  minus(other: Decimal): Decimal {
    if (other.whole === 0) return this;
    const scale = Math.max(this.scale, other.scale);
    const difference = doubleAt(this, scale) - doubleAt(other, scale);
    if (difference <= SAFE && difference >= -SAFE) return new Decimal(difference, scale);
    return new Decimal(unitsAt(this, scale) - unitsAt(other, scale), scale);
  }

  times(other: Decimal): Decimal {
    const scale = this.scale + other.scale;
    const product = doubleOf(this) * doubleOf(other);
    if (product <= SAFE && product >= -SAFE) return new Decimal(product, scale);
    return new Decimal(this.units * other.units, scale);
  }

  /**
   * The quotient, rounded to `scale` decimal places; an exact one may have fewer.
   *
   * @throws {DecimalError} when `other` is zero.
   */
  dividedBy(other: Decimal, scale: number, rounding: Rounding): Decimal {
    if (other.whole === 0) throw new DecimalError('Cannot divide: the divisor is zero');
    const least = Math.max(0, this.scale - other.scale);
    return (
      (least <= scale ? exactQuotient(this, other, least) : undefined) ??
      roundedQuotient(this, other, { scale, rounding })
    );
  }

  negated(): Decimal {
    return new Decimal(typeof this.whole === 'number' ? 0 - this.whole : -this.whole, this.scale);
  }

  abs(): Decimal {
    return this.whole < 0 ? this.negated() : this;
  }

  /** At most `scale` decimal places, rounded as told. */
  round(scale: number, rounding: Rounding): Decimal {
    if (scale === this.scale) return this;
    if (scale > this.scale) {
      const units = doubleAt(this, scale);
      return new Decimal(Number.isNaN(units) ? unitsAt(this, scale) : units, scale);
    }
    const divisor = DOUBLE_POWERS[this.scale - scale];
    if (typeof this.whole === 'number' && divisor !== undefined) {
      return new Decimal(divideDoubles(this.whole, divisor, rounding), scale);
    }
    return new Decimal(divideRounded(this.units, powerOfTen(this.scale - scale), rounding), scale);
  }

  /** Negative, zero or positive as this is less than, equal to or greater than `other`. */
  compare(other: Decimal): number {
    const scale = Math.max(this.scale, other.scale);
    const difference = doubleAt(this, scale) - doubleAt(other, scale);
    if (!Number.isNaN(difference)) return Math.sign(difference);
    const a = unitsAt(this, scale);
    const b = unitsAt(other, scale);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  get sign(): number {
    return this.whole > 0 ? 1 : this.whole < 0 ? -1 : 0;
  }

  /** The nearest double: for indicators, charts and people, never for settling. */
  toNumber(): number {
    const power = DOUBLE_POWERS[this.scale];
    // One division of two exact numbers is rounded once: to the nearest double.
    if (typeof this.whole === 'number' && power !== undefined) return this.whole / power;
    return Number(this.toString());
  }

  /** Plain digits without exponent or trailing zeros: `-12.5`. */
  toString(): string {
    if (this.scale === 0) return `${this.whole}`;
    const power = DOUBLE_POWERS[this.scale];
    if (typeof this.whole !== 'number' || this.scale > SAFE_DIGITS || power === undefined) {
      return withoutZeros(this.toFixed());
    }
    // Two small numbers are formatted faster than a large one.
    const units = Math.abs(this.whole);
    const fraction = units % power;
    const whole = `${this.whole < 0 ? '-' : ''}${(units - fraction) / power}`;
    return fraction === 0 ? whole : `${whole}.${withoutZeros(`${power + fraction}`).slice(1)}`;
  }

  /** Plain digits with exactly `scale` places. Default: this decimal's own. Rounds to nearest. */
  toFixed(scale: number = this.scale): string {
    const { whole: units } = this.round(scale, 'nearest');
    const digits = (units < 0 ? -units : units).toString().padStart(scale + 1, '0');
    const whole = digits.slice(0, digits.length - scale);
    const text = scale === 0 ? whole : `${whole}.${digits.slice(digits.length - scale)}`;
    return units < 0 ? `-${text}` : text;
  }

  /** JSON holds the exact digits as a string. */
  toJSON(): string {
    return this.toString();
  }
}

/** The quotient if `scale` decimal places hold it exactly, otherwise undefined. */
function exactQuotient(value: Decimal, other: Decimal, scale: number): Decimal | undefined {
  const up = doubleAt(value, scale + other.scale);
  const down = doubleOf(other);
  const remainder = up % down;
  if (remainder === 0) return new Decimal(up / down, scale);
  if (!Number.isNaN(remainder)) return undefined;
  const [dividend, divisor] = [unitsAt(value, scale + other.scale), other.units];
  return dividend % divisor === 0n ? new Decimal(dividend / divisor, scale) : undefined;
}

function roundedQuotient(
  value: Decimal,
  other: Decimal,
  { scale, rounding }: { readonly scale: number; readonly rounding: Rounding },
): Decimal {
  const sign = other.whole < 0 ? -1n : 1n;
  const shift = scale + other.scale - value.scale;
  const up = value.units * sign * (shift > 0 ? powerOfTen(shift) : 1n);
  const down = other.units * sign * (shift < 0 ? powerOfTen(-shift) : 1n);
  return new Decimal(divideRounded(up, down, rounding), scale);
}

function unitsAt({ units, scale: own }: Decimal, scale: number): bigint {
  return scale === own ? units : units * powerOfTen(scale - own);
}

function doubleOf({ whole }: Decimal): number {
  return typeof whole === 'number' ? whole : Number.NaN;
}

/** The units at `scale`, at least the decimal's own scale; NaN where a double can't hold them. */
function doubleAt({ whole, scale: own }: Decimal, scale: number): number {
  if (typeof whole !== 'number') return Number.NaN;
  if (scale === own) return whole;
  const units = whole * (DOUBLE_POWERS[scale - own] ?? Number.NaN);
  return units <= SAFE && units >= -SAFE ? units : Number.NaN;
}

/** Decimal places that are tried before a number is read from its text. */
const SHORT_PLACES = 10;
/** Below this many units a double stands for one decimal alone: see `units.ts`. */
const SHORT_UNITS = 2 ** 51;

/** The decimal of a number with few places, as its shortest text has it; undefined for others. */
function shortDecimal(value: number): Decimal | undefined {
  for (let scale = 0; scale <= SHORT_PLACES; scale++) {
    const power = DOUBLE_POWERS[scale]!;
    const units = Math.round(value * power);
    if (!(units < SHORT_UNITS && units > -SHORT_UNITS)) return undefined;
    if (units / power === value) return new Decimal(units, scale);
  }
  return undefined;
}

const ZERO_CODE = '0'.charCodeAt(0);

/** Digits without trailing zeros, and without a trailing point. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO_CODE) end--;
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end);
}

/** `divideRounded` for safe integers: the remainder of doubles is exact. */
function divideDoubles(dividend: number, divisor: number, rounding: Rounding): number {
  const remainder = dividend % divisor;
  const quotient = (dividend - remainder) / divisor;
  if (remainder === 0 || rounding === 'down') return quotient;
  const away = dividend < 0 ? quotient - 1 : quotient + 1;
  if (rounding === 'up') return away;
  return Math.abs(remainder) * 2 >= divisor ? away : quotient;
}
