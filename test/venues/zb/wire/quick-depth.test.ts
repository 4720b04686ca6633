import { describe, expect, test } from 'vitest';
import { readQuickDepth, WireError } from '../../../../src/venues/zb/wire/index.ts';

const FRAME = {
  lastTime: 1_653_997_711_524,
  currentPrice: '29029.5',
  listDown: [
    [29029, 1],
    [29028, 2],
  ],
  listUp: [[29030, 0.5]],
  high: 30000,
  low: '28000',
  rate: '6.484',
  currentIsBuy: true,
};
const reception = { market: 'btc_usdt', receivedTime: 7 };

describe('readQuickDepth', () => {
  test('reads the book and the last price', () => {
    const depth = readQuickDepth(FRAME, reception);
    expect(depth).toMatchObject({
      ...{ market: 'btc_usdt', exchangeTime: 1_653_997_711_524, receivedTime: 7 },
      ...{ bids: FRAME.listDown, asks: FRAME.listUp, last: 29029.5, lastSide: 'buy' },
      ...{ high: 30000, low: 28000 },
    });
    expect(readQuickDepth({ ...FRAME, currentIsBuy: null }, reception).lastSide).toBeUndefined();
  });

  test('reads percent as the fraction that it stands for', () => {
    expect(readQuickDepth({ ...FRAME, rate: '0.55' }, reception).change).toBe(0.0055);
  });

  test.each([{ listUp: null }, { lastTime: 'x' }, { currentPrice: -1 }, { rate: 'up' }])(
    'refuses %j',
    (change) => {
      expect(() => readQuickDepth({ ...FRAME, ...change }, reception)).toThrow(WireError);
    },
  );
});
