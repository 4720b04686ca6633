import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { makeHeld, makeTrader } from '../fixture.ts';

const MIDNIGHT_MS = Math.ceil(1_000_000_000_000 / DAY_MS) * DAY_MS;
const wait = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 10 * HOUR_MS }));

describe('dailyOrders', () => {
  it('lets so many orders leave from midnight UTC to midnight, and no more', () => {
    fc.assert(
      fc.property(
        fc.array(wait, { maxLength: 40 }),
        fc.integer({ min: 1, max: 6 }),
        (waits, most) => {
          const { clock, send, cancelled } = makeTrader({ limits: { ordersPerDayMax: most } });
          const leftOn = new Map<number, number>();
          for (const waitMs of waits) {
            clock.advanceBy(waitMs);
            const day = Math.floor(clock.now() / DAY_MS);
            const left = leftOn.get(day) ?? 0;
            const id = send();
            expect(id === 'dailyOrders').toBe(left >= most);
            if (id === 'dailyOrders') continue;
            leftOn.set(day, left + 1);
            cancelled(id);
          }
        },
      ),
      { seed: 51, numRuns: 200 },
    );
  });

  it('then lets what shrinks the position leave, counts no refusal, and needs to be set', () => {
    const { send, gate, clock, orders, positions } = makeTrader({ limits: { ordersPerDayMax: 1 } });
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    clock.advanceTo(MIDNIGHT_MS);
    send();
    expect([send({ price: 90 }), send({ price: 90 })]).toEqual(['dailyOrders', 'dailyOrders']);
    expect(send({ side: 'sell', price: 101, amount: 1.0001 })).toBe('dailyOrders');
    expect(send({ side: 'sell', price: 101 })).toMatch(/^order/);
    expect(gate.cancel([...orders.allLive()][0]!).value).toBeDefined();
    clock.advanceTo(MIDNIGHT_MS + DAY_MS);
    expect(send({ price: 90 })).toMatch(/^order/);
    const unlimited = makeTrader();
    for (let at = 0; at < 500; at++)
      expect(unlimited.send({ price: 50 + at / 10 })).toMatch(/^order/);
  });
});

describe('dailyValue', () => {
  const finer = makeMarket({ id: 'eth_usdt', base: 'eth', priceScale: 3, amountScale: 3 });
  const markets = [makeMarket(), finer, makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc' })];
  const step = fc.record({
    waitMs: wait,
    market: fc.constantFrom('btc_usdt', 'eth_usdt', 'eth_btc'),
    cents: fc.integer({ min: 9_000, max: 11_000 }),
    hundredths: fc.integer({ min: 2, max: 300 }),
    outcome: fc.constantFrom('rests', 'fills', 'half', 'cancelled'),
  });

  it('keeps what was traded since midnight UTC and what rests within the most of a currency', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const trader = makeTrader({ markets, limits: { tradedValuePerDayMax: 500 } });
        let traded: { day: number; quote: string; units: number }[] = [];
        const open: { quote: string; units: number }[] = [];
        for (const { waitMs, market, cents, hundredths, outcome } of steps) {
          trader.clock.advanceBy(waitMs);
          const quote = market.split('_')[1]!;
          const day = Math.floor(trader.clock.now() / DAY_MS);
          traded = traded.filter((one) => one.day === day);
          // In units of 1e-4.
          const units = cents * hundredths;
          const before = [...traded, ...open].filter((one) => one.quote === quote);
          const all = before.reduce((sum, one) => sum + one.units, units);
          const id = trader.send({ market, price: cents / 100, amount: hundredths / 100 });
          expect(id === 'dailyValue').toBe(all > 5_000_000);
          if (id === 'dailyValue') continue;
          const filled = outcome === 'fills' ? units : outcome === 'half' ? units / 2 : 0;
          if (outcome === 'cancelled') trader.cancelled(id);
          else trader.fill(id, (hundredths * filled) / units / 100);
          traded.push({ day, quote, units: filled });
          if (outcome !== 'cancelled') open.push({ quote, units: units - filled });
        }
      }),
      { seed: 52, numRuns: 300 },
    );
  });

  it('says what there is, and lets what shrinks the position leave', () => {
    const trader = makeTrader({ limits: { currencies: { usdt: { tradedValuePerDayMax: 150 } } } });
    trader.fill(trader.send());
    expect(trader.send({ price: 50.01 })).toBe('dailyValue');
    expect(trader.send({ price: 50 })).toMatch(/^order/);
    expect(trader.send({ price: 1 })).toBe('dailyValue');
    expect(trader.send({ side: 'sell', price: 101, amount: 1 })).toMatch(/^order/);
    const unlimited = makeTrader({ limits: { currencies: { btc: { tradedValuePerDayMax: 1 } } } });
    for (let at = 0; at < 50; at++) unlimited.fill(unlimited.send());
    expect(unlimited.send()).toMatch(/^order/);
  });
});
