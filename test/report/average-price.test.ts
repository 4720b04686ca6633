import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import { AveragePrice } from '../../src/report/trips/average-price.ts';

const SCALES = { priceScale: 2, amountScale: 6 };

/** Prices and amounts of these, in units: beyond their scale too, small and large. */
const trades = fc.array(
  fc.record({
    price: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1e12 })),
    places: fc.constantFrom(0, 2, 5),
    amount: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 9e14 })),
  }),
  { minLength: 1, maxLength: 6 },
);

describe('AveragePrice', () => {
  test('is the double nearest to the quotient of exact sums', () => {
    fc.assert(
      fc.property(trades, (drawn) => {
        const average = new AveragePrice(SCALES);
        let value = Decimal.ZERO;
        let sum = Decimal.ZERO;
        for (const { price: units, places, amount: amountUnits } of drawn) {
          const price = new Decimal(units, places);
          const amount = new Decimal(amountUnits, 8);
          average.add(price.toNumber(), amount.toNumber());
          value = value.plus(price.times(amount));
          sum = sum.plus(amount);
        }
        const exact = Number(value.dividedBy(sum, 40, 'nearest').toString());
        expect(average.value).toBe(exact);
        expect(average.value).toBe(exact);
      }),
      { seed: 5, numRuns: 2_000 },
    );
  });

  test('goes on after it was told', () => {
    const average = new AveragePrice(SCALES);
    expect(average.value).toBeUndefined();
    average.add(0.1, 1);
    expect(average.value).toBe(0.1);
    average.add(0.3, 1);
    expect(average.value).toBe(0.2);
    average.add(0.3, 2);
    expect(average.value).toBe(0.25);
  });
});
