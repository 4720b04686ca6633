import { InvalidArgumentError } from 'commander';
import { type Decimal, rooms } from '../../app/index.ts';
import { grouped } from '../table.ts';

const { Decimal: Exact, isClientOrderId, readMoment } = await rooms.nouns();

/** Decimal places of money that people are shown at most; programs get all. */
const MONEY_PLACES = 8;

/** A number as plain exact digits, without exponent, for JSON and tables. */
export function digits(value: number | Decimal): string {
  return Exact.of(value).toString();
}

/** An amount for people, with all its digits and its currency: `1,234.5 usdt`. */
export function amountOf(value: number | Decimal, currency: string | undefined): string {
  return `${grouped(digits(value))} ${currency}`;
}

/** Money for people, rounded to `MONEY_PLACES`. */
export function money(value: Decimal): string {
  return digits(value.round(MONEY_PLACES, 'nearest'));
}

/** A profit for people: `+1.5`, `-0.2`, `0`. */
export function signedMoney(value: Decimal): string {
  return `${value.sign > 0 ? '+' : ''}${money(value)}`;
}

/** Milliseconds since the epoch as UTC, such as `2024-01-31T10:00:00.000Z`. */
export function utc(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** A fraction as a percentage of two places, with its sign. */
export function percent(fraction: number): string {
  const text = (fraction * 100).toFixed(2);
  return `${Number(text) > 0 ? '+' : ''}${text} %`;
}

export function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** A decimal above 0 in plain digits, such as `0.05`. */
export function decimal(text: string): Decimal {
  const value = /^\d+(\.\d+)?$/.test(text) ? Exact.of(text) : Exact.ZERO;
  if (value.sign > 0) return value;
  throw new InvalidArgumentError('a number above 0 in plain digits, such as 0.05, is wanted.');
}

/** A decimal in plain digits, such as `0.05`, `0` or `-0.05`. */
export function signedDecimal(text: string): Decimal {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Exact.of(text);
  throw new InvalidArgumentError('a number in plain digits, such as 0.05, is wanted.');
}

/** A moment in UTC, such as `2024-01-31` or `2024-01-31T10:00Z`, in milliseconds since the epoch. */
export function moment(text: string): number {
  const ms = readMoment(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(
    'a moment in UTC such as 2024-01-31T10:00Z, on a day that there is, is wanted.',
  );
}

/** A valid moment as it was typed, for settings that read it themselves. */
export function momentText(text: string): string {
  moment(text);
  return text;
}

/** An id that a client may give an order. */
export function clientId(text: string): string {
  if (isClientOrderId(text)) return text;
  throw new InvalidArgumentError('4 to 36 letters or digits are wanted.');
}
