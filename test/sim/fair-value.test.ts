import { describe, expect, it } from 'vitest';
import { DAY_MS, seededRandom } from '../../src/kernel/index.ts';
import { FairValue } from '../../src/sim/fair-value.ts';
import type { SyntheticParameters } from '../../src/sim/index.ts';
import { syntheticFixture } from './fixture.ts';

/** How far prices are from their start after a year: the root of the mean square logarithm. */
function spreadOf(overrides: Partial<SyntheticParameters>): number {
  const parameters = syntheticFixture({ startPrice: 100, ...overrides });
  const squares = Array.from({ length: 400 }, (_, seed) => {
    const fair = new FairValue(parameters, seededRandom(String(seed)));
    for (let day = 0; day < 365; day++) fair.advance(DAY_MS);
    return Math.log(fair.price / 100) ** 2;
  });
  return Math.sqrt(squares.reduce((sum, square) => sum + square) / squares.length);
}

describe('FairValue', () => {
  it('goes as far in a year as its volatility says where nothing draws it back', () => {
    const walk = { volatility: 0.6, volatilityOfVolatility: 0, reversionHalfLifeMs: null };
    expect(spreadOf(walk)).toBeGreaterThan(0.55);
    expect(spreadOf(walk)).toBeLessThan(0.65);
  });

  it('stays near its start else', () => {
    expect(spreadOf({ volatility: 0.6, volatilityOfVolatility: 0 })).toBeLessThan(0.04);
  });

  it('is told of a walk from where it was to where it came, as far as it went between', () => {
    const fair = new FairValue(syntheticFixture({ startPrice: 100 }), seededRandom('walk'));
    for (let walk = 0; walk < 100; walk++) {
      const from = fair.price;
      const { open, high, low, close } = fair.walk(DAY_MS, 4);
      expect([open, close]).toEqual([from, fair.price]);
      expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
      expect(low).toBeLessThanOrEqual(Math.min(open, close));
    }
  });
});
