import { Decimal } from '../../app/index.ts';

/** A number as plain exact digits, without exponent: what it says in JSON and in tables. */
export function digits(value: number | Decimal): string {
  return Decimal.of(value).toString();
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
