import type { Amount, Market, Price } from '../../../domain/index.ts';
import { CODES } from '../../../exchange/index.ts';
import { Decimal, fromUnits, UNITS_MAX } from '../../../kernel/index.ts';
import { refuse } from './answers.ts';

/** A price as the exchange takes it. @throws {ExchangeFailure} with code 3002. */
export function readPrice(market: Market, text: string): Price {
  const price = readWritten(text, market.priceScale);
  if (price !== undefined && price > 0) return price as Price;
  const wanted = `a number above 0 with at most ${market.priceScale} decimal places`;
  return refuse(CODES.invalidPrice, `Invalid price: ${wanted} wanted`);
}

/** An amount as the exchange takes it. @throws {ExchangeFailure} with code 3003. */
export function readAmount(market: Market, text: string): Amount {
  const amount = readWritten(text, market.amountScale);
  if (amount !== undefined && amount > 0) return amount as Amount;
  const wanted = `a number above 0 with at most ${market.amountScale} decimal places`;
  return refuse(CODES.invalidAmount, `Invalid amount: ${wanted} wanted`);
}

/** Plain digits with at most 30 of them before and after the point. */
const SUM = /^\d{1,30}(?:\.\d{1,30})?$/;

/**
 * An exact sum, in plain decimal digits or as scripting languages write a float; undefined for all
 * else.
 */
export function readSum(text: string): Decimal | undefined {
  if (SUM.test(text)) return Decimal.of(text);
  const digits = plainDigits(text);
  return digits !== undefined && SUM.test(digits) ? Decimal.of(digits) : undefined;
}

/** As scripting languages write a float: `5e-05`, `.5`, `10000.`. */
const FLOAT = /^(\d{0,30})(?:\.(\d{0,30}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** The same number in plain digits; undefined if it is not a number. */
function plainDigits(text: string): string | undefined {
  const [, whole = '', fraction = '', exponent = '0'] = FLOAT.exec(text) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const point = whole.length + Number(exponent);
  const before = '0'.repeat(Math.max(0, 1 - point));
  const digits = `${before}${whole}${fraction}`.padEnd(point, '0');
  const at = before.length + point;
  return at < digits.length ? `${digits.slice(0, at)}.${digits.slice(at)}` : digits;
}

/** A number for `readExact`, or the same number written as a float. */
function readWritten(text: string, scale: number): number | undefined {
  const read = readExact(text, scale);
  if (read !== undefined) return read;
  const digits = plainDigits(text);
  return digits === undefined ? undefined : readExact(digits, scale);
}

/**
 * Plain decimal digits as a number on the scale; undefined for anything else, for digits other than
 * 0 beyond the scale, and from 2^51 units on. Reads without floating-point arithmetic.
 */
export function readExact(text: string, scale: number): number | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(scale))) return undefined;
  const units = Number(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return units < UNITS_MAX ? fromUnits(units, scale) : undefined;
}
