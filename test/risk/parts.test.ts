import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partOf } from '../../src/risk/parts.ts';
import { makeDraft, makeMarket, makeTrader } from './fixture.ts';

describe('partOf', () => {
  it('is the most, or the half where that would leave less than two least orders', () => {
    const limits = { most: 100n, least: 5n };
    expect(partOf(300n, limits)).toBe(100n);
    expect(partOf(110n, limits)).toBe(100n);
    expect(partOf(109n, limits)).toBe(55n);
    expect(partOf(101n, limits)).toBe(51n);
    expect(partOf(100n, limits)).toBe(100n);
  });

  it('is the most where the half is no order either, too little or too much', () => {
    expect(partOf(11n, { most: 10n, least: 9n })).toBe(10n);
    expect(partOf(30n, { most: 10n, least: 30n })).toBe(10n);
    expect(partOf(18n, { most: 10n, least: 9n })).toBe(9n);
    expect(partOf(27n, { most: 10n, least: 9n })).toBe(10n);
  });

  it('leaves parts that are all orders, wherever one order may trade twice the least', () => {
    const units = fc.bigInt({ min: 1n, max: 10_000n });
    fc.assert(
      fc.property(units, units, units, (least, beyond, wanted) => {
        const most = 2n * least + beyond;
        let left = wanted + least;
        while (left > most) {
          const part = partOf(left, { most, least });
          expect(part >= least && part <= most).toBe(true);
          left -= part;
        }
        expect(left >= least).toBe(true);
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

describe('RiskGate.order: an exit that is more than one order may be', () => {
  const EXIT = { side: 'sell', type: 'ioc', price: 100 } as const;
  const leaves = (amount: number, limits: object, { price = 100, minAmount = 0.0001 } = {}) => {
    const markets = [makeMarket({ minAmount })];
    const { gate } = makeTrader({ held: { maker: 3 }, limits, markets });
    return gate.order(makeDraft({ ...EXIT, amount, price }));
  };

  it('leaves in halves where the rest would be below the least amount or value', () => {
    const limits = { orderValueMax: 100 };
    expect(leaves(1.005, limits)).toMatchObject({ value: { amount: 0.5025 } });
    expect(leaves(1.2, limits)).toMatchObject({ value: { amount: 1 } });
    const most = { orderAmountMax: 1 };
    expect(leaves(1.0015, most)).toMatchObject({ value: { amount: 0.5008 } });
    expect(leaves(1.02, most)).toMatchObject({ value: { amount: 1 } });
    // The least order is of 0.0101 there, for 0.01 would be worth less than 1.
    expect(leaves(1.0201, most, { price: 99.7 })).toMatchObject({ value: { amount: 0.5101 } });
    expect(leaves(1.15, most, { minAmount: 0.1 })).toMatchObject({ value: { amount: 0.575 } });
  });
});
