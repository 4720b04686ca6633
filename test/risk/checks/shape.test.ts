import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Price } from '../../../src/domain/index.ts';
import { shape } from '../../../src/risk/checks/shape.ts';
import {
  makeDraft,
  makeOrderIntent,
  makeQuotes,
  makeRisk,
  makeTarget,
  reviewIntent,
  reviewOrder,
} from '../fixture.ts';

const { view } = makeRisk();
const anyNumber = fc.oneof(
  fc.integer({ min: -5, max: 100_000 }).map((units) => units / 10_000),
  fc.double(),
  fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 60),
);

/** Positive, plain digits, no more places than the scale: read off the shortest text. */
function isOnScale(value: number, scale: number): boolean {
  if (!(value > 0) || value > 1e9) return false;
  const text = String(value);
  return !text.includes('e') && (text.split('.')[1] ?? '').length <= scale;
}

describe('shape', () => {
  it('passes just what is finite, positive and on scale', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (price, amount) => {
        const sound = isOnScale(price, 2) && isOnScale(amount, 4);
        const fine = (refusal: unknown) => refusal === undefined;
        expect(fine(shape.ask?.(reviewOrder(view, makeDraft({ price, amount }))))).toBe(sound);
        const intent = makeQuotes([100], [[price, amount]]);
        expect(fine(shape.ask?.(reviewIntent(view, intent)))).toBe(sound);
      }),
      { seed: 13, numRuns: 500 },
    );
  });

  it.each([
    [{ side: 'hold' }, 'side hold'],
    [{ type: 'stop' }, 'type stop'],
    [{ price: 100.005 }, 'price 100.005'],
    [{ amount: 0 }, 'amount 0'],
  ])('refuses %o', (overrides, observed) => {
    expect(shape.ask?.(reviewOrder(view, makeDraft(overrides)))?.observed).toBe(observed);
    const intent = makeOrderIntent(overrides);
    expect(shape.ask?.(reviewIntent(view, intent))?.observed).toBe(observed);
  });

  it.each([
    [makeTarget(Number.NaN), 'position NaN'],
    [makeTarget(0.00001), 'position 0.00001'],
    [makeTarget(1, { slippage: -0.1 }), 'slippage -0.1'],
    [makeTarget(1, { slippage: Number.NaN }), 'slippage NaN'],
    [makeTarget(1, { slippage: 1 }), 'slippage 1'],
    [makeTarget(1, { priceLimit: 0 as never }), 'price limit 0'],
  ])('refuses a target of wrong shape', (intent, observed) => {
    const refusal = shape.ask?.(reviewIntent(view, intent));
    expect(refusal?.observed.replace('1e-5', '0.00001')).toBe(observed);
  });

  it('passes a target of either sign and zero', () => {
    for (const position of [0, -1, 1.5]) {
      expect(shape.ask?.(reviewIntent(view, makeTarget(position)))).toBeUndefined();
    }
  });

  it('passes a target without slippage, and one with a limit of its price', () => {
    for (const terms of [{ slippage: 0 }, { priceLimit: 99.99 as Price }]) {
      expect(shape.ask?.(reviewIntent(view, makeTarget(1, terms)))).toBeUndefined();
    }
  });
});
