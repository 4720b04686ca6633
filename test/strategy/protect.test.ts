import { describe, expect, it } from 'vitest';
import { scriptedMarket } from '../../src/strategy/index.ts';
import { book, ETHER, hold, played, type Step, told, wait, wish } from './protect-fixture.ts';

/** Both sides, mirrored: a rise by a factor for one is a fall by the same factor for the other. */
const SIDES = [
  ['long', 1],
  ['short', -1],
] as const;

/** A book at which closing a position of a side gets the entry price and a fraction of it. */
const at = (side: number, profit: number): Step => {
  const price = 100 * (1 + side * profit);
  return side > 0 ? book(price, price + 50) : book(price - 50, price);
};

describe.each(SIDES)('a %s position', (_name, side) => {
  const entered = [wish(side), hold(side)];

  it('is closed at a loss', () => {
    const steps = [...entered, at(side, -0.029), at(side, -0.03), at(side, -0.5)];
    expect(told({ stopLoss: 0.03 }, steps)).toEqual([
      [0, side],
      [3, 0],
    ]);
  });

  it('is closed at a profit', () => {
    const steps = [...entered, at(side, 0.0009), at(side, 0.001), at(side, 0.5)];
    expect(told({ takeProfit: 0.001 }, steps)).toEqual([
      [0, side],
      [3, 0],
    ]);
  });

  it('is closed when the price has come back from its best', () => {
    const best = 1 + side * 0.1;
    const back = (fraction: number) => side * (best * (1 - side * fraction) - 1);
    const steps = [...entered, at(side, 0.1), at(side, back(0.019)), at(side, back(0.02))];
    expect(told({ trailing: 0.02 }, steps)).toEqual([
      [0, side],
      [4, 0],
    ]);
  });

  it('trails from the entry price on, though no book was as good', () => {
    const steps = [...entered, at(side, -0.01), at(side, -0.019), at(side, -0.02)];
    expect(told({ trailing: 0.02 }, steps)).toEqual([
      [0, side],
      [4, 0],
    ]);
  });

  it('does not trail before the profit that it is to trail from', () => {
    const steps = [at(side, 0.009), at(side, -0.3), at(side, 0.01), at(side, -0.02)];
    expect(told({ trailing: 0.02, trailingFrom: 0.01 }, [...entered, ...steps])).toEqual([
      [0, side],
      [5, 0],
    ]);
  });

  it('is closed after its time, without a book', () => {
    expect(told({ holdMaxMs: 2_500 }, [...entered, wait, hold(2 * side), wait])).toEqual([
      [0, side],
      [3.5, 0],
    ]);
  });

  it('is not judged by the price of the other side, nor by a crossed book', () => {
    const far = side > 0 ? book(undefined, 1) : book(199, undefined);
    const crossed = side > 0 ? book(90, 90) : book(110, 110);
    const one = side > 0 ? book(90, undefined) : book(undefined, 110);
    const steps = [...entered, book(undefined, undefined), far, crossed];
    expect(told({ stopLoss: 0.03 }, steps)).toEqual([[0, side]]);
    expect(told({ stopLoss: 0.03 }, [...steps, one])).toEqual([
      [0, side],
      [5, 0],
    ]);
  });
});

describe.each(SIDES)('a stop-loss in steps of a %s position', (_name, side) => {
  const entered = [wish(side), hold(side)];

  it('closes at the loss of the last step whose profit its best price has reached', () => {
    const stopLoss = [
      { fromProfit: 0, loss: 0.1 },
      { fromProfit: 0.02, loss: 0 },
      { fromProfit: 0.05, loss: -0.03 },
    ];
    const closedAt = (...profits: number[]) =>
      told({ stopLoss }, [...entered, ...profits.map((profit) => at(side, profit))])[1]?.[0];
    expect(closedAt(0.019, -0.099, -0.1)).toBe(4);
    expect(closedAt(0.02, 0.001, 0)).toBe(4);
    expect(closedAt(0.05, 0.031, 0.03)).toBe(4);
    expect(closedAt(0.019, -0.01, 0.01)).toBeUndefined();
  });

  it('bears any loss before the profit that the first step is from', () => {
    const steps = [at(side, -0.5), at(side, 0.02), at(side, 0)];
    expect(told({ stopLoss: [{ fromProfit: 0.02, loss: 0 }] }, [...entered, ...steps])).toEqual([
      [0, side],
      [4, 0],
    ]);
  });
});

