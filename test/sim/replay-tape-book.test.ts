import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAmount, isPrice, type RecordedTrade, type Side } from '../../src/domain/index.ts';
import { LADDER_LEVELS, type Ladder, TapeBook } from '../../src/sim/replay-tape-book.ts';
import { MARKET, tradeOf } from './replay-fixture.ts';

const trade = fc
  .record({
    price: fc.integer({ min: 1, max: 10_000_000 }).map((units) => units / 100),
    amount: fc.integer({ min: 1, max: 1e8 }).map((units) => units / 1e5),
    takerSide: fc.constantFrom<Side>('buy', 'sell'),
  })
  .map(tradeOf);

function bookAfter(record: RecordedTrade): Ladder {
  const book = new TapeBook(MARKET);
  book.observe(record);
  return book.around(record);
}

/** A tape that bounces between a bid and an ask. */
function bouncing(bid: number, ask: number): RecordedTrade[] {
  return Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0
      ? tradeOf({ takerSide: 'sell', price: bid, amount: 2 })
      : tradeOf({ takerSide: 'buy', price: ask, amount: 2 }),
  );
}

describe('TapeBook', () => {
  it('makes books on scale, sorted, never crossed, that touch the trade', () => {
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 30 }), (tape) => {
        const book = new TapeBook(MARKET);
        for (const record of tape) {
          book.observe(record);
          const { bids, asks } = book.around(record);
          const touched = record.takerSide === 'buy' ? asks[0] : bids[0];
          expect(touched?.[0]).toBe(record.price);
          expect(asks).toHaveLength(LADDER_LEVELS);
          const upwards = [...bids.map(([price]) => price).reverse(), ...asks.map(([p]) => p)];
          expect(upwards).toEqual([...new Set(upwards)].sort((a, b) => a - b));
          for (const [price, amount] of [...bids, ...asks]) {
            expect([isPrice(MARKET, price), isAmount(MARKET, amount)]).toEqual([true, true]);
          }
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it("learns the tape's spread and amounts", () => {
    const book = new TapeBook(MARKET);
    const tape = bouncing(99.9, 100.3);
    for (const record of tape) book.observe(record);
    const { bids, asks } = book.around(tape.at(-1)!);
    expect([bids[0], asks[0]]).toEqual([
      [99.9, 2],
      [100.3, 2],
    ]);
    expect([bids[1], asks[2]]).toEqual([
      [99.7, 4],
      [100.7, 6],
    ]);
  });

  it('guesses a spread of five basis points before it saw a bounce', () => {
    const { bids, asks } = bookAfter(tradeOf({ price: 1_000 }));
    expect([bids[0]![0], asks[0]![0]]).toEqual([999.5, 1_000]);
  });

  it('makes no bids below zero', () => {
    const { bids } = bookAfter(tradeOf({ price: 0.03, takerSide: 'sell' }));
    expect(bids.map(([price]) => price)).toEqual([0.03, 0.02, 0.01]);
  });
});
