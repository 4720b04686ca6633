import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  makeDraft,
  makeHeld,
  makeQuotes,
  makeTarget,
  makeTrader,
  type RiskSetup,
} from '../fixture.ts';

const limits = { lossesInRowMax: 2, lossPauseMs: 60_000 };

/** Buys or sells 1 at 100 and closes it in so many parts `gain` better, or worse. */
function roundTrip(
  trader: ReturnType<typeof makeTrader>,
  { side = 'buy', gain, parts = 1 }: { side?: 'buy' | 'sell'; gain: number; parts?: number },
): void {
  const opening = trader.send({ side, price: 100 });
  trader.fill(opening);
  const sign = side === 'buy' ? 1 : -1;
  const closing = { side: side === 'buy' ? 'sell' : 'buy', price: 100 + sign * gain };
  const id = trader.send(closing);
  for (let part = 1; part <= parts; part++) trader.fill(id, part / parts);
  trader.clock.advanceBy(1);
}

const lose = { gain: -1 };
const win = { gain: 1 };

function after(trips: readonly (typeof lose)[], setup: RiskSetup = {}) {
  const trader = makeTrader({ ...setup, limits: { ...limits, ...setup.limits } });
  for (const trip of trips) roundTrip(trader, trip);
  return trader;
}

describe('losingStreak', () => {
  it('refuses just while more orders in a row have closed at a loss than may', () => {
    const trip = fc.record({
      side: fc.constantFrom('buy', 'sell'),
      gain: fc.constantFrom(-2, -0.01, 0, 0.01, 2),
      parts: fc.constantFrom(1, 2, 4),
    });
    fc.assert(
      fc.property(fc.array(trip, { maxLength: 12 }), (trips) => {
        const trader = makeTrader({ limits });
        let row = 0;
        for (const one of trips) {
          // A pause lets nothing open: the next trip begins after it.
          if (row > 2) trader.clock.advanceBy(60_000);
          roundTrip(trader, one);
          row = one.gain < 0 ? row + 1 : 0;
          expect(trader.send({ price: 90 }) === 'losingStreak').toBe(row > 2);
          for (const { clientOrderId } of trader.orders.allLive()) trader.cancelled(clientOrderId);
        }
      }),
      { seed: 50, numRuns: 200 },
    );
  });

  it('lets what shrinks the position leave, and no wish for more of it', () => {
    const { gate, send, positions } = after([lose, lose, lose]);
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    const refusal = {
      ...{ code: 'losingStreak', observed: '3 in a row', scope: 'market' },
      limit: '2 losses in a row, then 1 min of rest',
    };
    const { approved, refusals } = gate.intent('maker', makeQuotes([99], [101]));
    expect(approved?.value).toEqual(makeQuotes([], [101]));
    expect(refusals).toEqual([refusal]);
    expect(gate.intent('maker', makeTarget(0.5)).refusals).toEqual([]);
    expect(gate.intent('maker', makeTarget(2)).refusals).toEqual([refusal]);
    expect(gate.order(makeDraft({ side: 'buy', amount: 0.1 }))).toEqual(refusal);
    expect(send({ side: 'sell', amount: 1 })).toMatch(/^order/);
  });

  it('is of one market, ends with its time, and begins again with the next loss', () => {
    const trader = after([lose, lose, lose]);
    expect(trader.send({ market: 'eth_usdt' })).toMatch(/^order/);
    trader.clock.advanceBy(59_998);
    expect(trader.send()).toBe('losingStreak');
    trader.clock.advanceBy(1);
    roundTrip(trader, lose);
    expect(trader.send()).toBe('losingStreak');
  });

  it('is no longer for what opens meanwhile', () => {
    const trader = makeTrader({ limits });
    const resting = trader.send({ price: 90 });
    for (const trip of [lose, lose, lose]) roundTrip(trader, trip);
    trader.clock.advanceBy(30_000);
    trader.fill(resting);
    expect(trader.send()).toBe('losingStreak');
    trader.clock.advanceBy(30_000);
    expect(trader.send()).toMatch(/^order/);
  });

  it('ends with a gain, and with a reset by a person', () => {
    const trader = after([lose, lose, win, lose, lose]);
    expect(trader.send({ price: 90 })).toMatch(/^order/);
    const other = after([lose, lose, lose]);
    expect(other.send()).toBe('losingStreak');
    other.state.reset();
    expect(other.send({ price: 90 })).toMatch(/^order/);
  });
});

