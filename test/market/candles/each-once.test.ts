import { from, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { eachOnce } from '../../../src/market/index.ts';
import { candleOf } from '../fixture.ts';

describe('eachOnce', () => {
  it('leaves out what is told again and what comes behind its next, for each who listens', () => {
    const times = [0, 1, 1, 3, 2, 4];
    const candles = eachOnce(from(times.map((openTime, close) => candleOf(openTime, { close }))));
    for (let listener = 0; listener < 2; listener++) {
      const told: number[][] = [];
      candles.pipe(toArray()).subscribe((all) => {
        told.push(...all.map(({ openTime, close }) => [openTime, close]));
      });
      expect(told).toEqual([
        [0, 0],
        [1, 1],
        [3, 3],
        [4, 5],
      ]);
    }
  });
});
