import { formatDuration } from '../kernel/index.ts';
import type { Measured, Unit } from './metrics/metric.ts';

/** Shown where there is no value. */
export const MISSING = '–';

/** `-1234567.5` as `-1,234,567.50`: grouped digits with a fixed number of places. */
export function formatNumber(value: number, places: number): string {
  if (Number.isNaN(value)) return MISSING;
  if (Math.abs(value) >= 1e21) return value.toExponential(2);
  const text = value.toFixed(places);
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const all = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return /[1-9]/.test(all) ? all : all.replace('-', '');
}

/**
 * A fraction as percent: `0.1234` is `12.34 %`. One that would read `0.00 %` gets four places, if
 * these show more.
 */
export function formatShare(value: number): string {
  const percent = value * 100;
  const places = Math.abs(value) >= 1e4 ? 0 : 2;
  const text = formatNumber(percent, places);
  const finer = /[1-9]/.test(text) ? text : formatNumber(percent, 4);
  return `${/[1-9]/.test(finer) ? finer : text} %`;
}

/** A price or an amount with the digits that it needs, at most eight significant. */
export function formatSignificant(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 8 });
}

/** `2021-05-19 12:34` in UTC; seconds where they are not zero. */
export function formatTime(time: number): string {
  if (!Number.isFinite(time)) return MISSING;
  const text = new Date(time).toISOString();
  const end = text.slice(17, 19) === '00' ? 16 : 19;
  return `${text.slice(0, 10)} ${text.slice(11, end)}`;
}

/** How money of one account is written. */
export interface MoneyFormat {
  readonly currency: string;
  readonly places: number;
}

/** Decimal places: two from 100 on and if the equity is zero or unknown, four from 1 on, else 8. */
export function moneyFormatOf(quote: string, startingEquity: number): MoneyFormat {
  const isLarge = startingEquity >= 100 || !(startingEquity > 0);
  const places = isLarge ? 2 : startingEquity >= 1 ? 4 : 8;
  return { currency: quote.toUpperCase(), places };
}

/** An amount of the account's currency: `1,234.50 USDT`. */
export function formatMoney(value: number, { currency, places }: MoneyFormat): string {
  return `${formatNumber(value, places)} ${currency}`;
}

/** A value in its unit. */
export function formatValue(value: number, unit: Unit, money: MoneyFormat): string {
  switch (unit) {
    case 'fraction':
      return formatShare(value);
    case 'ratio':
      return formatNumber(value, 2);
    case 'quote':
      return formatMoney(value, money);
    case 'count':
      return formatNumber(value, 0);
    case 'duration':
      return formatDuration(value);
    default:
      return unit satisfies never;
  }
}

/** A measured value in its unit, or the sign for none. */
export function formatMeasured(measured: Measured, unit: Unit, money: MoneyFormat): string {
  return measured.value === undefined ? MISSING : formatValue(measured.value, unit, money);
}
