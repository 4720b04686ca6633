import { printable } from '../app/index.ts';
import { type Paint, terminalWidth } from './style.ts';
import { bandLines, bandsOf } from './table-bands.ts';

/** A column: its head, whether it is aligned right, and whether its numbers get equal places. */
export interface Column {
  readonly head: string;
  readonly isRight: boolean;
  readonly isAlike: boolean;
}

/** A column of words, aligned left. */
export const words = (head: string): Column => ({ head, isRight: false, isAlike: false });

/**
 * A column of decimal texts, aligned right; all get as many places as the longest, so that their
 * points stand below each other, and their thousands are grouped.
 */
export const numbers = (head: string): Column => ({ head, isRight: true, isAlike: true });

/** A column of texts with units of their own, aligned right. */
export const figures = (head: string): Column => ({ head, isRight: true, isAlike: false });

export interface TableOptions {
  readonly rows: readonly (readonly string[])[];
  readonly paint: Paint;
  /** How wide it may be, in columns. Default: the terminal's width. */
  readonly width?: number;
}

/**
 * A table for people: a head and a row per record, or `(none)`, with invisible characters escaped.
 * If it is too wide, its widest column of words is wrapped. If that is not enough, columns that do
 * not fit go to lines of their own below, in order.
 */
export function table(
  columns: readonly Column[],
  { rows, paint, width = terminalWidth() }: TableOptions,
): string[] {
  const cells = columns.map(({ isAlike }, at) => {
    const column = rows.map((row) => printable(row[at] ?? ''));
    return isAlike ? alike(column) : column;
  });
  const all = columns.map(({ head, isRight }, at) => ({ isRight, texts: [head, ...cells[at]!] }));
  const bands = bandsOf(all, width);
  const lines = (index: number): string[] => bands.flatMap((band) => bandLines(band, index));
  const head = lines(0).map((line) => paint('quiet', line));
  if (rows.length === 0) return [...head, '(none)'];
  return [...head, ...rows.flatMap((_row, index) => lines(index + 1))];
}

/** Decimal texts with equally many places; what is no number, such as `-`, stays as it is. */
function alike(texts: readonly string[]): string[] {
  const places = texts.reduce((most, text) => Math.max(most, placesOf(text)), 0);
  return texts.map((text) => (/\d/.test(text) ? grouped(withPlaces(text, places)) : text));
}

/** A decimal text with at least that many places: `0.5` as `0.500`. */
export function withPlaces(text: string, places: number): string {
  const missing = Math.max(0, places - placesOf(text));
  const point = missing > 0 && !text.includes('.') ? '.' : '';
  return text + point + '0'.repeat(missing);
}

function placesOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** `-1234567.5` as `-1,234,567.5`: every digit is kept. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
