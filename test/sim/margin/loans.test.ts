import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, VirtualClock } from '../../../src/kernel/index.ts';
import { Loans } from '../../../src/sim/margin/loans.ts';

const ROW = 7;
const CURRENCY = 1;

function loansFixture(ratePerDay = 0.001) {
  const clock = new VirtualClock(0);
  const loans = new Loans({ clock, ratePerDay });
  return { clock, loans };
}

describe('Loans', () => {
  test('charges the rate of a day for a day, rounded up to the last digit', () => {
    const { clock, loans } = loansFixture();
    loans.borrow(ROW, { currency: CURRENCY, units: 1_000_001 });
    expect(loans.debt(ROW, CURRENCY)).toEqual({ principal: 1_000_001, interest: 0 });
    clock.advanceBy(DAY_MS);
    expect(loans.debt(ROW, CURRENCY)).toEqual({ principal: 1_000_001, interest: 1_001 });
    expect(loans.debt(ROW, 0)).toEqual({ principal: 0, interest: 0 });
    expect(loans.debt(ROW + 1, CURRENCY)).toEqual({ principal: 0, interest: 0 });
  });

  test('repays interest before the principal, never more than is owed', () => {
    const { clock, loans } = loansFixture();
    loans.borrow(ROW, { currency: CURRENCY, units: 1_000_000 });
    clock.advanceBy(DAY_MS);
    expect(loans.repay(ROW, { currency: CURRENCY, units: 400 })).toBe(400);
    expect(loans.debt(ROW, CURRENCY)).toEqual({ principal: 1_000_000, interest: 600 });
    expect(loans.repay(ROW, { currency: CURRENCY, units: 700 })).toBe(700);
    expect(loans.debt(ROW, CURRENCY)).toEqual({ principal: 999_900, interest: 0 });
    expect(loans.repay(ROW, { currency: CURRENCY, units: 5_000_000 })).toBe(999_900);
    clock.advanceBy(DAY_MS);
    expect(loans.debt(ROW, CURRENCY)).toEqual({ principal: 0, interest: 0 });
    expect(loans.repay(ROW, { currency: CURRENCY, units: 1 })).toBe(0);
  });

  test('begins anew once all is repaid: no part of a digit is left of the loan before', () => {
    const { clock, loans } = loansFixture();
    for (let times = 0; times < 3; times++) {
      loans.borrow(ROW, { currency: CURRENCY, units: 1 });
      expect(loans.debt(ROW, CURRENCY)).toEqual({ principal: 1, interest: 0 });
      clock.advanceBy(1);
      expect(loans.repay(ROW, { currency: CURRENCY, units: 9 })).toBe(2);
    }
  });

  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 3 * DAY_MS }),
    units: fc.integer({ min: 1, max: 2 ** 40 }),
    looks: fc.boolean(),
  });
  test('owes the exact sum over all milliseconds, however often somebody looks', () => {
    fc.assert(
      fc.property(fc.array(step), fc.integer({ min: 0, max: 100_000 }), (steps, millionths) => {
        const { clock, loans } = loansFixture(millionths / 1_000_000);
        let principal = 0n;
        let unitMs = 0n;
        for (const { waitMs, units, looks } of steps) {
          clock.advanceBy(waitMs);
          unitMs += principal * BigInt(waitMs);
          if (looks) loans.debt(ROW, CURRENCY);
          loans.borrow(ROW, { currency: CURRENCY, units });
          principal += BigInt(units);
        }
        const divisor = BigInt(DAY_MS) * 1_000_000n;
        const interest = (unitMs * BigInt(millionths) + divisor - 1n) / divisor;
        expect(loans.debt(ROW, CURRENCY)).toEqual({
          principal: Number(principal),
          interest: Number(interest),
        });
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
