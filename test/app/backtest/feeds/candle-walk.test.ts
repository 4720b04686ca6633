import { describe, expect, it } from 'vitest';
import { CandleWalk } from '../../../../src/app/backtest/feeds/candle-walk.ts';

/** The moves of a candle that opens at 1000 and lasts 100 ms, and when they come. */
function movesOf(prices: readonly number[]): (readonly [number, number])[] {
  const walk = new CandleWalk();
  walk.begin(pathTo(prices), { open: 10, openMs: 1_000, lastsMs: 100 });
  const moves: (readonly [number, number])[] = [];
  while (walk.nextMs < Number.POSITIVE_INFINITY) {
    const { nextMs } = walk;
    const price = walk.next();
    if (price !== undefined) moves.push([nextMs, price]);
  }
  return moves;
}

function pathTo(prices: readonly number[]) {
  return { length: prices.length, prices: () => prices };
}

describe('CandleWalk', () => {
  it('comes to its prices evenly over the time of the candle, to whole milliseconds', () => {
    const moves = [
      [1_033, 11],
      [1_066, 12],
      [1_099, 10],
    ];
    expect(movesOf([11, 12, 10])).toEqual(moves);
  });

  it('takes its time for a price as the one before, which is no move', () => {
    const moves = [
      [1_040, 11],
      [1_080, 12],
    ];
    expect(movesOf([10, 11, 11, 12, 12])).toEqual(moves);
    expect(movesOf([10, 10, 10])).toEqual([]);
  });

  it('comes to the close before the candle is over', () => {
    expect(movesOf([10])).toEqual([]);
    expect(movesOf([11])).toEqual([[1_099, 11]]);
    const prices = Array.from({ length: 500 }, (_, at) => at);
    expect(movesOf(prices).at(-1)).toEqual([1_099, 499]);
  });

  it('finds out where it leads with its first step, no earlier', () => {
    const walk = new CandleWalk();
    let isLong = false;
    const path = { length: 3, prices: () => (isLong ? [9, 11, 10] : [11, 9, 10]) };
    walk.begin(path, { open: 10, openMs: 0, lastsMs: 30 });
    expect(walk.nextMs).toBe(10);
    isLong = true;
    expect(walk.next()).toBe(9);
    isLong = false;
    expect([walk.next(), walk.next()]).toEqual([11, 10]);
  });

  it('leads nowhere before a candle opens', () => {
    expect(new CandleWalk().nextMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('begins anew with each candle', () => {
    const walk = new CandleWalk();
    walk.begin(pathTo([1, 2, 3]), { open: 0, openMs: 0, lastsMs: 30 });
    walk.next();
    walk.begin(pathTo([5, 6]), { open: 3, openMs: 30, lastsMs: 30 });
    expect([walk.nextMs, walk.next(), walk.nextMs, walk.next()]).toEqual([45, 5, 59, 6]);
    expect(walk.nextMs).toBe(Number.POSITIVE_INFINITY);
  });
});
