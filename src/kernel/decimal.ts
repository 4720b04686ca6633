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

/**
 * An exact decimal number: `units` divided by 10 to the power of `scale`. Immutable, unbounded.
 *
 * For money: balances, fees, profit, the value of an order. Sums, differences and products are
 * exact; only `round` loses digits, and says which way.
 */
export class Decimal {
  static readonly ZERO = new Decimal(0n, 0);
  readonly units: bigint;
  readonly scale: number;

  constructor(units: bigint, scale: number) {
    this.units = units;
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
    const match = PATTERN.exec(String(value).trim());
    if (match === null) {
      throw new DecimalError(
        `Cannot read a decimal: it is ${quoted(value)}, a finite number is wanted`,
      );
    }
    const [, sign, whole, fraction = '', exponent = '0'] = match;
    const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
    const scale = fraction.length - Number(exponent);
    return scale >= 0 ? new Decimal(digits, scale) : new Decimal(digits * powerOfTen(-scale), 0);
  }

  plus(other: Decimal): Decimal {
    if (this.scale === other.scale) return new Decimal(this.units + other.units, this.scale);
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.#at(scale) + other.#at(scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(other.negated());
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.units * other.units, this.scale + other.scale);
  }

  /** The quotient to `scale` decimal places. @throws {DecimalError} when `other` is zero. */
  dividedBy(other: Decimal, scale: number, rounding: Rounding): Decimal {
    if (other.units === 0n) throw new DecimalError('Cannot divide: the divisor is zero');
    const sign = other.units < 0n ? -1n : 1n;
    const shift = scale + other.scale - this.scale;
    const up = this.units * sign * (shift > 0 ? powerOfTen(shift) : 1n);
    const down = other.units * sign * (shift < 0 ? powerOfTen(-shift) : 1n);
    return new Decimal(divideRounded(up, down, rounding), scale);
  }

  negated(): Decimal {
    return new Decimal(-this.units, this.scale);
  }

  abs(): Decimal {
    return this.units < 0n ? this.negated() : this;
  }

  /** At most `scale` decimal places, rounded as told. */
  round(scale: number, rounding: Rounding): Decimal {
    if (scale >= this.scale) return new Decimal(this.#at(scale), scale);
    return new Decimal(divideRounded(this.units, powerOfTen(this.scale - scale), rounding), scale);
  }

  /** Negative, zero or positive as this is less than, equal to or greater than `other`. */
  compare(other: Decimal): number {
    const scale = Math.max(this.scale, other.scale);
    const a = this.#at(scale);
    const b = other.#at(scale);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  get sign(): number {
    return this.units > 0n ? 1 : this.units < 0n ? -1 : 0;
  }

  /** The nearest double: for indicators, charts and people, never for settling. */
  toNumber(): number {
    return Number(this.toString());
  }

  /** Plain digits without exponent or trailing zeros: `-12.5`. */
  toString(): string {
    const text = this.toFixed();
    return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  }

  /** Plain digits with exactly `scale` places. Default: this decimal's own. Rounds to nearest. */
  toFixed(scale: number = this.scale): string {
    const units = this.round(scale, 'nearest').units;
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
    const whole = digits.slice(0, digits.length - scale);
    const text = scale === 0 ? whole : `${whole}.${digits.slice(digits.length - scale)}`;
    return units < 0n ? `-${text}` : text;
  }

  /** JSON holds the exact digits as a string. */
  toJSON(): string {
    return this.toString();
  }

  #at(scale: number): bigint {
    return scale === this.scale ? this.units : this.units * powerOfTen(scale - this.scale);
  }
}
