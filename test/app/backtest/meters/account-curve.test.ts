import { describe, expect, it } from 'vitest';
import { accountCurve } from '../../../../src/app/backtest/meters/account-curve.ts';
import type { SampleColumns } from '../../../../src/app/backtest/record/sample-log.ts';
import { wholeCurve } from '../../../report/fixture.ts';

const BASES = [[{ market: 0, divides: false }], [{ market: 1, divides: false }]];
const AT_OPEN = {
  ...{ markets: ['btc_usdt', 'eth_usdt'], routes: BASES, bought: BASES },
  buyAndHold: 'firstOpen',
} as const;

/** Four samples of two markets; the second is priced from the third on, and held from the fourth. */
function makeSamples(overrides: Partial<SampleColumns> = {}): SampleColumns {
  return {
    time: Float64Array.of(0, 1, 2, 3),
    money: Float64Array.of(1_000, 800, 800, 780),
    prices: [Float64Array.of(100, 110, 120, 90), Float64Array.of(Number.NaN, Number.NaN, 20, 10)],
    amounts: [Float64Array.of(0, 2, 2, 2), Float64Array.of(0, 0, 0, 1)],
    positions: [Float64Array.of(0, 2, 2, 2), Float64Array.of(0, 0, 0, 1)],
    ...overrides,
  };
}

/** The samples in two blocks. */
function cutAt(row: number, samples: SampleColumns): SampleColumns[] {
  const part = (from: number, to?: number): SampleColumns => {
    const cut = (column: Float64Array) => column.slice(from, to);
    const { time, money, prices, amounts, positions } = samples;
    return {
      ...{ time: cut(time), money: cut(money), prices: prices.map(cut) },
      ...{ amounts: amounts.map(cut), positions: positions.map(cut) },
    };
  };
  return [part(0, row), part(row)];
}

describe('accountCurve', () => {
  it.each([1, 2, 3])(
    'is worth cash and what is held at its prices, whatever its blocks: cut at %i',
    (row) => {
      const curve = accountCurve(cutAt(row, makeSamples()), AT_OPEN);
      for (let round = 0; round < 2; round++) {
        expect(wholeCurve({ curve })).toEqual({
          time: Float64Array.of(0, 1, 2, 3),
          cash: Float64Array.of(1_000, 800, 800, 780),
          positionValue: Float64Array.of(0, 220, 240, 190),
          equity: Float64Array.of(1_000, 1_020, 1_040, 970),
          positions: new Map([
            ['btc_usdt', Float64Array.of(0, 2, 2, 2)],
            ['eth_usdt', Float64Array.of(0, 0, 0, 1)],
          ]),
          // 500 in each: 5 btc from 100 on, and 25 eth, worth what they cost until they have a price.
          buyAndHold: Float64Array.of(1_000, 1_050, 1_100, 700),
        });
      }
    },
  );

  it('knows what holding came to only where the starting equity and every price are known', () => {
    const none = Float64Array.of(Number.NaN, Number.NaN, Number.NaN, Number.NaN);
    const unpriced = { prices: [makeSamples().prices[0]!, none] };
    const poor = { money: new Float64Array(4) };
    for (const overrides of [unpriced, poor]) {
      const curve = accountCurve([makeSamples(overrides)], AT_OPEN);
      expect(wholeCurve({ curve }).buyAndHold).toBeUndefined();
    }
    expect([...accountCurve([], AT_OPEN)]).toEqual([]);
  });

  it.each([1, 2, 3])('holds from the first close on, where that is wanted: cut at %i', (row) => {
    const samples = cutAt(row, makeSamples());
    const curve = accountCurve(samples, { ...AT_OPEN, buyAndHold: 'firstClose' });
    const held = wholeCurve({ curve }).buyAndHold!;
    // 500 of btc at 110, behind the start, and of eth at 20.
    const wanted = [1_000, 1_000, 500 * (120 / 110) + 500, 500 * (90 / 110) + 250];
    for (const [at, value] of wanted.entries()) expect(held[at]).toBeCloseTo(value, 9);
  });

  it.each([1, 2, 3])('leaves alone the coins that it starts with: cut at %i', (row) => {
    const amounts = [Float64Array.of(3, 2, 2, 2), Float64Array.of(0, 0, 0, 1)];
    const curve = accountCurve(cutAt(row, makeSamples({ amounts })), AT_OPEN);
    // 1,000 and 3 btc; of eth, which has no price at first, there is none.
    expect(wholeCurve({ curve }).leftAlone).toEqual(Float64Array.of(1_300, 1_330, 1_360, 1_270));
  });

  it('has nothing to leave alone where it starts with money, whatever it buys', () => {
    expect(wholeCurve({ curve: accountCurve([makeSamples()], AT_OPEN) })).not.toHaveProperty(
      'leftAlone',
    );
  });

  it.each([1, 2, 3])('does not know what is held where prices end: cut at %i', (row) => {
    const prices = makeSamples().prices.map((column) => column.fill(50, 0, 2).fill(Number.NaN, 2));
    const curve = accountCurve(cutAt(row, makeSamples({ prices })), AT_OPEN);
    expect(wholeCurve({ curve }).buyAndHold).toEqual(
      Float64Array.of(1_000, 1_000, Number.NaN, Number.NaN),
    );
  });
});

describe('accountCurve of markets of several quote currencies', () => {
  it.each([1, 2, 3])(
    'values each currency once, by the markets that lead from it: cut at %i',
    (row) => {
      // eth_btc and btc_usdt, in usdt: eth is worth 0.5 btc.
      const [btc, eth] = [[{ market: 1, divides: false }], [{ market: 0, divides: false }]];
      const routes = [[...eth, ...btc], btc];
      const samples = makeSamples({
        prices: [Float64Array.of(0.5, 0.5, 0.5, 0.6), Float64Array.of(100, 110, 120, 90)],
        amounts: [Float64Array.of(4, 4, 2, 2), Float64Array.of(0, 0, 1, 1)],
      });
      const options = { ...AT_OPEN, markets: ['eth_btc', 'btc_usdt'], routes, bought: routes };
      const { equity, positionValue, leftAlone, buyAndHold } = wholeCurve({
        curve: accountCurve(cutAt(row, samples), options),
      });
      // 4 eth are 2 btc; then 2 of them are 1, and there is another one.
      expect(positionValue).toEqual(Float64Array.of(200, 220, 240, 2 * 0.6 * 90 + 90));
      expect(equity).toEqual(Float64Array.of(1_200, 1_020, 1_040, 780 + 2 * 0.6 * 90 + 90));
      expect(leftAlone).toEqual(Float64Array.of(1_200, 1_220, 1_240, 1_000 + 4 * 0.6 * 90));
      // 600 in each: 12 eth at 50, and 6 btc at 100.
      const held = [1_200, 1_320, 1_440, 12 * 0.6 * 90 + 6 * 90];
      for (const [at, value] of held.entries()) expect(buyAndHold![at]).toBeCloseTo(value, 9);
    },
  );

  it('holds the currency of the account itself, where a market trades it for another', () => {
    const options = { ...AT_OPEN, bought: [[], BASES[1]!] };
    const held = wholeCurve({ curve: accountCurve([makeSamples()], options) }).buyAndHold;
    // Half of 1,000 stays, the other one is 25 eth.
    expect(held).toEqual(Float64Array.of(1_000, 1_000, 1_000, 750));
  });
});
