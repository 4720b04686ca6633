import { describe, expect, it } from 'vitest';
import { isHeld, scriptedMarket, scriptedPosition } from '../../src/strategy/index.ts';

const held = (amount: number, price = 100, market = scriptedMarket): boolean =>
  isHeld(market, scriptedPosition({ time: 0, amount, price }).position);

describe('isHeld', () => {
  it.each([1, -1])('counts what the market takes an order of (side %i)', (side) => {
    expect(held(side * 0.01)).toBe(true);
    expect(held(side * 0.0099)).toBe(false);
  });

  it('counts no part of a step, whatever it is worth', () => {
    expect(held(0)).toBe(false);
    expect(held(0.000099, 1e6)).toBe(false);
    expect(held(0.0001, 1e6)).toBe(true);
  });

  it('counts what it does not know the price of', () => {
    expect(held(0.01, 0)).toBe(true);
    expect(held(-0.01, 0)).toBe(true);
  });

  it('counts nothing below the least amount', () => {
    const market = { ...scriptedMarket, minAmount: 0.5 };
    expect(held(0.49, 100, market)).toBe(false);
    expect(held(0.5, 100, market)).toBe(true);
  });
});
