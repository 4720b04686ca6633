import { describe, expect, it } from 'vitest';
import {
  type Candle,
  compareIds,
  haveSameNumbers,
  INTERVAL_MS,
  intervalStart,
} from '../../src/domain/index.ts';

describe('intervalStart', () => {
  it('starts weeks on Monday and everything else at whole intervals since the epoch', () => {
    const thursday = Date.UTC(2024, 0, 4, 13, 37, 5);
    expect(intervalStart(thursday, '1week')).toBe(Date.UTC(2024, 0, 1));
    expect(intervalStart(Date.UTC(2023, 11, 31, 23, 59), '1week')).toBe(Date.UTC(2023, 11, 25));
    const monday = Date.UTC(2022, 0, 17);
    expect(intervalStart(monday, '1week')).toBe(monday);
    expect(intervalStart(monday - 1, '1week')).toBe(monday - INTERVAL_MS['1week']);
    expect(intervalStart(thursday, '1day')).toBe(Date.UTC(2024, 0, 4));
    expect(intervalStart(thursday, '3day') % INTERVAL_MS['3day']).toBe(0);
    expect(intervalStart(thursday, '4hour')).toBe(Date.UTC(2024, 0, 4, 12));
  });
});

describe('haveSameNumbers', () => {
  const candle: Candle = {
    ...{ market: 'btc_usdt', interval: '1min', openTime: 0, closed: false },
    ...{ open: 1, high: 3, low: 0.5, close: 2, volume: 4, exchangeTime: 0, receivedTime: 0 },
  };

  it('compares prices and volume, not times nor whether they are closed', () => {
    expect(haveSameNumbers(candle, { ...candle, openTime: 9, closed: true })).toBe(true);
    const others = (['open', 'high', 'low', 'close', 'volume'] as const).map((key) =>
      haveSameNumbers(candle, { ...candle, [key]: 9 }),
    );
    expect(others).toEqual([false, false, false, false, false]);
  });
});

describe('compareIds', () => {
  it('orders ids beyond 2^53 as the whole numbers they are', () => {
    expect(compareIds('9', '10')).toBeLessThan(0);
    expect(compareIds('9007199254740993', '9007199254740992')).toBeGreaterThan(0);
    expect(compareIds('202202224851151555', '202202224851151555')).toBe(0);
  });
});
