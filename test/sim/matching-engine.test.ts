import { describe, expect, it } from 'vitest';
import type { SimulatedExchangeOptions } from '../../src/sim/index.ts';
import type { ModelledMarket } from '../../src/sim/models/model.ts';
import { makeMarket } from '../domain/fixture.ts';
import { exchangeFixture, MARKET, place } from './fixture.ts';

const CROSS = makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc', minSize: 0.0001 });

function positionsFixture(fees: SimulatedExchangeOptions['fees'] = { maker: 0, taker: 0 }) {
  const { exchange, alice, bob } = exchangeFixture({ markets: [MARKET, CROSS], fees });
  const engines = new Map<string, ModelledMarket['engine']>();
  for (const { id } of [MARKET, CROSS]) {
    exchange.fillBy(id, ({ engine }) => {
      engines.set(id, engine);
      return { arriving: () => {} };
    });
  }
  return {
    ...{ alice, bob },
    positions: () => [MARKET, CROSS].map(({ id }) => engines.get(id)?.position),
    /** Alice trades with somebody who has no account. */
    trade: (terms: { market: string; side: 'buy' | 'sell'; price: number; amount: number }) => {
      place(alice, terms);
      const { market, side, price, amount } = terms;
      const takerSide = side === 'buy' ? 'sell' : 'buy';
      exchange.anonymous(market).print({ takerSide, price, amount });
    },
  };
}

describe('MatchingEngine.position', () => {
  it('is what was gained by trading in its market, whatever the coin was paid with elsewhere', () => {
    const { trade, positions } = positionsFixture();
    trade({ market: 'eth_btc', side: 'buy', price: 0.05, amount: 40 });
    expect(positions()).toEqual([0, 400_000]);
    trade({ market: 'btc_usdt', side: 'buy', price: 100, amount: 1 });
    expect(positions()).toEqual([10_000, 400_000]);
    trade({ market: 'btc_usdt', side: 'sell', price: 100, amount: 1.5 });
    expect(positions()).toEqual([-5_000, 400_000]);
  });

  it('is less what fees took of it, down to whole steps', () => {
    const received = positionsFixture({ maker: 0.001, taker: 0.001 });
    received.trade({ market: 'btc_usdt', side: 'buy', price: 100, amount: 1.0001 });
    expect(received.positions()).toEqual([9_990, 0]);
    received.trade({ market: 'btc_usdt', side: 'sell', price: 100, amount: 0.999 });
    expect(received.positions()).toEqual([0, 0]);
    const base = positionsFixture({ maker: 0.001, taker: 0.001, in: 'base' });
    base.trade({ market: 'btc_usdt', side: 'sell', price: 100, amount: 1 });
    expect(base.positions()).toEqual([-10_010, 0]);
  });

  it('is none of what accounts trade with each other', () => {
    const { alice, bob, positions } = positionsFixture();
    place(alice, { side: 'buy', price: 100, amount: 1 });
    place(bob, { side: 'sell', price: 100, amount: 1 });
    expect(positions()).toEqual([0, 0]);
  });
});
