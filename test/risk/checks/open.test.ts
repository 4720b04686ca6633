import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openOrders } from '../../../src/risk/checks/open-orders.ts';
import { openValue } from '../../../src/risk/checks/open-value.ts';
import { unknownOrders } from '../../../src/risk/checks/unknown-orders.ts';
import {
  anyLive,
  anyOrderUnits,
  draftOf,
  makeDraft,
  makeQuotes,
  makeRisk,
  restOf,
  reviewIntent,
  reviewOrder,
  sketchOf,
  sum,
} from '../fixture.ts';

describe('openOrders', () => {
  it('refuses just beyond the count of a side, of a market or of the account', () => {
    const limits = { openOrdersPerSideMax: 3, openOrdersPerMarketMax: 4, openOrdersMax: 6 };
    fc.assert(
      fc.property(anyLive, fc.nat(4), anyOrderUnits, (live, elsewhere, units) => {
        const others = Array.from({ length: elsewhere }, () => ({ market: 'eth_usdt' }));
        const { view } = makeRisk({ limits, live: [...live.map(sketchOf), ...others] });
        const ofSide = live.filter(({ side }) => side === units.side).length + 1;
        const beyond = ofSide > 3 || live.length + 1 > 4 || live.length + elsewhere + 1 > 6;
        const refused = openOrders.onOrder?.(reviewOrder(view, draftOf(units))) !== undefined;
        expect(refused).toBe(beyond);
      }),
      { seed: 22, numRuns: 400 },
    );
  });

  it('counts a wish as a whole beside what it does not replace', () => {
    const live = [{ strategy: 'maker' }, { strategy: 'other' }];
    const { view } = makeRisk({ live, limits: { openOrdersPerSideMax: 3 } });
    const bids = (count: number) =>
      makeQuotes(
        Array.from({ length: count }, (_, i) => [99 - i, 1] as const),
        [],
      );
    expect(openOrders.onIntent?.(reviewIntent(view, bids(2)))).toBeUndefined();
    expect(openOrders.onIntent?.(reviewIntent(view, bids(3)))?.observed).toBe(
      '4 to buy in btc_usdt',
    );
  });

  it('does not hold one side against the other', () => {
    const { view } = makeRisk({ live: [{}, {}, {}, {}], limits: { openOrdersPerSideMax: 3 } });
    const sell = makeDraft({ side: 'sell' });
    expect(openOrders.onOrder?.(reviewOrder(view, sell))).toBeUndefined();
  });
});

describe('openValue', () => {
  const limits = { openValueMax: 300 };

  it('refuses just when the rests of all live orders and the new one are worth too much', () => {
    fc.assert(
      fc.property(anyLive, anyOrderUnits, (live, units) => {
        const { view } = makeRisk({ live: live.map(sketchOf), limits });
        const resting = sum(live, (order) => order.priceUnits * restOf(order));
        const beyond = resting + units.priceUnits * units.amountUnits > 300_000_000;
        const refused = openValue.onOrder?.(reviewOrder(view, draftOf(units))) !== undefined;
        expect(refused).toBe(beyond);
      }),
      { seed: 23, numRuns: 400 },
    );
  });

  it('passes the limit itself', () => {
    const { view } = makeRisk({ live: [{ price: 100, amount: 3, filled: 1 }], limits });
    const at = (price: number) => openValue.onOrder?.(reviewOrder(view, makeDraft({ price })));
    expect(at(100)).toBeUndefined();
    expect(at(100.01)?.observed).toBe('300.01 usdt');
  });
});

describe('unknownOrders', () => {
  it('refuses beyond the limit, whatever market they are of', () => {
    const lost = { status: 'unknown', market: 'eth_usdt' } as const;
    const refused = (count: number) => {
      const live = Array.from({ length: count }, () => lost);
      const { view } = makeRisk({ live, limits: { unknownOrdersMax: 2 } });
      return unknownOrders.onOrder?.(reviewOrder(view)) !== undefined;
    };
    expect([0, 1, 2, 3].map(refused)).toEqual([false, false, false, true]);
  });
});
