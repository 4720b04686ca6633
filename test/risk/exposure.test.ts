import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Amount } from '../../src/domain/index.ts';
import { Exposure, SideExposure } from '../../src/risk/exposure.ts';
import { makeMarket, makeOpen } from '../domain/fixture.ts';
import { wholeUnits } from './fixture.ts';

describe('SideExposure.value', () => {
  it('is the sum of products to the last digit, within a double and beyond', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(wholeUnits, wholeUnits), { maxLength: 8 }), (pairs) => {
        const side = new SideExposure(8);
        let naive = 0n;
        for (const [price, amount] of pairs) {
          side.add(price, amount);
          naive += BigInt(price) * BigInt(amount);
        }
        expect(side.value.units).toBe(naive);
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });
});

describe('Exposure.ofLive', () => {
  it('counts an order that is told to have filled more than it is for nothing, never for less', () => {
    const told = makeOpen({ amount: 1 as Amount, filledAmount: 3 as Amount });
    const orders = [makeOpen({ amount: 2 as Amount, filledAmount: 0.5 as Amount }), told];
    const { buy } = Exposure.ofLive(orders, makeMarket());
    expect(buy.amountUnits).toBe(Exposure.ofLive(orders.slice(0, 1), makeMarket()).buy.amountUnits);
    expect(buy.amountUnits).toBeGreaterThan(0);
  });
});
