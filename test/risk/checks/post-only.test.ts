import { describe, expect, it } from 'vitest';
import { makeDepth, makeTrader, type RiskSetup } from '../fixture.ts';

const BID = { type: 'postOnly', side: 'buy', price: 101 } as const;
const LEFT = /^order/;

/** A gate whose newest book has an ask of 1 at 101, where an own order of so much rests. */
function makeMaker({ owned = 1, ...setup }: RiskSetup & { readonly owned?: number } = {}) {
  const trader = makeTrader({ ...setup, book: [99, 101] });
  const own = trader.send({ side: 'sell', price: 101, amount: owned, type: 'postOnly' });
  trader.take(own);
  trader.clock.advanceTo(trader.clock.now() + 1);
  return { ...trader, own };
}

describe('postOnly', () => {
  it('refuses what would trade at once against the known book', () => {
    const { send } = makeTrader({ book: [99, 101] });
    expect(send(BID)).toBe('postOnlyCross');
    expect(send({ ...BID, side: 'sell', price: 99 })).toBe('postOnlyCross');
    expect(send({ ...BID, type: 'limit' })).toMatch(LEFT);
    expect(send({ ...BID, price: 100.99, amount: 2 })).toMatch(LEFT);
  });

  it('looks past own orders that have left since, cancelled or filled', () => {
    for (const end of ['cancelled', 'fill'] as const) {
      const maker = makeMaker();
      maker[end](maker.own);
      expect(maker.send(BID)).toMatch(LEFT);
    }
  });

  it('heeds what others have at the price, or behind it', () => {
    const beside = makeMaker({ owned: 0.9999 });
    beside.cancelled(beside.own);
    expect(beside.send(BID)).toBe('postOnlyCross');
    const behind = makeMaker();
    behind.knobs.depth = {
      ...behind.knobs.depth!,
      asks: [
        [101, 1],
        [102, 1],
      ],
    };
    behind.cancelled(behind.own);
    expect(behind.send({ ...BID, price: 102 })).toBe('postOnlyCross');
    expect(behind.send({ ...BID, price: 101.99 })).toMatch(LEFT);
  });

  it('heeds what others have beside the rest of one that had filled in part', () => {
    const { own, fill, cancelled, send } = makeMaker();
    fill(own, 0.4);
    cancelled(own);
    expect(send(BID)).toBe('postOnlyCross');
  });

  it('heeds a book that is older than the order that has left', () => {
    const { own, clock, knobs, cancelled, send } = makeMaker();
    knobs.depth = { ...knobs.depth!, receivedTime: clock.now() - 2 };
    cancelled(own);
    expect(send(BID)).toBe('postOnlyCross');
  });

  it('heeds own orders that rest, and those that had left before the book was told', () => {
    const limits = { selfCrossAction: 'allow' } as const;
    const { send, cancelled, own, clock, knobs } = makeMaker({ limits });
    expect(send(BID)).toBe('postOnlyCross');
    cancelled(own);
    clock.advanceTo(clock.now() + 1);
    knobs.depth = { ...makeDepth(99, 101), receivedTime: clock.now() };
    expect(send(BID)).toBe('postOnlyCross');
  });

  it('takes a book without own orders, as that of a backtest, for that of others', () => {
    const { send, cancelled, own } = makeMaker({ showsOwn: false });
    cancelled(own);
    expect(send(BID)).toBe('postOnlyCross');
  });
});
