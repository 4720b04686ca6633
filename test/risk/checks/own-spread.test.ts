import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownSpread } from '../../../src/risk/checks/own-spread.ts';
import { makeMarket } from '../../domain/fixture.ts';
import {
  anyLive,
  anyOrderUnits,
  draftOf,
  makeDraft,
  makeHeld,
  makeOrderIntent,
  makeQuotes,
  makeRisk,
  makeTrader,
  restOf,
  reviewOrder,
  sketchOf,
  sum,
} from '../fixture.ts';

const limits = { ownSpreadMin: 0.01 };

describe('ownSpread', () => {
  it('refuses just what opens too near to an own order, whosever it is and whatever its state', () => {
    const held = fc.constantFrom(0, -2, 2);
    const perMille = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(anyLive, anyOrderUnits, held, perMille, (live, units, holds, least) => {
        const { view } = makeRisk({
          ...{ live: live.map(sketchOf), held: { maker: holds } },
          limits: { ownSpreadMin: least / 1_000 },
        });
        const { side } = units;
        const isNear = live.some((order) => {
          const [buy, sell] = side === 'buy' ? [units, order] : [order, units];
          const gap = sell.priceUnits - buy.priceUnits;
          const twiceTheMiddle = sell.priceUnits + buy.priceUnits;
          return order.side !== side && gap > 0 && 2_000 * gap < least * twiceTheMiddle;
        });
        const rests = live.filter((order) => order.side === side);
        const all = units.amountUnits + sum(rests, restOf);
        const opens = all > (side === 'buy' ? -holds : holds) * 10_000;
        const refused = ownSpread(view).ask?.(reviewOrder(view, draftOf(units)));
        expect(refused !== undefined).toBe(isNear && opens);
      }),
      { seed: 64, numRuns: 1_000 },
    );
  });

  it.each([
    [99.5, 99.5000000001, 100.5, 0.01],
    [1e-8, 1.01e-8, 3e-8, 1],
    [0.1, 0.1000000001, 0.3, 1],
  ])('counts %d as apart and %d as too near, to the last digit', (apart, near, sell, least) => {
    const scales = { priceScale: 10, amountScale: 4, minAmount: 0, minSize: 0 };
    const live = [{ side: 'sell', price: sell, strategy: 'other' }] as const;
    const sent = (price: number) =>
      makeTrader({
        ...{ markets: [makeMarket(scales)], live, limits: { ownSpreadMin: least } },
      }).send({ price });
    expect(sent(apart)).toMatch(/^order/);
    expect(sent(near)).toBe('ownSpread');
  });
});

describe('ownSpread, of single cases,', () => {
  it('says which two, and leaves what meets to selfCross', () => {
    const live = [{ side: 'sell', price: 100, strategy: 'other' }] as const;
    const { gate, send } = makeTrader({ live, limits });
    expect(gate.order(makeDraft({ price: 99.5 }))).toEqual({
      ...{ code: 'ownSpread', limit: 'own buys and sells at least 0.01 of their middle apart' },
      ...{ observed: 'buy at 99.5 beside the sell at 100 of other', scope: 'account' },
    });
    expect(send({ price: 100 })).toBe('selfCross');
    const allowed = makeTrader({ live, limits: { ...limits, selfCrossAction: 'allow' } });
    expect(allowed.send({ price: 100 })).toMatch(/^order/);
  });

  it('holds nothing that takes at once, nor is held by it', () => {
    const live = [{ side: 'sell', price: 100, strategy: 'other' }] as const;
    const { send, gate } = makeTrader({ live, limits });
    expect(send({ price: 99.9, type: 'ioc' })).toMatch(/^order/);
    const intent = makeOrderIntent({ price: 99.9, type: 'ioc' });
    expect(gate.intent('maker', intent).refusals).toEqual([]);
    const taking = makeTrader({ live: [{ ...live[0], type: 'ioc' }], limits });
    expect(taking.send({ price: 99.9 })).toMatch(/^order/);
  });

  it('holds a new order until the old one of the other side is gone', () => {
    const trader = makeTrader({ limits });
    const ask = trader.send({ side: 'sell', price: 100 });
    trader.take(ask);
    trader.orders.apply(ask, {
      kind: 'cancelling',
      time: trader.clock.now(),
      evidence: 'request',
    });
    expect(trader.gate.order(makeDraft({ price: 99.5 }))).toMatchObject({
      observed: 'buy at 99.5 beside the own sell at 100',
    });
    trader.cancelled(ask);
    expect(trader.send({ price: 99.5 })).toMatch(/^order/);
  });
});

describe('ownSpread, of wishes and of what shrinks a position,', () => {
  it('keeps of quotes what lies apart, and compares none with what they replace', () => {
    const live = [{ side: 'sell', price: 100 }] as const;
    const { gate } = makeTrader({ live, limits });
    const wide = makeQuotes([99.9], [101]);
    expect(gate.intent('maker', wide)).toMatchObject({ approved: { value: wide }, refusals: [] });
    const narrow = makeQuotes([99.9, 99], [100.1, 101]);
    const { approved, refusals } = gate.intent('maker', narrow);
    expect(approved?.value).toEqual(makeQuotes([99.9, 99], [101]));
    expect(refusals).toMatchObject([{ observed: 'buy at 99.9 beside the wished sell at 100.1' }]);
  });

  it('holds a wish apart from what others have resting', () => {
    const live = [{ side: 'sell', price: 100, strategy: 'other' }] as const;
    const { gate } = makeTrader({ live, limits });
    const { approved, refusals } = gate.intent('maker', makeQuotes([99.9], [101]));
    expect(approved?.value).toEqual(makeQuotes([], [101]));
    expect(refusals).toMatchObject([{ observed: 'buy at 99.9 beside the sell at 100 of other' }]);
    const order = makeOrderIntent({ price: 99.9 });
    expect(gate.intent('maker', order).refusals).toHaveLength(1);
  });

  it('lets of quotes what shrinks the position pass, and holds the other side when it leaves', () => {
    const { gate, send, positions } = makeTrader({ limits });
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    const quotes = makeQuotes([99.9], [100.1]);
    expect(gate.intent('maker', quotes)).toMatchObject({
      ...{ approved: { value: quotes }, refusals: [] },
    });
    expect(send({ side: 'sell', price: 100.1 })).toMatch(/^order/);
    expect(send({ price: 99.9 })).toBe('ownSpread');
  });

  it('lets an exit near an own bid leave', () => {
    const { send, positions } = makeTrader({ limits });
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    expect(send({ price: 99 })).toMatch(/^order/);
    expect(send({ side: 'sell', price: 99.1, amount: 1.0001 })).toBe('ownSpread');
    expect(send({ side: 'sell', price: 99.1, amount: 0.5 })).toMatch(/^order/);
    expect(send({ side: 'sell', price: 99.2, amount: 0.5, type: 'ioc' })).toMatch(/^order/);
  });

  it('is of a market by itself where that says so', () => {
    const live = [
      { side: 'sell', price: 100 },
      { market: 'eth_usdt', side: 'sell', price: 100 },
    ];
    const { send } = makeTrader({
      live: live as never,
      limits: { markets: { btc_usdt: { ownSpreadMin: 0.01 } } },
    });
    expect(send({ price: 99.9 })).toBe('ownSpread');
    expect(send({ price: 99.9, market: 'eth_usdt' })).toMatch(/^order/);
  });
});
