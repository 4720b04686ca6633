import { type MarketStatus, printable } from '../app/index.ts';
import { pad, widthOf } from './style.ts';
import { grouped } from './table.ts';

/** `61837.6` as `61,837.60`: grouped digits with a fixed number of places. */
export function formatNumber(value: number, places: number): string {
  return grouped(value.toFixed(places));
}

/** A signed number: `+1.50`, `-0.20`, `0.00`. */
export function formatSigned(value: number, places: number): string {
  const text = formatNumber(Math.abs(value), places);
  const isZero = !/[1-9]/.test(text);
  return isZero ? text : `${value < 0 ? '-' : '+'}${text}`;
}

/** A position to its last digit: a fee may leave an amount finer than orders can have. */
export function formatPosition({ market, position }: Held): string {
  const [, fraction = ''] = position.amount.toString().split('.');
  const places = Math.max(market.amountScale, fraction.length);
  return formatSigned(position.amount.toNumber(), places);
}

type Held = Pick<MarketStatus, 'market' | 'position'>;

/** A profit in the quote currency, with as many places as the market's prices, at least two. */
export function formatProfit(profit: number, { priceScale }: { priceScale: number }): string {
  return formatSigned(profit, Math.max(2, priceScale));
}

/** Milliseconds as `01:02:03` or `02:03`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.floor(durationMs / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  if (hours > 0) parts.unshift(hours);
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** `1 fill`, `2 fills`. */
export function counted(count: number, one: string): string {
  return `${formatNumber(count, 0)} ${one}${count === 1 ? '' : 's'}`;
}

/** Text in columns, each as wide as its widest cell, with invisible characters escaped. */
export function columns(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, at) => pad(cell, widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}
