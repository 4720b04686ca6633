import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveOrder, Side } from '../../../src/domain/index.ts';
import { openOrders } from '../../../src/risk/checks/open-orders.ts';
import { openValue } from '../../../src/risk/checks/open-value.ts';
import { unknownOrders } from '../../../src/risk/checks/unknown-orders.ts';
import {
  anyLive,
  anyOrderUnits,
  codeOf,
  draftOf,
  makeDraft,
  makeOrderIntent,
  makeQuotes,
  makeRisk,
  makeTarget,
  restOf,
  reviewIntent,
  reviewOrder,
  sketchOf,
  sum,
} from '../fixture.ts';

describe('openOrders and openValue', () => {
  it('let a target be wished beside what is too much already: it adds nothing by itself', () => {
    const limits = { openOrdersPerSideMax: 1, openValueMax: 100 };
    const live = [{ strategy: 'other' }, { strategy: 'other' }];
    const review = reviewIntent(makeRisk({ limits, live }).view, makeTarget(1));
    for (const check of [openOrders, openValue]) expect(check.ask?.(review)).toBeUndefined();
  });
});

describe('openOrders', () => {
  it('refuses just beyond the count of a side, of a market or of the account', () => {
    const limits = { openOrdersPerSideMax: 3, openOrdersPerMarketMax: 4, openOrdersMax: 6 };
    fc.assert(
      fc.property(anyLive, fc.nat(4), anyOrderUnits, (live, elsewhere, units) => {
        const others = Array.from({ length: elsewhere }, () => ({ market: 'eth_usdt' }));
        const { view } = makeRisk({ limits, live: [...live.map(sketchOf), ...others] });
        const ofSide = live.filter(({ side }) => side === units.side).length + 1;
        const beyond = ofSide > 3 || live.length + 1 > 4 || live.length + elsewhere + 1 > 6;
        const refused = openOrders.ask?.(reviewOrder(view, draftOf(units))) !== undefined;
        expect(refused).toBe(beyond);
      }),
      { seed: 22, numRuns: 400 },
    );
  });

  it('counts open orders that are not ours as the exchange does, each at its place', () => {
    const limits = { openOrdersPerSideMax: 3, openOrdersPerMarketMax: 4, openOrdersMax: 6 };
    const market = fc.constantFrom('btc_usdt', 'eth_usdt');
    const order = fc.record({ market, side: fc.constantFrom<Side>('buy', 'sell') });
    const some = fc.array(order, { maxLength: 4 });
    fc.assert(
      fc.property(some, some, anyOrderUnits, (live, foreign, units) => {
        const { view } = makeRisk({ limits, live, foreign });
        const all = [...live, ...foreign];
        const here = all.filter(({ market: id }) => id === 'btc_usdt');
        const ofSide = here.filter(({ side }) => side === units.side).length + 1;
        const beyond = ofSide > 3 || here.length + 1 > 4 || all.length + 1 > 6;
        const draft = draftOf(units);
        const wish = makeOrderIntent({ ...draft, tag: 'new' });
        const answers = [
          openOrders.ask?.(reviewOrder(view, draft)),
          openOrders.ask?.(reviewIntent(view, wish)),
        ];
        for (const answer of answers) expect(answer !== undefined).toBe(beyond);
      }),
      { seed: 46, numRuns: 500 },
    );
  });

  it('counts a wish as a whole beside what it does not replace', () => {
    const live = [{ strategy: 'maker' }, { strategy: 'other' }];
    const { view } = makeRisk({ live, limits: { openOrdersPerSideMax: 3 } });
    const bids = (count: number) =>
      makeQuotes(
        Array.from({ length: count }, (_, i) => 99 - i),
        [],
      );
    expect(openOrders.ask?.(reviewIntent(view, bids(2)))).toBeUndefined();
    expect(openOrders.ask?.(reviewIntent(view, bids(3)))?.observed).toBe('4 to buy in btc_usdt');
  });

  it('does not hold one side against the other', () => {
    const { view } = makeRisk({ live: [{}, {}, {}, {}], limits: { openOrdersPerSideMax: 3 } });
    const sell = makeDraft({ side: 'sell' });
    expect(openOrders.ask?.(reviewOrder(view, sell))).toBeUndefined();
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
        const refused = openValue.ask?.(reviewOrder(view, draftOf(units))) !== undefined;
        expect(refused).toBe(beyond);
      }),
      { seed: 23, numRuns: 400 },
    );
  });

  it('leaves out what is not ours: it is to bound the deployment, not its owner', () => {
    const { view } = makeRisk({ limits, foreign: [{ price: 100, amount: 1_000 }] });
    expect(openValue.ask?.(reviewOrder(view))).toBeUndefined();
  });

  it('passes the limit itself', () => {
    const { view } = makeRisk({ live: [{ price: 100, amount: 3, filled: 1 }], limits });
    const at = (price: number) => openValue.ask?.(reviewOrder(view, makeDraft({ price })));
    expect(at(100)).toBeUndefined();
    expect(at(100.01)?.observed).toBe('300.01 usdt');
  });

  it('lets an exit that takes at once leave, whatever rests beside it', () => {
    const live = [{ price: 100, amount: 9 }];
    const { view } = makeRisk({ limits: { openValueMax: 50 }, live, held: { maker: 1 } });
    const exit = { side: 'sell', type: 'ioc', price: 99, amount: 1 } as const;
    for (const [draft, isRefused] of [
      [exit, false],
      [{ ...exit, amount: 1.5 }, true],
      [{ ...exit, type: 'limit' }, true],
      [{ ...exit, side: 'buy' }, true],
    ] as const) {
      const order = makeDraft(draft);
      const answers = [
        openValue.ask?.(reviewOrder(view, order)),
        openValue.ask?.(reviewIntent(view, makeOrderIntent({ ...order, tag: 'exit' }))),
      ];
      for (const answer of answers) expect(answer !== undefined).toBe(isRefused);
    }
  });
});

describe('unknownOrders', () => {
  it('refuses just beyond the limit, whatever market they are of and whosever they are', () => {
    const market = fc.constantFrom('btc_usdt', 'eth_usdt');
    const status = fc.constantFrom<LiveOrder['status']>('pending', 'open', 'unknown');
    const order = fc.record({ market, status, strategy: fc.constantFrom('maker', 'other') });
    fc.assert(
      fc.property(fc.array(order, { maxLength: 6 }), fc.nat(4), (live, unknownOrdersMax) => {
        const { view } = makeRisk({ live, limits: { unknownOrdersMax } });
        const unknown = live.filter((one) => one.status === 'unknown').length;
        const answers = [
          unknownOrders.ask?.(reviewOrder(view)),
          unknownOrders.ask?.(reviewIntent(view, makeQuotes([99], []))),
        ];
        for (const answer of answers) {
          expect(answer !== undefined).toBe(unknown > unknownOrdersMax);
          if (answer !== undefined) expect(answer.observed).toBe(`${unknown}`);
        }
      }),
      { seed: 47, numRuns: 300 },
    );
  });

  it('lets orders leave again once the exchange has told of enough', () => {
    const live = [{ status: 'unknown' }, { status: 'unknown', market: 'eth_usdt' }] as const;
    const { view, orders } = makeRisk({ live, limits: { unknownOrdersMax: 1 } });
    expect(codeOf(unknownOrders, reviewOrder(view))).toBe('unknownOrders');
    const news = { kind: 'rejected', reason: 'absent', time: 1, evidence: 'query' } as const;
    orders.apply('live1', news);
    expect(unknownOrders.ask?.(reviewOrder(view))).toBeUndefined();
  });
});
