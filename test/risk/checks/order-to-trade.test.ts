import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoment, HOUR_MS } from '../../../src/kernel/index.ts';
import { makeDraft, makeHeld, makeTrader } from '../fixture.ts';

const step = fc.record({
  waitMs: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
  market: fc.constantFrom('btc_usdt', 'btc_usdt', 'eth_usdt'),
  strategy: fc.constantFrom('maker', 'other'),
  outcome: fc.constantFrom('rests', 'cancelled', 'rejected', 'fills', 'half', 'restsOn'),
});

describe('orderToTrade', () => {
  it('lets so many orders leave for each that traded in the window, of a market and all strategies', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60, size: 'max' }),
        fc.integer({ min: 2, max: 8 }).map((halves) => halves / 2),
        fc.integer({ min: 0, max: 6 }),
        (steps, most, free) => {
          const limits = { orderToTradeMax: most, orderToTradeFreeOrders: free };
          const trader = makeTrader({ limits: { ...limits, orderToTradeWindowMs: 100 } });
          const left: { market: string; timeMs: number }[] = [];
          const trades: { market: string; timeMs: number; id: string }[] = [];
          const halves: { market: string; id: string }[] = [];
          const fill = (one: { market: string; id: string }, filled: number) => {
            trader.fill(one.id, filled);
            trades.push({ ...one, timeMs: trader.clock.now() });
          };
          for (const { waitMs, market, strategy, outcome } of steps) {
            trader.clock.advanceBy(waitMs);
            // Orders that traded in part before go on trading.
            if (outcome === 'restsOn' && halves.length > 0) fill(halves.pop()!, 1);
            const isIn = (one: { market: string; timeMs: number }) =>
              one.market === market && one.timeMs > trader.clock.now() - 100;
            const traded = new Set(trades.filter(isIn).map(({ id }) => id)).size;
            const asked = left.filter(isIn).length + 1;
            const id = trader.send({ market, strategy });
            expect(id === 'orderToTrade').toBe(asked > free && asked > most * traded);
            if (id === 'orderToTrade') continue;
            left.push({ market, timeMs: trader.clock.now() });
            if (outcome === 'cancelled') trader.cancelled(id);
            else if (outcome === 'rejected') trader.reject(id);
            else if (outcome === 'fills') fill({ market, id }, 1);
            else if (outcome === 'half') {
              fill({ market, id }, 0.5);
              halves.push({ market, id });
            }
          }
        },
      ),
      { seed: 65, numRuns: 300 },
    );
  });
});

describe('orderToTrade, of single cases,', () => {
  it('says how many there were, counts of an hour, and needs to be set', () => {
    const { send, gate, clock } = makeTrader({ limits: { orderToTradeMax: 50 } });
    for (let at = 0; at < 100; at++) expect(send({ price: 50 + at / 10 })).toMatch(/^order\d/);
    expect(gate.order(makeDraft())).toEqual({
      code: 'orderToTrade',
      limit: '50 orders for each that trades in 1 h, beyond the first 100',
      observed:
        '101 orders, of which 0 traded: the next passes once 3 more trade, or at ' +
        `${formatMoment(clock.now() + HOUR_MS)} at the latest`,
      scope: 'market',
    });
    expect(send({ market: 'eth_usdt' })).toMatch(/^order\d/);
    clock.advanceBy(HOUR_MS - 1);
    expect(send()).toBe('orderToTrade');
    clock.advanceBy(1);
    expect(send()).toMatch(/^order\d/);
    const unlimited = makeTrader();
    for (let at = 0; at < 500; at++)
      expect(unlimited.send({ price: 50 + at / 10 })).toMatch(/^order\d/);
  });

  it('goes on with each order that trades', () => {
    const limits = { orderToTradeMax: 3, orderToTradeFreeOrders: 1 };
    const { send, fill, clock } = makeTrader({ limits });
    const first = send();
    expect(send({ price: 90 })).toBe('orderToTrade');
    fill(first);
    for (const price of [90, 91]) expect(send({ price })).toMatch(/^order\d/);
    expect(send({ price: 92 })).toBe('orderToTrade');
    clock.advanceBy(HOUR_MS);
    expect([send({ price: 93 }), send({ price: 94 })]).toEqual(['order5', 'orderToTrade']);
  });

  it('lets what shrinks the position leave, and counts it', () => {
    const limits = { orderToTradeMax: 2, orderToTradeFreeOrders: 2 };
    const { send, positions } = makeTrader({ limits });
    positions.restore(makeHeld({ strategy: 'maker', held: 2, price: 100 }));
    expect(send({ side: 'sell', price: 101 })).toMatch(/^order\d/);
    expect(send({ side: 'sell', price: 102, amount: 0.5 })).toMatch(/^order\d/);
    expect(send({ price: 90 })).toBe('orderToTrade');
    expect(send({ side: 'sell', price: 103, amount: 0.5 })).toMatch(/^order\d/);
    expect(send({ side: 'sell', price: 104, amount: 0.5 })).toBe('orderToTrade');
    const exit = { side: 'sell', price: 99, type: 'ioc', amount: 2 };
    expect(send(exit)).toMatch(/^order\d/);
    expect(send({ ...exit, price: 98.9 })).toBe('orderToTrade');
  });

  it('is of a market by itself where that says so', () => {
    const own = { orderToTradeMax: 1, orderToTradeFreeOrders: 0 };
    const { send, gate } = makeTrader({ limits: { markets: { btc_usdt: own } } });
    expect(send()).toBe('orderToTrade');
    expect(gate.order(makeDraft())).toMatchObject({
      observed: '1 order, of which 0 traded: the next passes once 1 more trades',
    });
    expect(send({ market: 'eth_usdt' })).toMatch(/^order\d/);
  });
});
