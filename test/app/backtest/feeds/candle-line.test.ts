import { describe, expect, it } from 'vitest';
import { type CandleEvent, CandleLine } from '../../../../src/app/backtest/feeds/candle-line.ts';

const candle = (receivedTime: number): CandleEvent => ({
  ...{ kind: 'candle', market: 'btc_usdt', interval: '1min', openTime: 0, closed: true },
  ...{ open: 1, high: 1, low: 1, close: 1, volume: 1, exchangeTime: 0, receivedTime },
});

describe('CandleLine', () => {
  it('hands out what was sent first, when that is heard', () => {
    const line = new CandleLine();
    const sent = [5, 8, 8].map(candle);
    for (const one of sent) line.send(one);
    const heard = sent.map(() => [line.heardMs, line.take()]);
    expect(heard).toEqual(sent.map((one) => [one.receivedTime, one]));
    expect(line.heardMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('goes on once it was empty', () => {
    const line = new CandleLine();
    for (const heardMs of [1, 2]) {
      line.send(candle(heardMs));
      expect(line.take().receivedTime).toBe(heardMs);
    }
  });
});
