import { describe, expect, it } from 'vitest';
import { NewsLine } from '../../../../src/app/backtest/feeds/news-line.ts';

describe('NewsLine', () => {
  it('hands out what was sent first, when that is heard', () => {
    const line = new NewsLine();
    const sent = [5, 8, 8].map((receivedTime) => ({ receivedTime }));
    for (const one of sent) line.send(one);
    const heard = sent.map(() => [line.heardMs, line.take()]);
    expect(heard).toEqual(sent.map((one) => [one.receivedTime, one]));
    expect(line.heardMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('goes on once it was empty', () => {
    const line = new NewsLine();
    for (const receivedTime of [1, 2]) {
      line.send({ receivedTime });
      expect(line.take().receivedTime).toBe(receivedTime);
    }
  });
});
