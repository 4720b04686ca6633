import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveOrder } from '../../../src/domain/index.ts';
import { duplicate } from '../../../src/risk/checks/duplicate.ts';
import { selfCross } from '../../../src/risk/checks/self-cross.ts';
import {
  anyLive,
  anyOrderUnits,
  draftOf,
  makeDraft,
  makeOrderIntent,
  makeQuotes,
  makeRisk,
  reviewIntent,
  reviewOrder,
  sketchOf,
} from '../fixture.ts';

describe('selfCross', () => {
  it('refuses just what would meet an own live order, whosever it is and whatever its state', () => {
    fc.assert(
      fc.property(anyLive, anyOrderUnits, (live, units) => {
        const { view } = makeRisk({ live: live.map(sketchOf) });
        const meets = live.some((order) =>
          units.side === 'buy'
            ? order.side === 'sell' && units.priceUnits >= order.priceUnits
            : order.side === 'buy' && units.priceUnits <= order.priceUnits,
        );
        const refused = selfCross.ask?.(reviewOrder(view, draftOf(units))) !== undefined;
        expect(refused).toBe(meets);
      }),
      { seed: 20, numRuns: 500 },
    );
  });

  it('refuses a wish whose own sides meet, or that meets another strategy', () => {
    const live = [{ side: 'sell', price: 101, strategy: 'other' } as const];
    const { view } = makeRisk({ live });
    const ask = (bid: number, offer: number) =>
      selfCross.ask?.(reviewIntent(view, makeQuotes([[bid, 1]], [[offer, 1]])))?.observed;
    expect(ask(99, 100)).toBeUndefined();
    expect(ask(100, 100)).toBe('buy at 100, sell at 100');
    expect(ask(101, 102)).toBe('buy at 101, sell at 101');
  });

  it('refuses nothing where the market allows it', () => {
    const live = [{ side: 'sell', price: 101, strategy: 'other' } as const];
    const { view } = makeRisk({ live, limits: { selfCrossAction: 'allow' } });
    const meeting = { side: 'buy', price: 101 } as const;
    expect(selfCross.ask?.(reviewOrder(view, makeDraft(meeting)))).toBeUndefined();
    const quotes = makeQuotes([102], [101]);
    expect(selfCross.ask?.(reviewIntent(view, quotes))).toBeUndefined();
  });

  it('lets a wish cross what it replaces', () => {
    const { view } = makeRisk({ live: [{ side: 'sell', price: 101 }] });
    const quotes = makeQuotes([102], [103]);
    expect(selfCross.ask?.(reviewIntent(view, quotes))).toBeUndefined();
  });
});

describe('selfCross, of an exit', () => {
  const exit = { side: 'sell', type: 'ioc', price: 99, amount: 2 } as const;
  /** The verdict on it beside bids of these states, as a wish and as its order leaves. */
  const toldOf = (
    statuses: readonly LiveOrder['status'][],
    order: Parameters<typeof makeOrderIntent>[0] = exit,
  ) => {
    const live = statuses.map((status, at) => ({ status, price: 100 - at, strategy: 'other' }));
    const { view } = makeRisk({ live, held: { maker: 2 } });
    return [
      selfCross.ask?.(reviewIntent(view, makeOrderIntent({ ...order, tag: 'exit' }))),
      selfCross.ask?.(reviewOrder(view, makeDraft(order))),
    ].map((refusal) => refusal?.observed);
  };
  const none = [undefined, undefined];

  it('passes own orders whose fate is unknown, and none that is known', () => {
    expect(toldOf(['unknown'])).toEqual(none);
    const known = ['buy at 99, sell at 99', 'buy at 99, sell at 99'];
    for (const status of ['pending', 'open', 'cancelling'] as const) {
      expect(toldOf(['unknown', status])).toEqual(known);
    }
  });

  it('does not pass where it may rest, or sells more than is held', () => {
    const crossing = ['buy at 100, sell at 99', 'buy at 100, sell at 99'];
    expect(toldOf(['unknown'], { ...exit, type: 'limit' })).toEqual(crossing);
    expect(toldOf(['unknown'], { ...exit, amount: 2.0001 })).toEqual(crossing);
  });
});

describe('duplicate', () => {
  const at = { side: 'buy', price: 100, amount: 1 } as const;

  function refused(live: object, waitMs: number): boolean {
    const { view, clock } = makeRisk({
      limits: { duplicateWindowMs: 500 },
      live: [{ ...at, createdTime: 1_000_000_000_000, ...live }],
    });
    clock.advanceBy(waitMs);
    return duplicate.onOrder?.(reviewOrder(view, makeDraft())) !== undefined;
  }

  it('refuses the same terms of the same strategy within the window', () => {
    expect(refused({}, 499)).toBe(true);
    expect(refused({}, 500)).toBe(false);
  });

  it.each([{ side: 'sell' }, { price: 100.01 }, { amount: 1.0001 }, { strategy: 'other' }])(
    'passes when it differs by %o',
    (difference) => {
      expect(refused(difference, 0)).toBe(false);
    },
  );

  it('refuses just when some live order is a twin', () => {
    const coarse = fc.record({
      side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
      price: fc.integer({ min: 99, max: 101 }),
      amount: fc.integer({ min: 1, max: 2 }),
      strategy: fc.constantFrom('maker', 'other'),
      ageMs: fc.integer({ min: 0, max: 3 }).map((n) => n * 250),
    });
    fc.assert(
      fc.property(fc.array(coarse, { maxLength: 5 }), coarse, (live, own) => {
        const risk = makeRisk({
          limits: { duplicateWindowMs: 500 },
          live: live.map((order) => ({
            ...order,
            createdTime: 1_000_000_000_000 - order.ageMs,
          })),
        });
        const twin = live.some(
          (order) =>
            order.side === own.side &&
            order.price === own.price &&
            order.amount === own.amount &&
            order.strategy === 'maker' &&
            order.ageMs < 500,
        );
        const { side, price, amount } = own;
        const review = reviewOrder(risk.view, makeDraft({ side, price, amount }));
        expect(duplicate.onOrder?.(review) !== undefined).toBe(twin);
      }),
      { seed: 21, numRuns: 300 },
    );
  });
});
