import { describe, expect, test } from 'vitest';
import { DecimalError } from '../../src/kernel/index.ts';
import { SimulationError } from '../../src/sim/index.ts';
import { answerOf, bookOf, collect, exchangeFixture, MARKET, place, walletOf } from './fixture.ts';

const market = MARKET.id;

function filledOf(fixture: ReturnType<typeof exchangeFixture>, exchangeOrderId: string): number {
  return answerOf(fixture.alice.trading.order({ market, exchangeOrderId })).filledAmount;
}

describe('Liquidity.setLevel', () => {
  test('makes the anonymous amount equal, whatever accounts have there', () => {
    const { exchange, liquidity, alice } = exchangeFixture();
    liquidity.setLevel({ side: 'buy', price: 100, amount: 3 });
    place(alice, { price: 100, amount: 1 });
    liquidity.setLevel({ side: 'buy', price: 100, amount: 5 });
    expect(bookOf(exchange).bids).toEqual([[100, 6]]);
    liquidity.setLevel({ side: 'buy', price: 100, amount: 0 });
    expect(bookOf(exchange).bids).toEqual([[100, 1]]);
  });

  test('grows behind an account order and shrinks from behind it first', () => {
    const fixture = exchangeFixture();
    const { liquidity, alice } = fixture;
    liquidity.setLevel({ side: 'buy', price: 100, amount: 3 });
    const id = place(alice, { price: 100, amount: 1 });
    liquidity.setLevel({ side: 'buy', price: 100, amount: 5 });
    liquidity.setLevel({ side: 'buy', price: 100, amount: 2.5 });
    liquidity.print({ takerSide: 'sell', price: 100, amount: 2.5 });
    expect(filledOf(fixture, id)).toBe(0);
    liquidity.print({ takerSide: 'sell', price: 100, amount: 0.4 });
    expect(filledOf(fixture, id)).toBe(0.4);
  });

  test('fills account orders that it crosses at their price; what is left rests', () => {
    const fixture = exchangeFixture();
    const { exchange, liquidity, alice } = fixture;
    const better = place(alice, { price: 101, amount: 1 });
    const worse = place(alice, { price: 100, amount: 1 });
    liquidity.setLevel({ side: 'sell', price: 100, amount: 1.5 });
    expect([filledOf(fixture, better), filledOf(fixture, worse)]).toEqual([1, 0.5]);
    expect(bookOf(exchange)).toEqual({ bids: [[100, 0.5]], asks: [] });
    expect(walletOf(exchange, 'alice')).toEqual({ usdt: ['999799', '50'], btc: ['101.5', '0'] });
    liquidity.setLevel({ side: 'sell', price: 100, amount: 2 });
    expect(bookOf(exchange)).toEqual({ bids: [], asks: [[100, 1.5]] });
  });

  test('never trades with anonymous liquidity: a recorded book may stand crossed', () => {
    const { exchange, liquidity } = exchangeFixture();
    const trades = collect(exchange.marketFeed.trades(market));
    liquidity.setLevel({ side: 'buy', price: 101, amount: 1 });
    liquidity.setLevel({ side: 'sell', price: 100, amount: 1 });
    expect(bookOf(exchange)).toEqual({ bids: [[101, 1]], asks: [[100, 1]] });
    expect(trades).toEqual([]);
  });

  test('refuses prices and amounts that the market cannot hold', () => {
    const { liquidity } = exchangeFixture();
    const level = { side: 'buy', price: 100, amount: 1 } as const;
    expect(() => liquidity.setLevel({ ...level, price: 100.001 })).toThrow(DecimalError);
    expect(() => liquidity.setLevel({ ...level, amount: 0.00001 })).toThrow(DecimalError);
    expect(() => liquidity.setLevel({ ...level, price: 0 })).toThrow(SimulationError);
    expect(() => liquidity.setLevel({ ...level, amount: -1 })).toThrow(SimulationError);
    expect(() => liquidity.print({ takerSide: 'buy', price: 1, amount: 0 })).toThrow(
      SimulationError,
    );
  });
});

describe('Liquidity.setLevel, where several anonymous orders rest,', () => {
  test('shrinks from the back through all that is anonymous, and takes nothing else away', () => {
    const fixture = exchangeFixture();
    const { exchange, liquidity, alice } = fixture;
    const terms = { side: 'buy', type: 'limit', price: 100 } as const;
    liquidity.addOrder({ ...terms, amount: 1 });
    const id = place(alice, { price: 100, amount: 2 });
    liquidity.addOrder({ ...terms, amount: 3 });
    liquidity.setLevel({ side: 'buy', price: 100, amount: 8 });
    expect(bookOf(exchange).bids).toEqual([[100, 10]]);
    liquidity.setLevel({ side: 'buy', price: 100, amount: 3.5 });
    expect(bookOf(exchange).bids).toEqual([[100, 5.5]]);
    liquidity.setLevel({ side: 'buy', price: 100, amount: 0.5 });
    expect(bookOf(exchange).bids).toEqual([[100, 2.5]]);
    liquidity.print({ takerSide: 'sell', price: 100, amount: 0.75 });
    expect(filledOf(fixture, id)).toBe(0.25);
  });
});

