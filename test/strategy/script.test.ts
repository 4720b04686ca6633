import { describe, expect, it } from 'vitest';
import {
  scriptedCandles,
  scriptedFill,
  scriptedTicker,
  scriptedTrade,
} from '../../src/strategy/index.ts';

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

describe('scriptedCandles', () => {
  it('open where the one before closed, and reach no further than open and close', () => {
    const told = { interval: '5min', startMs: 600_000 } as const;
    const [first, second, third] = scriptedCandles([100, 110, 90], told);
    expect(first).toEqual({
      ...{ kind: 'candle', market: 'btc_usdt', interval: '5min', openTime: 600_000 },
      ...{ open: 100, high: 100, low: 100, close: 100, volume: 1, closed: true },
      ...{ exchangeTime: 900_000, receivedTime: 900_000 },
    });
    expect(second).toMatchObject({ openTime: 900_000, open: 100, high: 110, low: 100, close: 110 });
    expect(third).toMatchObject({ openTime: 1_200_000, open: 110, high: 110, low: 90, close: 90 });
  });
});

describe('scriptedFill', () => {
  it('charges its fee, which is none, in what it brings', () => {
    const feesIn = (['buy', 'sell'] as const).map((side) => {
      return scriptedFill({ time: 5, side, price: 100, amount: 2 }).fill.feeCurrency;
    });
    expect(feesIn).toEqual(['btc', 'usdt']);
  });

  it('tells the order that it is told to be of', () => {
    const told = { time: 5, side: 'buy', price: 100, amount: 2 } as const;
    expect(scriptedFill(told).fill.clientOrderId).toBe('scripted');
    expect(scriptedFill({ ...told, clientOrderId: 'a' }).fill.clientOrderId).toBe('a');
    expect(scriptedFill(told).fill).not.toHaveProperty('tag');
    expect(scriptedFill({ ...told, tag: 'entry' }).fill).toMatchObject({
      ...{ tag: 'entry', clientOrderId: 'entry' },
    });
  });
});