describe('losingStreak, of orders that trade in parts in turn,', () => {
  /** Holds 4, sells as much in two orders at those prices, and buys beside them. */
  function selling(one: number, other: number) {
    const trader = makeTrader({ limits: { ...limits, selfCrossAction: 'allow' } });
    trader.fill(trader.send({ amount: 4, price: 100 }));
    const sell = (price: number) => trader.send({ side: 'sell', amount: 2, price });
    const ids = { one: sell(one), other: sell(other), bid: trader.send({ amount: 1, price: 100 }) };
    return { ...trader, ...ids, isPaused: () => trader.send({ price: 95 }) === 'losingStreak' };
  }

  it('counts each once', () => {
    const { fill, one, other, bid, isPaused } = selling(99, 98);
    for (const part of [0.5, 1, 1.5]) {
      fill(one, part);
      fill(bid, part / 2);
      fill(other, part);
    }
    expect(isPaused()).toBe(false);
  });

  it('ends with one that has gained, and counts each anew from there', () => {
    const { fill, send, one, other, isPaused } = selling(99, 101);
    for (const part of [0.5, 1, 1.5]) {
      fill(one, part);
      fill(other, part);
    }
    fill(one, 2);
    fill(send({ side: 'sell', amount: 0.25, price: 98 }));
    expect(isPaused()).toBe(false);
    fill(send({ side: 'sell', amount: 0.25, price: 97 }));
    expect(isPaused()).toBe(true);
  });
});

describe('losingStreak, what a loss is', () => {
  it.each([
    ['what turns the position and closes more than it opens', [1.5, 0.9, 0.7], 'losingStreak'],
    ['nothing that opens more than it closes', [2.5, 3.5, 4.5], /^order/],
  ])('counts %s', (_, amounts, answer) => {
    const { send, fill, clock } = makeTrader({ limits });
    fill(send({ amount: 1, price: 100 }));
    amounts.forEach((amount, at) => {
      clock.advanceBy(1);
      fill(send({ amount, ...(at % 2 === 0 ? { side: 'sell', price: 99 } : { price: 100 }) }));
    });
    expect(send({ price: 90 })).toMatch(answer);
  });

  it('counts the fees of both sides', () => {
    const fees = { feeRates: { maker: 0.001, taker: 0.001 } };
    // Both sides together cost a little more than 0.2.
    const lost = { gain: 0.2 };
    const kept = { gain: 0.21 };
    expect(after([lost, lost, lost], fees).send()).toBe('losingStreak');
    expect(after([lost, lost, kept], fees).send()).toMatch(/^order/);
  });

  it.each([
    ['opened', 0.001, 0],
    ['closed', 0, 0.1],
  ])('counts a fee that is told later, of what %s', (_, opening, closing) => {
    const trader = makeTrader({ limits });
    for (let trip = 0; trip < 3; trip++) {
      expect(trader.send({ price: 90 })).toMatch(/^order/);
      const [buy, sell] = [
        trader.send({ price: 100 }),
        trader.send({ side: 'sell', price: 100.05 }),
      ];
      trader.fill(buy);
      trader.tellFee(buy, opening);
      trader.fill(sell);
      trader.tellFee(sell, closing);
      trader.clock.advanceBy(1);
    }
    expect(trader.send({ price: 90 })).toBe('losingStreak');
  });

  it('counts no fee that is told when another order has traded', () => {
    const trader = makeTrader({ limits: { lossesInRowMax: 1 } });
    const sold = [99, 101].map((price) => {
      trader.fill(trader.send({ price: 100 }));
      const id = trader.send({ side: 'sell', price });
      trader.fill(id);
      return id;
    });
    trader.tellFee(sold[0]!, 1.9);
    expect(trader.send({ price: 90 })).toMatch(/^order/);
    expect(trader.positions.position('btc_usdt').fees.toString()).toBe('1.9');
  });

  it('does not take the closing of what a fee left over for a result', () => {
    // Each purchase brings 0.999: the sale of 1 leaves 0.001 short, which the next one closes.
    const fees = { feeRates: { maker: 0.001, taker: 0.001 } };
    expect(after([{ gain: 5 }, { gain: -1 }, { gain: -1 }, { gain: -1 }], fees).send()).toBe(
      'losingStreak',
    );
    expect(after([{ gain: -1 }, { gain: -1 }, { gain: 5 }], fees).send()).toMatch(/^order/);
  });

  it('measures what an earlier run bought against what was paid', () => {
    const trader = makeTrader({ limits: { lossesInRowMax: 1 } });
    trader.positions.restore(makeHeld({ strategy: 'maker', held: 3, price: 110 }));
    trader.bus.publish({ kind: 'run', time: 0, status: 'starting', reason: '' });
    for (const price of [105, 100]) trader.fill(trader.send({ side: 'sell', price }));
    expect(trader.send()).toBe('losingStreak');
  });

  it('says nothing where it has no limit', () => {
    const trader = makeTrader({ limits: { markets: { eth_usdt: { lossesInRowMax: 1 } } } });
    for (let trip = 0; trip < 50; trip++) roundTrip(trader, lose);
    expect(trader.send()).toMatch(/^order/);
  });
});
