import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { position } from '../../../src/risk/checks/position.ts';
import {
  anyLive,
  anyOrderUnits,
  codeOf,
  draftOf,
  type LiveUnits,
  makeDraft,
  makeQuotes,
  makeRisk,
  makeTarget,
  restOf,
  reviewIntent,
  reviewOrder,
  sketchOf,
  sum,
} from '../fixture.ts';

const heldUnits = fc.integer({ min: -40_000, max: 40_000 });
const limits = { longMax: 4, shortMax: 3, positionValueMax: 350 };
const REFERENCE = 10_000;

/** The worst position of one side, in units, against the limits above. */
function isBeyond(worst: number, options: { side: 'buy' | 'sell'; priceUnits: number }): boolean {
  if (worst <= 0) return false;
  if (worst > (options.side === 'buy' ? 40_000 : 30_000)) return true;
  return worst * Math.max(options.priceUnits, REFERENCE) > 350_000_000;
}

function restingOf(live: readonly LiveUnits[], side: 'buy' | 'sell'): number {
  const ofSide = live.filter((order) => order.side === side);
  return sum(ofSide, restOf);
}

describe('position', () => {
  it('refuses just when the worst case of the side is beyond amount or value', () => {
    fc.assert(
      fc.property(anyLive, heldUnits, anyOrderUnits, (live, held, units) => {
        const { view } = makeRisk({
          ...{ limits, live: live.map(sketchOf), held: { other: held / 10_000 } },
        });
        const { side, amountUnits } = units;
        const own = side === 'buy' ? held : -held;
        const worst = own + restingOf(live, side) + amountUnits;
        const refused = position.ask?.(reviewOrder(view, draftOf(units))) !== undefined;
        expect(refused).toBe(isBeyond(worst, units));
      }),
      { seed: 24, numRuns: 600 },
    );
  });

  it('takes a target in place of the own part, beside what others hold and have resting', () => {
    fc.assert(
      fc.property(anyLive, heldUnits, heldUnits, heldUnits, (live, own, others, target) => {
        const held = { maker: own / 10_000, other: others / 10_000 };
        const { view } = makeRisk({ limits, live: live.map(sketchOf), held });
        const side = target > own ? 'buy' : 'sell';
        const after = side === 'buy' ? others + target : -others - target;
        const foreign = live.filter(({ strategy }) => strategy === 'other');
        const worst = after + restingOf(foreign, side);
        const review = reviewIntent(view, makeTarget(target / 10_000));
        const refused = position.ask?.(review) !== undefined;
        expect(refused).toBe(isBeyond(worst, { side, priceUnits: 0 }));
      }),
      { seed: 25, numRuns: 600 },
    );
  });
});

describe('position, at the edges', () => {
  const amounts = { longMax: 2, shortMax: 1 };

  it('passes the limit itself and refuses one unit more', () => {
    const { view } = makeRisk({ limits: amounts, held: { maker: 0.5 } });
    const ask = (overrides: object) =>
      position.ask?.(reviewOrder(view, makeDraft(overrides)))?.observed;
    expect(ask({ amount: 1.5 })).toBeUndefined();
    expect(ask({ amount: 1.5001 })).toMatch(/^long 2.0001 btc, worth /);
    expect(ask({ side: 'sell', amount: 1.5 })).toBeUndefined();
    expect(ask({ side: 'sell', amount: 1.5001 })).toMatch(/^short 1.0001 btc, worth /);
  });

  it('adds up all bids of a wish, which replace the own ones', () => {
    const live = [{ amount: 1 }, { amount: 1, strategy: 'other' }];
    const { view } = makeRisk({ limits: amounts, live });
    const ask = (second: number) =>
      position.ask?.(
        reviewIntent(
          view,
          makeQuotes(
            [
              [99, 0.5],
              [98, second],
            ],
            [],
          ),
        ),
      );
    expect(ask(0.5)).toBeUndefined();
    expect(ask(0.5001)?.observed).toMatch(/^long 2.0001 btc, worth /);
  });

  it('lets a position that is too large already be sold, not grown', () => {
    const { view } = makeRisk({ limits: amounts, held: { maker: 10 } });
    const ask = (side: string) =>
      codeOf(position, reviewOrder(view, makeDraft({ side, amount: 0.0001 })));
    expect([ask('sell'), ask('buy')]).toEqual([undefined, 'position']);
  });

  it.each([
    ['value', 1.5, undefined],
    ['one unit more', 1.5001, 'at most worth 150 usdt'],
  ])('passes and refuses by the most value: %s', (_, amount, limit) => {
    const { view } = makeRisk({ limits: { positionValueMax: 150 } });
    expect(position.ask?.(reviewOrder(view, makeDraft({ amount })))?.limit).toBe(limit);
  });

  it('refuses a target without a price to value it by, unless that leads no further from flat', () => {
    const { view, knobs } = makeRisk({ held: { other: -1 } });
    knobs.depth = undefined;
    const ask = (target: number) => position.ask?.(reviewIntent(view, makeTarget(target)));
    expect(ask(1.0001)).toBeDefined();
    expect(ask(1)).toBeUndefined();
  });

  it('refuses what is beyond all numbers', () => {
    const live = Array.from({ length: 5 }, () => ({ amount: 2e11 }));
    const { view } = makeRisk({ live });
    expect(codeOf(position, reviewOrder(view))).toBe('position');
  });

  it('refuses beside a book of which only a stub is left, at a price beyond all prices', () => {
    const { view } = makeRisk({ book: [99.99, 1e14] });
    expect(position.ask?.(reviewOrder(view))).toMatchObject({
      observed: 'long 1 btc, worth an unknown value usdt',
    });
  });
});
