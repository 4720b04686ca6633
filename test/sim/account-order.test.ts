import { describe, expect, test } from 'vitest';
import type { OrderPush } from '../../src/exchange/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { answerOf, collect, exchangeFixture, MARKET, place, START_MS } from './fixture.ts';

const market = MARKET.id;
const fees = { maker: 0.001, taker: 0.002 };

function textOf({ order }: OrderPush) {
  return [order.filledAmount, order.fee!.toString(), order.lastTrade];
}

describe('AccountOrder.record', () => {
  test('tells the fees of a buy in the base and of a sell in the quote currency, exactly', () => {
    const { alice, bob } = exchangeFixture({ fees });
    const sell = place(alice, { side: 'sell', price: 99.99, amount: 0.3333 });
    const buy = place(bob, { price: 101, amount: 0.5 });
    const sold = answerOf(alice.trading.order({ market, exchangeOrderId: sell }));
    const bought = answerOf(bob.trading.order({ market, exchangeOrderId: buy }));
    expect([String(sold.fee), String(bought.fee)]).toEqual(['0.03332667', '0.0006666']);
    expect([sold.accountType, bought.accountType]).toEqual([0, 0]);
  });

  test('tells fees at the scale of the currency that they are taken in', () => {
    // Base amounts have 9 places here, money of the quote currency 8.
    const fine = makeMarket({ amountScale: 9, minAmount: 0 });
    const { alice, bob } = exchangeFixture({ fees, markets: [fine] });
    const sell = place(alice, { side: 'sell', price: 100, amount: 1 });
    const buy = place(bob, { price: 100, amount: 1 });
    const sold = answerOf(alice.trading.order({ market, exchangeOrderId: sell }));
    const bought = answerOf(bob.trading.order({ market, exchangeOrderId: buy }));
    expect([String(sold.fee), String(bought.fee)]).toEqual(['0.1', '0.002']);
  });

  test('adds the fees of all fills up and tells the newest trade with its public id', () => {
    const { alice, bob, clock } = exchangeFixture({ fees });
    const pushes = collect(bob.accountFeed.orders(market));
    place(alice, { side: 'sell', price: 100, amount: 1 });
    place(alice, { side: 'sell', price: 101, amount: 1 });
    clock.advanceBy(5);
    const exchangeOrderId = place(bob, { price: 101, amount: 1.5 });
    const [first, second] = answerOf(bob.market.trades({ market }));
    const time = START_MS + 5;
    expect(pushes.map(textOf)).toEqual([
      [0, '0', undefined],
      [1, '0.002', { id: first!.id, price: 100, amount: 1, time }],
      [1.5, '0.003', { id: second!.id, price: 101, amount: 0.5, time }],
    ]);
    const order = answerOf(bob.trading.order({ market, exchangeOrderId }));
    expect(order).toEqual(pushes.at(-1)!.order);
  });

  test('names the public trade of a print that took it', () => {
    const { alice, liquidity } = exchangeFixture({ fees });
    const exchangeOrderId = place(alice, { price: 100, amount: 1 });
    liquidity.print({ takerSide: 'sell', price: 99, amount: 3 });
    const [print] = answerOf(alice.market.trades({ market }));
    const { lastTrade } = answerOf(alice.trading.order({ market, exchangeOrderId }));
    expect(lastTrade).toMatchObject({ id: print!.id, price: 100, amount: 1 });
  });
});
