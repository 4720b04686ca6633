import { describe, expect, it } from 'vitest';
import { PriceCell } from '../../../../src/app/backtest/feeds/prices.ts';
import { minuteColumns } from '../fixture.ts';

describe('PriceCell', () => {
  it('is what the market is at, and apart from that what the bot has heard', () => {
    const cell = new PriceCell();
    expect([cell.last, cell.heardBy(0)]).toEqual([Number.NaN, Number.NaN]);
    cell.last = 100;
    cell.send(100, 5);
    expect([cell.last, cell.heardBy(4), cell.heardBy(5)]).toEqual([100, Number.NaN, 100]);
  });

  it('hears of several prices in their order, the newest by then last', () => {
    const cell = new PriceCell();
    for (const at of [1, 2, 3]) cell.send(100 + at, at);
    expect([cell.heardBy(2), cell.heardBy(2), cell.heardBy(9)]).toEqual([102, 102, 103]);
  });

  it('hears of a price at once that overtakes those before it, which are no news then', () => {
    const cell = new PriceCell();
    cell.send(101, 5);
    cell.send(102, 1);
    expect([cell.heardBy(1), cell.heardBy(5)]).toEqual([102, 102]);
  });

  it('is known to everybody at once where nothing is under way', () => {
    const cell = new PriceCell();
    cell.reach(101);
    expect([cell.last, cell.heardBy(0)]).toEqual([101, 101]);
    cell.pass(102);
    expect([cell.last, cell.heardBy(0)]).toEqual([102, 102]);
  });

  it('passes the price of a candle that has one alone', () => {
    const cell = new PriceCell();
    expect(cell.passed.whole).toBeUndefined();
    cell.passCandle(minuteColumns([{ close: 5 }]), 0);
    expect(cell.passed.whole).toEqual({ low: 5, high: 5 });
  });
});
