import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import { LossAccount } from '../../src/risk/loss-account.ts';
import { MarketProfit } from '../../src/risk/market-profit.ts';
import { makeDepth, makeHeld, makeRisk } from './fixture.ts';

/** The profit of one strategy that has bought at 100, and what its account heard of it since. */
function createProfit({ held = 2, at = 100 as number | 'no mark' } = {}) {
  const risk = makeRisk({ held: { maker: held }, limits: { collarFraction: 0.02 } });
  const { view, knobs, positions } = risk;
  const account = new LossAccount('usdt', {
    limits: { dailyLossMax: 1, drawdownMax: 1 },
    start: Decimal.ZERO,
  });
  const position = positions.position('btc_usdt');
  const mark = at === 'no mark' ? undefined : at;
  const profit = new MarketProfit(view, { market: 'btc_usdt', position, mark, account });
  const show = (bid: number | undefined, ask: number | undefined) => {
    knobs.depth = makeDepth(bid, ask);
  };
  const markAt = (price: number) => {
    show(price - 0.01, price + 0.01);
    return profit.follow(view);
  };
  const trade = (amount: number, price: number) =>
    positions.restore(makeHeld({ strategy: 'maker', held: amount, price }));
  const exactAt = (price: number) => positions.profit('btc_usdt', Decimal.of(price)).net;
  return { profit, view, knobs, account, show, markAt, trade, exactAt, position };
}

describe('MarketProfit', () => {
  it('is worth what is held at its mark, and what it cost without one', () => {
    expect(createProfit({ at: 103 }).profit.net.toString()).toBe('6');
    expect(createProfit({ at: 'no mark' }).profit.net.toString()).toBe('0');
  });

  it('is of the position and the mark that it was worked out of', () => {
    const { profit, position, trade } = createProfit();
    expect(profit.isOf({ position, mark: 100 })).toBe(true);
    expect(profit.isOf({ position, mark: 101 })).toBe(false);
    trade(1, 100);
    expect(profit.isOf({ position: { ...position }, mark: 100 })).toBe(false);
  });

  it('tells its account moves that are off by no more than their doubt', () => {
    const price = fc.integer({ min: 9_000, max: 11_000 }).map((cents) => cents / 100);
    const amount = fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(price, amount, price, (mark, traded, at) => {
        const { profit, account, markAt, trade, exactAt } = createProfit();
        if (traded !== 0) trade(traded, at);
        expect(markAt(mark)).toBe(true);
        const exact = exactAt(mark).minus(profit.net).toNumber();
        expect(Math.abs(exact - account.drift)).toBeLessThanOrEqual(account.doubt);
      }),
    );
  });

  it('is marked by its newest mark where a side of the book was swept away', () => {
    const { profit, view, markAt, show } = createProfit();
    markAt(110);
    show(99.99, 100.01);
    expect(profit.markAnew(view)).toBe(100);
    show(undefined, 120);
    expect(profit.markAnew(view)).toBe(100);
  });

  it('is marked by a new last price where no middle is known, and by an old one no more', () => {
    const { profit, view, knobs, markAt, show } = createProfit();
    knobs.last = 105;
    show(undefined, 120);
    expect(profit.markAnew(view)).toBe(105);
    markAt(110);
    show(undefined, 120);
    expect(profit.markAnew(view)).toBe(110);
  });

  it.each([
    ['held', 0],
    ['traded', 1],
  ])('adds its move to those of other markets of the account, of what was %s', (_, bought) => {
    const { view, account, position, trade, markAt } = createProfit();
    const other = new MarketProfit(view, { market: 'btc_usdt', position, mark: 100, account });
    if (bought > 0) trade(bought, 100);
    markAt(101);
    const { drift, doubt } = account;
    other.follow(view);
    expect(drift).toBeCloseTo(2 + bought);
    expect([account.drift / drift, account.doubt / doubt]).toEqual([2, expect.closeTo(2)]);
  });

  it('cannot tell of a position that had no mark', () => {
    expect(createProfit({ at: 'no mark' }).markAt(100)).toBe(false);
    expect(createProfit({ held: 0, at: 'no mark' }).markAt(100)).toBe(true);
  });
});