describe('what is judged', () => {
  const stopLoss = { stopLoss: 0.03 };
  const entered = [wish(1), hold(1)];

  it('counts a profit of a step that is met to the last digit', () => {
    // 115 / 100 - 1 is a hair less than 0.15.
    const steps = [hold(1), book(115, 116), book(100, 101)];
    expect(told({ stopLoss: [{ fromProfit: 0.15, loss: 0 }] }, steps)).toEqual([[2, 0]]);
  });

  it('goes by the mean price of what is held, as additions move it', () => {
    const steps = [...entered, hold(3, 110), book(106.7, 107)];
    expect(told(stopLoss, steps)).toEqual([
      [0, 1],
      [3, 0],
    ]);
  });

  it('goes by the best price since that position was opened alone', () => {
    const trailing = { trailing: 0.05 };
    const steps = [...entered, book(104, 105), hold(0), book(190, 191), hold(1, 102)];
    expect(told(trailing, [...steps, book(98, 99)])).toEqual([[0, 1]]);
    expect(told(trailing, [...steps, book(96.9, 99)]).at(-1)).toEqual([6, 0]);
    const turned = [...entered, book(150, 151), hold(-1, 150), book(156, 157)];
    expect(told(trailing, turned)).toEqual([[0, 1]]);
  });

  it('takes its time anew with each position', () => {
    const steps = [...entered, wait, hold(0), hold(1), wait, wait, wait, wait];
    expect(told({ holdMaxMs: 3_000 }, steps)).toEqual([
      [0, 1],
      [7, 0],
    ]);
  });

  it('is nothing where no entry price is known, but for the time', () => {
    const steps = [wish(1), hold(1, 0), book(1, 2), book(1_000, 1_001)];
    expect(told({ stopLoss: 0.03, takeProfit: 0.03, trailing: 0.1 }, steps)).toEqual([[0, 1]]);
    expect(told({ stopLoss: 0.03, holdMaxMs: 3_000 }, steps).at(-1)).toEqual([4, 0]);
  });

  it('is no position that is less than the least order', () => {
    const fees = [...entered, book(98, 99), hold(0.00005), book(90, 91)];
    const worth = [...entered, book(98, 99), hold(0.005), book(90, 91)];
    expect(told({ stopLoss: 0.03, holdMaxMs: 6_000 }, fees)).toEqual([[0, 1]]);
    expect(told({ stopLoss: 0.03, holdMaxMs: 6_000 }, worth)).toEqual([[0, 1]]);
    // A further purchase turns the dust into a new position.
    expect(told({ holdMaxMs: 3_000 }, [...fees, wish(1), hold(1)]).at(-1)).toEqual([9, 0]);
  });
});

describe('an exit', () => {
  it('is wished once, at the slippage that is told', () => {
    const steps = [wish(1), hold(1), book(90, 91), hold(0.5), book(80, 81), hold(0), book(70, 71)];
    const exitOf = (slippage?: number) => played({ stopLoss: 0.03, slippage }, steps).intents;
    expect(exitOf()).toHaveLength(2);
    expect(exitOf()[1]).toEqual({
      ...{ kind: 'target', market: scriptedMarket.id, position: 0, slippage: 0.01 },
    });
    expect(exitOf(0.3)[1]?.slippage).toBe(0.3);
  });

  it('is wished anew where orders add to what is being closed, or open a position again', () => {
    const steps = [wish(1), hold(1), book(90, 91), hold(2), book(90, 91), hold(0), hold(1)];
    expect(told({ stopLoss: 0.03 }, [...steps, book(90, 91)])).toEqual([
      [0, 1],
      [2, 0],
      [4, 0],
      [7, 0],
    ]);
  });

  it('is of one market alone', () => {
    const steps = [
      ...[wish(1), wish(2, {}, ETHER), hold(1), hold(2, 10, ETHER)],
      ...[book(9.5, 9.6, ETHER), book(99, 100), wish(1), wish(2, {}, ETHER), book(96, 97)],
    ];
    const { intents } = played({ stopLoss: 0.03 }, steps);
    expect(intents.map(({ market, position }) => [market, position])).toEqual([
      ...[
        ['btc_usdt', 1],
        ['eth_usdt', 2],
      ],
      ...[
        ['eth_usdt', 0],
        ['btc_usdt', 1],
        ['btc_usdt', 0],
      ],
    ]);
  });

  it('comes in a market that no wish has named, once something is held there', () => {
    const steps = [wish(1), book(1, 2, ETHER), hold(2, 10, ETHER), book(9.8, 9.9, ETHER)];
    expect(told({ stopLoss: 0.03 }, steps)).toEqual([[0, 1]]);
    expect(told({ stopLoss: 0.03 }, [...steps, book(9.5, 9.6, ETHER)]).at(-1)).toEqual([4, 0]);
    expect(told({ holdMaxMs: 1_500 }, steps).at(-1)).toEqual([3.5, 0]);
  });
});
