import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candle, Trade } from '../../../src/domain/index.ts';
import {
  makeDraft,
  makeHeld,
  makeOrderIntent,
  makeQuotes,
  makeTarget,
  makeTrader,
  type RiskSetup,
} from '../fixture.ts';

const limits = { volumeShareMax: 0.1, volumeWindowMs: 60_000 };
const [START_MS, BUCKET_MS] = [1_000_000_000_000, 1_000];

/** A trader, and what others trade, told at once or later. */
function traderAmong(setup: RiskSetup = { limits }) {
  const trader = makeTrader(setup);
  const { clock, bus } = trader;
  const trade = (amount: number, overrides: Partial<Trade> = {}) => {
    const times = { exchangeTime: clock.now(), receivedTime: clock.now() };
    const told = { market: 'btc_usdt', id: '1', price: 100, side: 'buy', ...times } as const;
    bus.publish({ kind: 'trade', ...told, amount, ...overrides });
  };
  const candle = (volume: number, overrides: Partial<Candle> = {}) => {
    const times = { exchangeTime: clock.now(), receivedTime: clock.now() };
    const prices = { open: 100, high: 100, low: 100, close: 100, closed: true } as const;
    const told = { market: 'btc_usdt', interval: '1min', openTime: clock.now() - 60_000 } as const;
    bus.publish({ kind: 'candle', ...told, ...prices, ...times, volume, ...overrides });
  };
  return { ...trader, trade, candle };
}

describe('volumeShare', () => {
  it('lets nothing open that is larger than its part of what was traded in the window', () => {
    const event = fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9_000 })),
      lateMs: fc.oneof(fc.constant(0), fc.integer({ min: -5_000, max: 70_000 })),
      traded: fc.integer({ min: 1, max: 500_000 }),
      asked: fc.integer({ min: 100, max: 100_000 }),
      side: fc.constantFrom('buy', 'sell'),
    });
    const share = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30, size: 'max' }), share, (events, perMille) => {
        const { clock, trade, send, cancelled } = traderAmong({
          limits: { ...limits, volumeShareMax: perMille / 1_000 },
        });
        const trades: { timeMs: number; units: number }[] = [];
        for (const { waitMs, lateMs, traded, asked, side } of events) {
          clock.advanceBy(waitMs);
          const nowMs = clock.now();
          trade(traded / 10_000, { exchangeTime: nowMs - lateMs });
          trades.push({ timeMs: Math.min(nowMs, nowMs - lateMs), units: traded });
          const isIn = (timeMs: number) => timeMs - (timeMs % BUCKET_MS) >= nowMs - 60_000;
          const volume = trades.reduce((sum, one) => sum + (isIn(one.timeMs) ? one.units : 0), 0);
          const id = send({ side, amount: asked / 10_000 });
          expect(id === 'volumeShare').toBe(1_000 * asked > perMille * volume);
          if (id !== 'volumeShare') cancelled(id);
        }
      }),
      { seed: 67, numRuns: 300 },
    );
  });

  it('says what was asked for and what was traded, nothing at first', () => {
    const { gate, trade, clock, send } = traderAmong();
    const refusal = (traded: string) => ({
      ...{ code: 'volumeShare', limit: 'at most 0.1 of what was traded in 1 min' },
      ...{ observed: `1 btc beside ${traded} btc traded`, scope: 'order' },
    });
    expect(gate.order(makeDraft())).toEqual(refusal('0'));
    trade(9.9999);
    expect(gate.order(makeDraft())).toEqual(refusal('9.9999'));
    trade(1000, { market: 'eth_usdt' });
    trade(0.0001);
    expect(send()).toMatch(/^order/);
    expect(send({ market: 'eth_usdt', amount: 100 })).toMatch(/^order/);
    clock.advanceTo(START_MS + 60_000);
    expect(send({ price: 99 })).toMatch(/^order/);
    clock.advanceTo(START_MS + 60_001);
    expect(gate.order(makeDraft())).toEqual(refusal('0'));
  });

  it('takes candles where these tell, each once and as they close', () => {
    const other = traderAmong();
    other.candle(1_000);
    expect(other.send()).toBe('volumeShare');
    const among = traderAmong({ limits, candlesOf: new Map([['btc_usdt', '1min']]) });
    among.trade(1_000);
    among.candle(1_000, { closed: false });
    among.candle(1_000, { interval: '5min' });
    expect(among.send()).toBe('volumeShare');
    among.clock.advanceTo(Math.ceil(START_MS / 60_000) * 60_000);
    among.candle(10);
    among.cancelled(among.send());
    among.clock.advanceBy(30_000);
    expect(among.send({ amount: 0.5001 })).toBe('volumeShare');
    expect(among.send({ amount: 0.5 })).toMatch(/^order/);
  });
});

describe('volumeShare, of single cases,', () => {
  it('keeps of quotes those that are small enough, and asks a target when its order leaves', () => {
    const { gate, trade } = traderAmong();
    trade(10);
    const quotes = makeQuotes([99], [[101, 1.0001]]);
    const { approved, refusals } = gate.intent('maker', quotes);
    expect(approved?.value).toEqual(makeQuotes([99], []));
    expect(refusals.map(({ code }) => code)).toEqual(['volumeShare']);
    expect(gate.intent('maker', makeTarget(5)).refusals).toEqual([]);
    expect(gate.order(makeDraft({ amount: 5 }))).toMatchObject({ code: 'volumeShare' });
  });

  it('lets what shrinks the position leave, and every exit, though nothing is traded', () => {
    const { gate, send, positions } = traderAmong();
    positions.restore(makeHeld({ strategy: 'maker', held: 2, price: 100 }));
    expect(send({ side: 'sell', price: 101, amount: 2 })).toMatch(/^order/);
    expect(send({ side: 'sell', price: 102, amount: 1 })).toBe('volumeShare');
    const exit = { side: 'sell', type: 'ioc', price: 99.9, amount: 2, tag: 'exit' };
    expect(gate.intent('maker', makeOrderIntent({ ...exit, amount: 2.1 })).refusals).toHaveLength(
      1,
    );
    expect(gate.intent('maker', makeOrderIntent(exit)).refusals).toEqual([]);
    expect(send(exit)).toMatch(/^order/);
  });

  it('makes nothing of amounts that are none, and takes those beyond all scales', () => {
    const { trade, send } = traderAmong();
    for (const amount of [Number.NaN, -5, Number.POSITIVE_INFINITY]) trade(amount);
    expect(send({ amount: 0.01 })).toBe('volumeShare');
    trade(1.000_09);
    expect(send({ amount: 0.1001 })).toBe('volumeShare');
    expect(send({ amount: 0.1 })).toMatch(/^order/);
    trade(1e15);
    expect(send({ amount: 1e6, price: 99 })).toMatch(/^order/);
  });

  it('is of a market by itself where that says so', () => {
    const { send, gate } = traderAmong({ limits: { markets: { btc_usdt: limits } } });
    expect(send()).toBe('volumeShare');
    expect(send({ market: 'eth_usdt' })).toMatch(/^order/);
    expect(gate.hearsTrades('btc_usdt')).toBe(true);
    expect(gate.hearsTrades('eth_usdt')).toBe(false);
  });
});
