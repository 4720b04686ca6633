import type { Level } from '../../../domain/index.ts';
import { illegible, listOf, sizeOf } from './read.ts';

/** Asks lowest first. @throws {WireError} */
export function asksOf(value: unknown): readonly Level[] {
  return bestFirst(levelsOf(value, 'asks'), 1);
}

/** Bids highest first. @throws {WireError} */
export function bidsOf(value: unknown): readonly Level[] {
  return bestFirst(levelsOf(value, 'bids'), -1);
}

function levelsOf(value: unknown, what: string): readonly Level[] {
  const rows = listOf(value, what);
  if (rows.every(isLevel)) return rows;
  return rows.map((row) => levelOf(row, what)).filter(([price, amount]) => price > 0 && amount > 0);
}

/** The usual form, which is taken as it is: a copy of 100 pairs costs more than their checks. */
function isLevel(row: unknown): row is Level {
  return Array.isArray(row) && row.length === 2 && isPositive(row[0]) && isPositive(row[1]);
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY;
}

function levelOf(row: unknown, what: string): Level {
  const [price, amount] = listOf(row, what);
  if (price === undefined || amount === undefined) illegible(what, row, 'price and amount');
  return [sizeOf(price, what), sizeOf(amount, what)];
}

/** Levels by price: rising for a sign of 1, falling for -1. One dialect sends asks upside down. */
function bestFirst(levels: readonly Level[], sign: 1 | -1): readonly Level[] {
  if (isOrdered(levels, sign)) return levels;
  const reversed = levels.toReversed();
  if (isOrdered(reversed, sign)) return reversed;
  return reversed.sort((a, b) => (a[0] - b[0]) * sign);
}

function isOrdered(levels: readonly Level[], sign: 1 | -1): boolean {
  for (let at = 1; at < levels.length; at++) {
    if ((levels[at]![0] - levels[at - 1]![0]) * sign < 0) return false;
  }
  return true;
}
