import { describe, expect, it } from 'vitest';
import { scriptedFill, scriptedTicker, scriptedTrade } from '../../src/strategy/index.ts';

describe('scriptedTrade', () => {
  it('is a public trade of its time', () => {
    expect(scriptedTrade({ time: 5, price: 100 })).toEqual({
      ...{ kind: 'trade', market: 'btc_usdt', id: '5', price: 100, amount: 1, side: 'buy' },
      ...{ exchangeTime: 5, receivedTime: 5 },
    });
    const told = { market: 'eth_usdt', id: '7', amount: 2, side: 'sell' } as const;
    expect(scriptedTrade({ time: 5, price: 100, ...told })).toMatchObject(told);
  });
});

describe('scriptedTicker', () => {
  it('has the last price in all places but those that are told', () => {
    expect(scriptedTicker({ time: 5, last: 100, high: 110, change: 0.1 })).toEqual({
      ...{ kind: 'ticker', market: 'btc_usdt', bid: 100, ask: 100, last: 100, open: 100 },
      ...{ high: 110, low: 100, volume: 1, change: 0.1, exchangeTime: 5, receivedTime: 5 },
    });
  });
});

describe('scriptedFill', () => {
  it('tells the order that it is told to be of', () => {
    const told = { time: 5, side: 'buy', price: 100, amount: 2 } as const;
    expect(scriptedFill(told).fill.clientOrderId).toBe('scripted');
    expect(scriptedFill({ ...told, clientOrderId: 'a' }).fill.clientOrderId).toBe('a');
  });
});
