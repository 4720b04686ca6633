import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Currencies } from '../../src/sim/currencies.ts';
import { marketUnits } from '../../src/sim/market-units.ts';
import { checkTerms } from '../../src/sim/order-checks.ts';
import { makeMarket } from '../domain/fixture.ts';
import { requestFixture } from './fixture.ts';

/** With 16 places of a value, one that is worth 1 already counts more units than a double holds. */
const FINE = makeMarket({ priceScale: 8, amountScale: 8, minAmount: 0, minSize: 1 });
const UNITS = marketUnits(FINE, { currencies: new Currencies([FINE]) });

/** Whether an order is refused for its value; `least` counts units of price x amount. */
function isTooSmall(terms: { price: number; amount: number }, least = UNITS.minValue): boolean {
  try {
    checkTerms(requestFixture(terms), { ...UNITS, minValue: least });
    return false;
  } catch (thrown) {
    return /the value is .*, at least/.test((thrown as Error).message);
  }
}

describe('checkTerms', () => {
  test('refuses a value one unit below the least where a double rounds it up to that', () => {
    expect(isTooSmall({ price: 1.00000001, amount: 0.99999999 })).toBe(true);
    expect(isTooSmall({ price: 1.00000001, amount: 1 })).toBe(false);
    expect(isTooSmall({ price: 1, amount: 1 })).toBe(false);
  });

  test('compares every value with the least exactly', () => {
    const units = fc.integer({ min: 90_000_000, max: 2 ** 28 });
    fc.assert(
      fc.property(units, units, fc.integer({ min: -3, max: 3 }), (price, amount, off) => {
        const product = BigInt(price) * BigInt(amount);
        const least = Number(product + BigInt(off));
        const terms = { price: price / 1e8, amount: amount / 1e8 };
        expect(isTooSmall(terms, least)).toBe(product < BigInt(least));
      }),
      { seed: 6, numRuns: 1_000 },
    );
  });
});
