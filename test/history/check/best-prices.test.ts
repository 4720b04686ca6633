import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BestPrices } from '../../../src/history/check/best-prices.ts';

/** Clears a book, or sets one of its levels, which an amount of 0 removes. */
const step = fc.oneof(
  { weight: 1, arbitrary: fc.constant('clear' as const) },
  {
    weight: 20,
    arbitrary: fc.tuple(fc.constantFrom(1, -1), fc.integer({ min: 1, max: 8 }), fc.nat(2)),
  },
);

describe('BestPrices', () => {
  it('are those of all levels that are there, after every change', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, isAskedEachTime) => {
        const best = new BestPrices();
        let levels: (readonly [side: number, price: number])[] = [];
        const pricesOf = (side: number) =>
          levels.filter((level) => level[0] === side).map(([, price]) => price);
        for (const [at, change] of steps.entries()) {
          if (change === 'clear') {
            best.clear();
            levels = [];
          } else {
            const [side, price, amount] = change;
            best.set(side, price, amount);
            levels = levels.filter((level) => level[0] !== side || level[1] !== price);
            if (amount > 0) levels.push([side, price]);
          }
          if (!isAskedEachTime && at < steps.length - 1) continue;
          const [bid, ask] = [Math.max(...pricesOf(1)), Math.min(...pricesOf(-1))];
          expect([best.bid, best.ask, best.isCrossed]).toEqual([bid, ask, bid >= ask]);
        }
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
