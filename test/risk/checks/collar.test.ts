import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collar } from '../../../src/risk/checks/collar.ts';
import {
  anyOrderUnits,
  codeOf,
  draftOf,
  makeDepth,
  makeDraft,
  makeQuotes,
  makeRisk,
  makeTarget,
  reviewIntent,
  reviewOrder,
} from '../fixture.ts';

const limits = { collarFraction: 0.01, bandFraction: 0.05 };

describe('collar', () => {
  it('refuses just what is too far through the reference or too far away from it', () => {
    const { view } = makeRisk({ limits });
    fc.assert(
      fc.property(anyOrderUnits, (units) => {
        const { side, priceUnits } = units;
        const through = side === 'buy' ? priceUnits - 10_000 : 10_000 - priceUnits;
        const refusal = collar.ask?.(reviewOrder(view, draftOf(units)));
        expect(refusal !== undefined).toBe(through > 100 || through < -500);
      }),
      { seed: 19, numRuns: 500 },
    );
  });

  it('holds a far quote against a wish as a whole', () => {
    const { view } = makeRisk({ limits });
    const near = [99, 1] as const;
    const ask = (bids: (readonly [number, number])[]) =>
      codeOf(collar, reviewIntent(view, makeQuotes(bids, [])));
    expect(ask([near])).toBeUndefined();
    expect(ask([near, [94, 1]])).toBe('collar');
  });

  it('falls back to a fresh last price when the depth is old or has an empty side', () => {
    const { view, knobs, clock } = makeRisk({ limits, last: 50 });
    const at = (price: number) => codeOf(collar, reviewOrder(view, makeDraft({ price })));
    expect([at(100), at(50)]).toEqual([undefined, 'collar']);
    knobs.depth = { ...makeDepth(99.99, undefined), receivedTime: clock.now() };
    expect([at(100), at(50)]).toEqual(['collar', undefined]);
    knobs.depth = { ...makeDepth(99.99, 100.01), receivedTime: clock.now() };
    clock.advanceBy(10_000);
    expect(at(100)).toBeUndefined();
    clock.advanceBy(1);
    expect(at(100)).toBe('collar');
  });

  it('refuses everything without a reference', () => {
    const { view, knobs } = makeRisk({ limits });
    for (const last of [undefined, 0, Number.NaN]) {
      Object.assign(knobs, { depth: undefined, last });
      expect(collar.ask?.(reviewOrder(view))?.observed).toBe('no reference price');
      const target = makeTarget(1);
      expect(collar.ask?.(reviewIntent(view, target))?.observed).toBe('no reference price');
    }
    Object.assign(knobs, { last: 100, fresh: false });
    expect(codeOf(collar, reviewOrder(view))).toBe('collar');
  });

  it('holds the price limit of a target on the side to which it trades', () => {
    const { view } = makeRisk({ limits, held: { maker: 1 } });
    const ask = (position: number, priceLimit: number) =>
      codeOf(collar, reviewIntent(view, makeTarget(position, { priceLimit: priceLimit as never })));
    expect(ask(2, 100.5)).toBeUndefined();
    expect(ask(2, 102)).toBe('collar');
    expect(ask(0, 102)).toBeUndefined();
    expect(ask(0, 98)).toBe('collar');
  });
});

describe('the refusal of collar', () => {
  it('says how far a price may be away, and how far it is', () => {
    const { view } = makeRisk({ limits });
    const told = (side: 'buy' | 'sell', price: number) =>
      collar.ask?.(reviewOrder(view, makeDraft({ side, price })));
    expect(told('buy', 94)).toMatchObject({
      limit: 'buy at most 0.01 (1 %) above and 0.05 (5 %) below 100',
      observed: 'price 94 is 6 % below 100',
    });
    expect(told('sell', 98.75)).toMatchObject({
      limit: 'sell at most 0.01 (1 %) below and 0.05 (5 %) above 100',
      observed: 'price 98.75 is 1.25 % below 100',
    });
  });

  it('says the middle of the book without the noise of doubles', () => {
    const { view, knobs, clock } = makeRisk({ limits });
    // Their middle is 29988.495000000003 of doubles.
    knobs.depth = { ...makeDepth(29_987, 29_989.99), receivedTime: clock.now() };
    const refusal = collar.ask?.(reviewOrder(view, makeDraft({ price: 40_000 })));
    expect(refusal?.limit).toMatch(/ 29988\.495$/);
  });
});
