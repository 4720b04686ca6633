import { describe, expect, it } from 'vitest';
import type { MarketRecord } from '../../src/domain/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import { ReplayFeeder } from '../../src/sim/replay-feeder.ts';
import { type Call, MARKET, NotedLiquidity, tradeOf } from './replay-fixture.ts';

const BOOK: MarketRecord = { kind: 'book', time: 0, bids: [[99, 2]], asks: [[101, 3]] };

function callsFor(records: readonly MarketRecord[], market = MARKET) {
  const liquidity = new NotedLiquidity(new VirtualClock(), market);
  const feeder = new ReplayFeeder(liquidity, records);
  for (const record of records) feeder.apply(record);
  return liquidity.calls;
}

/** The best levels of a book that was set. */
function bestOf(call: Call | undefined) {
  if (call === undefined || !('bids' in call)) throw new Error('a book is wanted');
  return { bid: call.bids[0], ask: call.asks[0] };
}

describe('ReplayFeeder', () => {
  it('takes recorded depth and trades as they are', () => {
    const levels: MarketRecord = { kind: 'levels', time: 1, changes: [['buy', 99.5, 1]] };
    const trade = tradeOf({ takerSide: 'sell', price: 99.5, amount: 0.25 });
    expect(callsFor([trade, BOOK, levels, trade])).toEqual([
      { at: 0, print: { takerSide: 'sell', price: 99.5, amount: 0.25 } },
      { at: 0, bids: [[99, 2]], asks: [[101, 3]] },
      { at: 0, levels: [{ side: 'buy', price: 99.5, amount: 1 }] },
      { at: 0, print: { takerSide: 'sell', price: 99.5, amount: 0.25 } },
    ]);
  });

  it('takes levels out before it puts levels in', () => {
    const up: MarketRecord = {
      ...{ kind: 'levels', time: 1 },
      changes: [
        ['buy', 101, 1],
        ['sell', 101, 0],
        ['sell', 102, 2],
      ],
    };
    expect(callsFor([BOOK, up]).at(-1)).toEqual({
      at: 0,
      levels: [
        { side: 'sell', price: 101, amount: 0 },
        { side: 'buy', price: 101, amount: 1 },
        { side: 'sell', price: 102, amount: 2 },
      ],
    });
  });

  it('makes a book around a tape that has none, before the print', () => {
    const [book, print] = callsFor([tradeOf({ price: 1_000, amount: 3 })]);
    expect(print).toHaveProperty('print');
    expect(bestOf(book)).toEqual({ bid: [999.5, 3], ask: [1_000, 3] });
  });

  it('learns from every trade: the book around a tape has its mean amount', () => {
    const trades = [tradeOf({ amount: 1 }), tradeOf({ amount: 2 })];
    // A mean of 1.1 is known when it begins; the first trade moves it to 1.09, the second on.
    expect(bestOf(callsFor(trades).at(-2)).ask).toEqual([100, 1.181]);
  });

  it('leaves out prints that cannot be', () => {
    const faults = [{ price: 0 }, { price: -1 }, { amount: -2 }].map((fault) => tradeOf(fault));
    const trades = [tradeOf(), tradeOf()];
    expect(callsFor([trades[0]!, ...faults, trades[1]!])).toEqual(callsFor(trades));
  });

  it('stands in with a tape book from a gap to the next whole book', () => {
    const gap: MarketRecord = { kind: 'gap', time: 1, reason: '' };
    const kinds = callsFor([BOOK, tradeOf(), gap, tradeOf(), BOOK, tradeOf()]).map((call) =>
      'print' in call ? 'print' : 'book',
    );
    expect(kinds).toEqual(['book', 'print', 'book', 'print', 'book', 'print']);
  });

  it('clears the tape book away when bare changes follow', () => {
    const sample = [tradeOf()];
    const liquidity = new NotedLiquidity(new VirtualClock());
    const feeder = new ReplayFeeder(liquidity, sample);
    feeder.apply({ kind: 'levels', time: 0, changes: [['buy', 99, 1]] });
    expect(liquidity.calls).toMatchObject([{ bids: [], asks: [] }, { levels: { length: 1 } }]);
  });

  it('rounds amounts and trades to the market, leaves dust out, refuses depth between prices', () => {
    const coarse = { ...MARKET, priceScale: 0, amountScale: 1 };
    const trades = [tradeOf({ price: 100.6, amount: 0.26 }), tradeOf({ amount: 0.04 })];
    const prints = callsFor([BOOK, ...trades], coarse).filter((call) => 'print' in call);
    expect(prints).toMatchObject([{ print: { price: 101, amount: 0.3 } }]);
    const between: MarketRecord = { kind: 'book', time: 0, bids: [[99.5, 1]], asks: [] };
    expect(() => callsFor([between], coarse)).toThrow(
      'Cannot replay the depth of btc_usdt: it has the price 99.5, at most 0 decimals are wanted',
    );
  });
});
