import type { Level } from '../../../domain/index.ts';
import { decimalSum } from '../../../kernel/index.ts';
import { listOf, sizeOf } from './read.ts';

/** Asks lowest first. @throws {WireError} */
export function asksOf(value: unknown): readonly Level[] {
  return sideOf(value, { what: 'asks', sign: 1 });
}

/** Bids highest first. @throws {WireError} */
export function bidsOf(value: unknown): readonly Level[] {
  return sideOf(value, { what: 'bids', sign: -1 });
}

/**
 * A side of the book. From the best price on, prices rise if the sign is 1, and fall if it is -1.
 */
interface Side {
  readonly what: 'asks' | 'bids';
  readonly sign: 1 | -1;
}

function sideOf(value: unknown, side: Side): readonly Level[] {
  const rows = listOf(value, side.what);
  if (isUsual(rows, side)) return rows;
  const levels = rows
    .map((row) => levelOf(row, side.what))
    .filter(([price, amount]) => price > 0 && amount > 0);
  return merged(bestFirst(levels, side), side.what);
}

/**
 * Whether rows are in the usual form and can be used without a copy: copying 100 pairs costs more
 * than checking them. A price that comes twice, as when finer ones were rounded, is not usual:
 * whoever keeps levels by price needs one level.
 */
function isUsual(rows: readonly unknown[], { sign }: Side): rows is readonly Level[] {
  let before = sign === 1 ? 0 : Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (!Array.isArray(row) || row.length !== 2) return false;
    const price: unknown = row[0];
    if (!isPositive(price) || !isPositive(row[1])) return false;
    if ((price - before) * sign <= 0) return false;
    before = price;
  }
  return true;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY;
}

function levelOf(row: unknown, what: string): Level {
  const [price, amount] = listOf(row, what);
  return [sizeOf(price, what), sizeOf(amount, what)];
}

/** Joins the levels of the same price. */
function merged(levels: readonly Level[], what: string): readonly Level[] {
  const sums: Level[] = [];
  for (const [price, amount] of levels) {
    const last = sums.at(-1);
    if (last?.[0] === price)
      sums[sums.length - 1] = [price, sizeOf(decimalSum(last[1], amount), what)];
    else sums.push([price, amount]);
  }
  return sums;
}

/** Sorts levels best first: one dialect sends asks upside down. */
function bestFirst(levels: readonly Level[], { sign }: Side): readonly Level[] {
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
