import { Decimal } from '../../../kernel/index.ts';
import { WireError } from './errors.ts';

/** A JSON object as it came. */
export type Fields = Readonly<Record<string, unknown>>;

/** The longest excerpt of an unexpected text in a message, characters. */
const EXCERPT_LENGTH = 80;

/** Fails to read a value. @throws {WireError} always. */
export function illegible(what: string, is: unknown, wanted: string): never {
  throw new WireError(`Cannot read ${what}: it is ${excerpt(is)}, ${wanted} is wanted`);
}

/** A value of any kind as a short text for a message; only the shape of objects and arrays. */
export function excerpt(value: unknown): string {
  const text = Array.isArray(value)
    ? `an array of ${value.length}`
    : isFields(value)
      ? `an object of ${Object.keys(value).join(', ') || 'nothing'}`
      : String(value);
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}...` : text;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws {WireError} when it is no JSON object. */
export function fieldsOf(value: unknown, what: string): Fields {
  return isFields(value) ? value : illegible(what, value, 'an object');
}

/** @throws {WireError} when it is no JSON array. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : illegible(what, value, 'an array');
}

/** A finite number, written as a number or as a string. @throws {WireError} for anything else. */
export function numberOf(value: unknown, what: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number)
    ? number
    : illegible(what, value, 'a number');
}

/** A finite number that is not negative. @throws {WireError} for anything else. */
export function sizeOf(value: unknown, what: string): number {
  const number = numberOf(value, what);
  return number >= 0 ? number : illegible(what, value, 'a number from 0 on');
}

const HUNDREDTH = Decimal.of('0.01');

/**
 * A fraction that is given in percent: 0.55 is 0.0055, which a division by 100 misses by the last
 * bit.
 *
 * @throws {WireError} when it is no number.
 */
export function fractionOf(value: unknown, what: string): number {
  return Decimal.of(numberOf(value, what)).times(HUNDREDTH).toNumber();
}

/** An exact number, by its text. @throws {WireError} when it is none. */
export function decimalOf(value: unknown, what: string): Decimal {
  if (typeof value !== 'string' && typeof value !== 'number') illegible(what, value, 'a number');
  try {
    return Decimal.of(value);
  } catch (error) {
    throw new WireError(`Cannot read ${what}: it is ${excerpt(value)}, a number is wanted`, {
      cause: error,
    });
  }
}

/** @throws {WireError} when it is neither true nor false. */
export function flagOf(value: unknown, what: string): boolean {
  return typeof value === 'boolean' ? value : illegible(what, value, 'true or false');
}

/**
 * A text, empty if it is missing; a number by its digits. @throws {WireError} for anything else.
 */
export function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : illegible(what, value, 'a text');
}

/** The name of a currency, in lower case. @throws {WireError} when it is none. */
export function nameOf(value: unknown, what: string): string {
  const isName = typeof value === 'string' && value.trim() !== '';
  return isName ? value.trim().toLowerCase() : illegible(what, value, 'a name');
}

/** An identifier made of digits, as text. @throws {WireError} when it is none. */
export function idOf(value: unknown, what: string): string {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d+$/.test(text) ? text : illegible(what, value, 'digits');
}

/** Times below this are seconds: 1e11 is over 3000 years in seconds, March 1973 in milliseconds. */
const SECONDS_BELOW = 1e11;

/** A time in milliseconds, whether it was sent in seconds or milliseconds. @throws {WireError} */
export function timeOf(value: unknown, what: string): number {
  const time = sizeOf(value, what);
  return time < SECONDS_BELOW ? time * 1000 : time;
}
