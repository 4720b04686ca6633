import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDraft, makeHeld, makeQuotes, makeTarget, makeTrader } from '../fixture.ts';

const limits = { priceMin: 95, priceMax: 105 };

describe('priceBounds', () => {
  it('lets an order open just within the bounds, themselves included', () => {
    const cents = fc.integer({ min: 9_000, max: 11_000 });
    const side = fc.constantFrom('buy', 'sell');
    fc.assert(
      fc.property(cents, side, (price, one) => {
        const sent = makeTrader({ limits }).send({ side: one, price: price / 100 });
        expect(sent === 'priceBounds').toBe(price < 9_500 || price > 10_500);
      }),
      { seed: 63, numRuns: 300 },
    );
  });

  it('judges an order that takes by the price that it meets as well', () => {
    const cents = fc.integer({ min: 9_000, max: 11_000 });
    const side = fc.constantFrom('buy', 'sell');
    fc.assert(
      fc.property(cents, cents, side, (price, bid, one) => {
        const book = [bid / 100, (bid + 2) / 100] as const;
        const trader = makeTrader({ limits: { ...limits, collarFraction: 1 }, book });
        const met = one === 'buy' ? Math.min(price, bid + 2) : Math.max(price, bid);
        const isWithin = [price, met].every((at) => at >= 9_500 && at <= 10_500);
        const sent = trader.send({ side: one, type: 'ioc', price: price / 100 });
        expect(sent === 'priceBounds').toBe(!isWithin);
      }),
      { seed: 65, numRuns: 500 },
    );
  });

  it('takes the last price for what it meets where there is no book', () => {
    const trader = makeTrader({ limits: { priceMin: 100 }, last: 99 });
    trader.knobs.depth = undefined;
    expect(trader.send({ type: 'ioc', price: 100 })).toBe('priceBounds');
    trader.knobs.last = 100;
    expect(trader.send({ type: 'ioc', price: 100 })).toMatch(/^order/);
  });

  it.each([95, 105])('counts the bound %d as within', (price) => {
    expect(makeTrader({ limits }).send({ price })).toMatch(/^order/);
  });
});

describe('priceBounds, of what shrinks the position,', () => {
  it('lets what shrinks the position leave at any price, and trims quotes', () => {
    const { gate, positions } = makeTrader({ limits });
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    const quotes = makeQuotes([99, 94], [106]);
    const { approved, refusals } = gate.intent('maker', quotes);
    expect(approved?.value).toEqual(makeQuotes([99], [106]));
    expect(refusals).toEqual([
      { code: 'priceBounds', limit: 'at least 95', observed: 'price 94', scope: 'order' },
    ]);
    expect(gate.order(makeDraft({ side: 'sell', price: 106 }))).not.toHaveProperty('code');
  });

  it('has what rests beyond cancelled once it could open, and not before', () => {
    const { gate, positions, send } = makeTrader({ limits: { priceMax: 100.5 } });
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    const exit = send({ side: 'sell', price: 101 });
    const within = send({ side: 'buy', price: 99 });
    const unwelcome = () => gate.unwelcome().map(({ clientOrderId }) => clientOrderId);
    expect(unwelcome()).toEqual([]);
    positions.restore(makeHeld({ strategy: 'maker', held: -1, price: 100 }));
    expect(unwelcome()).toEqual([exit]);
    expect(unwelcome()).not.toContain(within);
  });

  it('refuses a target that opens while the market is beyond, and none that shrinks', () => {
    const { gate, positions } = makeTrader({ limits, book: [105.5, 106.5] });
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    expect(gate.intent('maker', makeTarget(2)).refusals).toEqual([
      { code: 'priceBounds', limit: 'at most 105', observed: 'price 106', scope: 'order' },
    ]);
    expect(gate.intent('maker', makeTarget(0)).refusals).toEqual([]);
  });

  it('is open on either side where it is not set', () => {
    expect(makeTrader({ limits: { priceMax: 105 } }).send({ price: 1 })).toMatch(/^order/);
    expect(makeTrader({ limits: { priceMin: 95 } }).send({ price: 109 })).toMatch(/^order/);
  });
});
