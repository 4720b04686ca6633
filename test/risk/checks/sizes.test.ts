import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Side } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { maximum } from '../../../src/risk/checks/maximum.ts';
import { minimum } from '../../../src/risk/checks/minimum.ts';
import type { Check } from '../../../src/risk/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import {
  anyOrderUnits,
  draftOf,
  makeDraft,
  makeQuotes,
  makeRisk,
  type RiskSetup,
  reviewIntent,
  reviewOrder,
} from '../fixture.ts';

function refusedBy(check: Check, setup: RiskSetup) {
  const { view } = makeRisk(setup);
  return (price: number, amount: number): boolean => {
    const onOrder = check.ask?.(reviewOrder(view, makeDraft({ price, amount })));
    const quotes = makeQuotes([100], [[price, amount]]);
    const onIntent = check.ask?.(reviewIntent(view, quotes));
    expect(onIntent).toEqual(onOrder);
    return onOrder !== undefined;
  };
}

const market = makeMarket({ minAmount: 0.05, minSize: 12.3456 });

describe('minimum', () => {
  const refused = refusedBy(minimum, { markets: [market] });

  it('refuses just what is below the least amount or the least value', () => {
    fc.assert(
      fc.property(anyOrderUnits, fc.constantFrom(1, 10, 100), (units, shrink) => {
        const amountUnits = Math.ceil(units.amountUnits / shrink);
        const { price, amount } = draftOf({ ...units, amountUnits });
        const small = amountUnits < 500 || units.priceUnits * amountUnits < 12_345_600;
        expect(refused(price, amount)).toBe(small);
      }),
      { seed: 15, numRuns: 500 },
    );
  });

  it('passes the least itself', () => {
    expect(refused(1_000, 0.05)).toBe(false);
    expect(refused(1_000, 0.0499)).toBe(true);
    expect(refused(123.45, 0.1)).toBe(true);
    expect(refused(123.46, 0.1)).toBe(false);
  });
});

describe('minimum, where orders are charged beyond a share', () => {
  const charges = { perOrder: Decimal.of(5), perUnit: Decimal.ZERO, least: Decimal.ZERO };
  const asked = (side: Side, { amount, taker }: { amount: number; taker: number }) => {
    const { view } = makeRisk({ feeRates: { maker: 0, taker, in: 'quote', charges } });
    return minimum.ask?.(reviewOrder(view, makeDraft({ side, price: 100, amount })));
  };

  it('refuses just the sells that are worth less than their fee', () => {
    expect(asked('sell', { amount: 0.05, taker: 0 })).toBeUndefined();
    expect(asked('sell', { amount: 0.0499, taker: 0 })).toEqual({
      ...{ limit: 'its fee of 5 usdt at least', observed: '4.99 usdt' },
    });
    const dearest = { limit: 'its fee of 5.0505 usdt at least' };
    expect(asked('sell', { amount: 0.0505, taker: 0.01 })).toMatchObject(dearest);
    expect(asked('buy', { amount: 0.0499, taker: 0 })).toBeUndefined();
  });
});

describe('maximum', () => {
  const refused = refusedBy(maximum, { limits: { orderValueMax: 150.5, orderAmountMax: 2 } });

  it('refuses just what is above the most amount or the most value', () => {
    fc.assert(
      fc.property(anyOrderUnits, (units) => {
        const { price, amount } = draftOf(units);
        const { priceUnits, amountUnits } = units;
        const large = amountUnits > 20_000 || priceUnits * amountUnits > 150_500_000;
        expect(refused(price, amount)).toBe(large);
      }),
      { seed: 16, numRuns: 500 },
    );
  });

  it('passes the most itself, and any amount where none is configured', () => {
    expect(refused(100, 1.505)).toBe(false);
    expect(refused(100, 1.5051)).toBe(true);
    expect(refused(1, 2)).toBe(false);
    expect(refused(1, 2.0001)).toBe(true);
    expect(refusedBy(maximum, {})(1, 1_000_000)).toBe(false);
  });

  it('takes the limits of the market where it has its own', () => {
    const limits = { orderValueMax: 10, markets: { btc_usdt: { orderValueMax: 100 } } };
    const ownLimit = refusedBy(maximum, { limits });
    expect(ownLimit(100, 1)).toBe(false);
    expect(ownLimit(100, 1.0001)).toBe(true);
  });

  it('is exact where a double is not', () => {
    const fine = makeMarket({ priceScale: 8, amountScale: 8 });
    const exact = refusedBy(maximum, { markets: [fine], limits: { orderValueMax: 1_000_000 } });
    expect(exact(1_000, 1_000)).toBe(false);
    expect(exact(1_000.00000001, 1_000)).toBe(true);
  });
});
