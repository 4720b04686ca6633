import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAmount, readTime } from '../../src/history/values.ts';

describe('readTime', () => {
  it('knows the unit of a stamp by its magnitude', () => {
    expect(readTime('1672531436')).toBe(1_672_531_436_000);
    expect(readTime(1_672_531_436_000)).toBe(1_672_531_436_000);
    expect(readTime('1672531436000123')).toBe(1_672_531_436_000.123);
    expect(readTime('1723161253937085768')).toBe(1_723_161_253_937.0857);
    expect(readTime('1696982287.4922')).toBe(1_696_982_287_492.2);
  });

  it('takes no counts since other years than 1970 for stamps since the epoch', () => {
    for (const stamp of ['638423424000000000', '133512192000000000', '3915856800000000']) {
      expect(() => readTime(stamp)).toThrow(`the time is "${stamp}", a stamp since the epoch is`);
    }
  });

  it('agrees in all units on any millisecond from 1991 to 2069', () => {
    fc.assert(
      fc.property(fc.integer({ min: 662_688_000_000, max: 3_124_137_600_000 }), (time) => {
        const seconds = `${Math.floor(time / 1_000)}.${String(time % 1_000).padStart(3, '0')}`;
        const forms = [seconds, String(time), `${time}000`, `${time}000000`];
        expect(forms.map(readTime)).toEqual(forms.map(() => time));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('refuses what is no time', () => {
    for (const value of ['', '2024-01-31', undefined, null, '12', '-5', Number.NaN]) {
      expect(() => readTime(value)).toThrow(/the time is/);
    }
  });
});

describe('readAmount', () => {
  it('takes numbers and their text', () => {
    expect(['0.5', 2, '0.000'].map((value) => readAmount(value, 'price'))).toEqual([0.5, 2, 0]);
  });

  it('names what is broken', () => {
    expect(() => readAmount('x1', 'amount')).toThrow('the amount is "x1", a number is wanted');
    for (const value of ['', ' ', null, undefined, -1, 'Infinity', true, []]) {
      expect(() => readAmount(value, 'amount')).toThrow(TypeError);
    }
  });
});
