import { describe, expect, it } from 'vitest';
import {
  type QuotesIntent,
  runStrategy,
  type ScriptedEvent,
  scriptedDepth,
  scriptedFill,
} from '../../src/strategy/index.ts';
import grid from '../../strategies/grid.ts';

const depth = (time: number, mid: number) => scriptedDepth({ time, bid: mid - 1, ask: mid + 1 });
const fill = (time: number, side: 'buy' | 'sell', amount = 0.5) =>
  scriptedFill({ time, side, price: 100, amount });

/** The prices that rest after each wish: bids and asks, best first. */
function wishes(events: readonly ScriptedEvent[], params: object = {}) {
  const run = runStrategy(grid, {
    params: { amount: 0.5, spacing: 0.1, lines: 2, ...params },
    events,
  });
  return run.intents.map((intent) => {
    const { bids, asks } = intent as QuotesIntent;
    return [bids.map(({ price }) => price), asks.map(({ price }) => price)];
  });
}

const AT_START = [
  [90.9, 82.64],
  [110, 121],
];

describe('grid', () => {
  it('rests bids below and asks above the first price', () => {
    expect(wishes([depth(0, 100)])).toEqual([AT_START]);
  });

  it('keeps its orders when the price moves inside and through the lines', () => {
    expect(wishes([depth(0, 100), depth(1, 105), depth(2, 93), depth(3, 89)])).toEqual([AT_START]);
  });

  it('moves the empty line to the one that traded', () => {
    expect(wishes([depth(0, 100), fill(1, 'buy')])[1]).toEqual([[82.64], [100, 110, 121]]);
    expect(wishes([depth(0, 100), fill(1, 'sell')])[1]).toEqual([[100, 90.9, 82.64], [121]]);
  });

  it('is back where it started after a round trip', () => {
    const round = wishes([depth(0, 100), fill(1, 'buy'), fill(2, 'sell')]);
    expect(round).toHaveLength(3);
    expect(round[2]).toEqual(AT_START);
  });

  it('waits for the whole of a line, in however many fills', () => {
    const partly = [depth(0, 100), fill(1, 'buy', 0.1), fill(2, 'buy', 0.3)];
    expect(wishes(partly)).toHaveLength(1);
    expect(wishes([...partly, fill(3, 'buy', 0.1)])).toHaveLength(2);
  });

  it('has not lost count after ten thousand fills in thirds', () => {
    const events: ScriptedEvent[] = [depth(0, 100)];
    for (let i = 1; i <= 3_333; i++) {
      for (let third = 0; third < 3; third++) {
        events.push(fill(i, i % 2 === 1 ? 'buy' : 'sell', 0.3 / 3));
      }
    }
    const all = wishes(events, { amount: 0.3 });
    expect(all).toHaveLength(1 + 3_333);
    expect(all.at(-1)).toEqual([[82.64], [100, 110, 121]]);
  });

  it('starts from the line nearest to the price where the center is given', () => {
    const [wish] = wishes([depth(0, 119)], { center: 100 });
    expect(wish).toEqual([[110, 100, 90.9, 82.64], []]);
  });

  it('has nothing left to buy below its lowest line', () => {
    const fallen = wishes([depth(0, 100), fill(1, 'buy'), fill(2, 'buy')]);
    expect(fallen.at(-1)).toEqual([[], [90.91, 100, 110, 121]]);
  });
});
