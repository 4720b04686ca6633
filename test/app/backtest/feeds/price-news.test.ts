import { describe, expect, it } from 'vitest';
import { PriceLine } from '../../../../src/app/backtest/feeds/price-news.ts';

describe('PriceLine', () => {
  it('hands out what was sent first, when that is heard', () => {
    const line = new PriceLine();
    const first = { price: 10, timeMs: 0, heardMs: 5 };
    const second = { price: 11, timeMs: 3, heardMs: 8 };
    line.send(first);
    line.send(second);
    expect(line.heardMs).toBe(5);
    expect(line.take()).toBe(first);
    expect(line.heardMs).toBe(8);
    expect(line.take()).toBe(second);
  });

  it('hands out the newest of what is heard at one moment', () => {
    const line = new PriceLine();
    const newest = { price: 12, timeMs: 3, heardMs: 5 };
    line.send({ price: 10, timeMs: 0, heardMs: 5 });
    line.send({ price: 11, timeMs: 1, heardMs: 5 });
    line.send(newest);
    line.send({ price: 13, timeMs: 4, heardMs: 6 });
    expect(line.take()).toBe(newest);
    expect(line.heardMs).toBe(6);
  });

  it('has nothing to tell while nothing is under way', () => {
    expect(new PriceLine().heardMs).toBe(Number.POSITIVE_INFINITY);
  });
});