describe('Liquidity.replace', () => {
  test('leaves exactly the named levels, and all account orders', () => {
    const { exchange, liquidity, alice } = exchangeFixture();
    place(alice, { price: 98, amount: 1 });
    liquidity.replace({
      bids: [
        [99, 1],
        [98, 2],
      ],
      asks: [[101, 1]],
    });
    liquidity.replace({
      bids: [[97, 4]],
      asks: [
        [102, 1],
        [103, 2],
      ],
    });
    expect(bookOf(exchange)).toEqual({
      bids: [
        [98, 1],
        [97, 4],
      ],
      asks: [
        [102, 1],
        [103, 2],
      ],
    });
  });

  test('pushes one depth for the whole book', () => {
    const { exchange, liquidity } = exchangeFixture({ depthIntervalMs: 0 });
    const depths = collect(exchange.marketFeed.depth(market));
    liquidity.replace({
      bids: [
        [99, 1],
        [98, 2],
      ],
      asks: [[101, 1]],
    });
    expect(depths).toHaveLength(2);
  });
});

describe('Liquidity.print', () => {
  test('is published whole, once, whatever it met', () => {
    const { exchange, liquidity, alice, clock } = exchangeFixture();
    const trades = collect(exchange.marketFeed.trades(market));
    place(alice, { side: 'sell', price: 100, amount: 1 });
    liquidity.print({ takerSide: 'buy', price: 101, amount: 7 });
    const now = clock.now();
    expect(trades).toEqual([
      [
        {
          market,
          id: String(now),
          price: 101,
          amount: 7,
          side: 'buy',
          exchangeTime: now,
          receivedTime: now,
        },
      ],
    ]);
    expect(walletOf(exchange, 'alice').usdt).toEqual(['1000100', '0']);
  });

  test('fills account orders before its price first, then who queues up at it', () => {
    const fixture = exchangeFixture();
    const { exchange, liquidity, alice } = fixture;
    // A taker that sold at 100 found nobody above: what the book still shows there has gone since.
    const [before, at] = [102, 100].map((price) => {
      liquidity.setLevel({ side: 'buy', price: price + 1, amount: 5 });
      liquidity.setLevel({ side: 'buy', price, amount: 3 });
      return place(alice, { price, amount: 1 });
    });
    liquidity.print({ takerSide: 'sell', price: 100, amount: 4.5 });
    expect([filledOf(fixture, before!), filledOf(fixture, at!)]).toEqual([1, 0.5]);
    expect(bookOf(exchange).bids).toEqual([
      [103, 5],
      [102, 3],
      [101, 5],
      [100, 0.5],
    ]);
  });
});

describe('Liquidity.addOrder', () => {
  test('matches like any order; its rest can be cancelled once', () => {
    const { exchange, liquidity } = exchangeFixture();
    const terms = { type: 'limit', price: 100 } as const;
    const bid = liquidity.addOrder({ ...terms, side: 'buy', amount: 3 })!;
    expect(liquidity.addOrder({ ...terms, side: 'sell', amount: 1 })).toBeUndefined();
    expect(bookOf(exchange).bids).toEqual([[100, 2]]);
    expect(answerOf(exchange.market.trades({ market }))).toHaveLength(1);
    expect([liquidity.cancelOrder(bid), liquidity.cancelOrder(bid)]).toEqual([true, false]);
    expect(bookOf(exchange).bids).toEqual([]);
  });

  test('leaves nothing of an IOC, and of a PostOnly that would take', () => {
    const { exchange, liquidity } = exchangeFixture();
    liquidity.setLevel({ side: 'sell', price: 100, amount: 1 });
    const terms = { side: 'buy', price: 100, amount: 2 } as const;
    expect(liquidity.addOrder({ ...terms, type: 'postOnly' })).toBeUndefined();
    expect(bookOf(exchange).asks).toEqual([[100, 1]]);
    expect(liquidity.addOrder({ ...terms, type: 'ioc' })).toBeUndefined();
    expect(bookOf(exchange)).toEqual({ bids: [], asks: [] });
  });

  test('forgets thousands that have left the book, and none that rests', () => {
    const { exchange, liquidity } = exchangeFixture();
    const terms = { type: 'limit', price: 100, amount: 1 } as const;
    const bid = (price: number) => liquidity.addOrder({ ...terms, side: 'buy', price })!;
    const resting = bid(90);
    const gone = Array.from({ length: 2_500 }, () => {
      const id = bid(100);
      liquidity.addOrder({ ...terms, side: 'sell', type: 'ioc' });
      return id;
    });
    const newest = bid(91);
    expect(gone.filter((id) => liquidity.cancelOrder(id))).toEqual([]);
    expect(liquidity.cancelOrder(resting)).toBe(true);
    expect(bookOf(exchange).bids).toEqual([[91, 1]]);
    expect(liquidity.cancelOrder(newest)).toBe(true);
  });
});
