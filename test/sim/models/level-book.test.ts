import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LevelBook } from '../../../src/sim/models/level-book.ts';
import type { LevelSide } from '../../../src/sim/models/level-book-side.ts';

/** A side as [price, amount] levels, best first, walked from level to level. */
function levelsOf(side: LevelSide): [number, number][] {
  const levels: [number, number][] = [];
  for (let price = side.best; price !== 0; price = side.next(price)) {
    levels.push([price, side.amountAt(price)]);
  }
  return levels;
}

/** The same by a map that is sorted each time. */
class NaiveSide {
  readonly amounts = new Map<number, number>();

  set(price: number, amount: number): void {
    if (amount > 0) this.amounts.set(price, amount);
    else this.amounts.delete(price);
  }

  levels(sign: 1 | -1): [number, number][] {
    return [...this.amounts].sort(([a], [b]) => sign * (b - a));
  }
}

/** Prices near each other, near the edges of a window of 1024 ticks, and far away. */
const price = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 4_950, max: 5_050 }) },
  { weight: 3, arbitrary: fc.integer({ min: 3_900, max: 6_100 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3_000_000 }) },
);
const step = fc.record({
  price,
  amount: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 })),
  clears: fc.integer({ min: 0, max: 199 }).map((draw) => draw === 0),
});

describe('LevelBook', () => {
  test.each([
    ['bids', 1],
    ['asks', -1],
  ] as const)('%s equal a sorted map after every step', (name, sign) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const side = new LevelBook({ windowTicks: 1_024 })[name];
        const naive = new NaiveSide();
        for (const { price, amount, clears } of steps) {
          if (clears) {
            side.clear();
            naive.amounts.clear();
          }
          side.set(price, amount);
          naive.set(price, amount);
          const levels = naive.levels(sign);
          expect(side.best).toBe(levels[0]?.[0] ?? 0);
        }
        const levels = naive.levels(sign);
        expect(levelsOf(side)).toEqual(levels);
        const [prices, amounts] = [new Float64Array(5), new Float64Array(5)];
        const count = side.top(prices, amounts);
        const top = Array.from({ length: count }, (_, at) => [prices[at], amounts[at]]);
        expect(top).toEqual(levels.slice(0, 5));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('follows prices that wander through many windows', () => {
    const side = new LevelBook({ windowTicks: 1_024 }).bids;
    const naive = new NaiveSide();
    let centre = 50_000;
    for (let at = 0; at < 60_000; at++) {
      centre += ((at * 7_919) % 13) - (at < 30_000 ? 5 : 7);
      const price = Math.max(1, centre + ((at * 104_729) % 700) - 350);
      const amount = at % 3 === 0 ? 0 : (at % 17) + 1;
      const known = [...naive.amounts.keys()][at % Math.max(1, naive.amounts.size)];
      for (const changed of [price, ...(at % 2 === 0 && known !== undefined ? [known] : [])]) {
        const to = changed === price ? amount : 0;
        side.set(changed, to);
        naive.set(changed, to);
      }
      if (at % 1_000 === 0) expect(levelsOf(side)).toEqual(naive.levels(1));
    }
    expect(levelsOf(side)).toEqual(naive.levels(1));
  });

  test('holds prices finer than any window', () => {
    const { asks } = new LevelBook();
    for (const price of [6e12, 6e12 + 3e6, 5e12, 7e12]) asks.set(price, 1);
    expect(levelsOf(asks).map(([price]) => price)).toEqual([5e12, 6e12, 6e12 + 3e6, 7e12]);
    asks.set(5e12, 0);
    expect(asks.best).toBe(6e12);
  });

  test('may be crossed in itself', () => {
    const book = new LevelBook();
    book.bids.set(101, 1);
    book.asks.set(100, 2);
    expect([book.side('buy').best, book.side('sell').best]).toEqual([101, 100]);
    book.clear();
    expect([book.bids.best, book.asks.best]).toEqual([0, 0]);
  });
});
