import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactMark, markOf } from '../../src/risk/mark.ts';
import { makeDepth, makeRisk } from './fixture.ts';

type Side = number | undefined;

/** The mark of a book where the collar is 0.02. */
function mark(
  book: readonly [bid: Side, ask: Side] | undefined,
  options: { readonly before?: number; readonly last?: number; readonly told?: number } = {},
): number | undefined {
  const { before, last, told = last } = options;
  const { view, knobs } = makeRisk({ limits: { collarFraction: 0.02 }, last });
  knobs.depth = book && makeDepth(...book);
  return markOf(view, { market: 'btc_usdt', before, told });
}

describe('markOf', () => {
  it('is the middle of a book whose sides lie within the collar of it, and no further', () => {
    expect(mark([98, 102], { before: 50, last: 60 })).toBe(100);
    expect(mark([97.99, 102.01], { before: 100.5, last: 60 })).toBe(100.5);
  });

  it('is not moved by a frame that has lost one side, or all but a stub of it', () => {
    for (const book of [
      [undefined, 101],
      [0.01, 101],
      [99, undefined],
      [99, 9_999],
    ] as const) {
      expect(mark(book, { before: 100, last: 60 })).toBe(100);
    }
  });

  it('follows the side that is there as far as it moves past the mark of before', () => {
    expect(mark([undefined, 80], { before: 100 })).toBe(80);
    expect(mark([0.01, 80], { before: 100 })).toBe(80);
    expect(mark([120, undefined], { before: 100 })).toBe(120);
    expect(mark([120, 9_999], { before: 100 })).toBe(120);
  });

  it('goes by what traded since the mark of before, as far as the sides allow', () => {
    expect(mark([80, 100.01], { before: 100, last: 80.5, told: 100 })).toBe(80.5);
    expect(mark([80, 100.01], { before: 100, last: 60, told: 100 })).toBe(80);
    expect(mark([80, 100.01], { before: 100, last: 80.5, told: 80.5 })).toBe(100);
  });

  it('lies between the best prices of any book that is not crossed', () => {
    const price = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(price, price, price, (one, other, before) => {
        const [bid, ask] = [Math.min(one, other), Math.max(one, other)];
        const found = mark([bid, ask], { before })!;
        expect(found >= bid && found <= ask).toBe(true);
      }),
      { seed: 60 },
    );
  });

  it('stays where a book is crossed by far', () => {
    expect(mark([200, 100], { before: 101 })).toBe(101);
    expect(mark([100.01, 100], { before: 90 })).toBeCloseTo(100.005);
  });

  it('is the last price where no mark was before, else the middle of what there is', () => {
    expect(mark([50, 150], { last: 120 })).toBe(120);
    expect(mark([50, 150])).toBe(100);
    expect(mark([undefined, 150])).toBeUndefined();
  });

  it('is the last price where there is no book', () => {
    expect(mark(undefined, { before: 100, last: 60 })).toBe(60);
    expect(mark(undefined, { before: 100 })).toBe(100);
    expect(mark(undefined)).toBeUndefined();
  });
});

describe('exactMark', () => {
  it('keeps the middle between two steps of the price', () => {
    expect(`${exactMark(100.005, 2)}`).toBe('100.005');
  });
});
