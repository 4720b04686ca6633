import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAmount, readPositive, readSide, readTime } from '../../src/history/values.ts';

describe('readTime', () => {
  it('knows the unit of a stamp by its magnitude', () => {
    expect(readTime('1672531436')).toBe(1_672_531_436_000);
    expect(readTime('20240131093005')).toBe(Date.UTC(2024, 0, 31, 9, 30, 5));
    expect(readTime(20_240_131_093_005)).toBe(Date.UTC(2024, 0, 31, 9, 30, 5));
    expect(readTime('20240131093005250')).toBe(Date.UTC(2024, 0, 31, 9, 30, 5, 250));
    expect(() => readTime('20241331093005250')).toThrow('the time is 20241331093005250, a stamp');
    expect(() => readTime('20241331093005')).toThrow('the time is 20241331093005, a stamp');
    expect(readTime(1_672_531_436_000)).toBe(1_672_531_436_000);
    expect(readTime('1672531436000123')).toBe(1_672_531_436_000.123);
    expect(readTime('1723161253937085768')).toBe(1_723_161_253_937.0857);
    expect(readTime('1696982287.4922')).toBe(1_696_982_287_492.2);
  });

  it('takes no counts since other years than 1970 for stamps since the epoch', () => {
    for (const stamp of ['638423424000000000', '133512192000000000', '3915856800000000']) {
      expect(() => readTime(stamp)).toThrow(`the time is ${stamp}, a stamp since the epoch is`);
    }
  });

  it('agrees in all units on any millisecond from 1991 to 2069', () => {
    fc.assert(
      fc.property(fc.integer({ min: 662_688_000_000, max: 3_124_137_600_000 }), (time) => {
        const seconds = `${Math.floor(time / 1_000)}.${String(time % 1_000).padStart(3, '0')}`;
        const iso = new Date(time).toISOString();
        const forms = [seconds, String(time), `${time}000`, `${time}000000`, iso];
        expect(forms.map(readTime)).toEqual(forms.map(() => time));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('takes a date without a zone as UTC', () => {
    const noon = Date.UTC(2019, 9, 11, 12);
    expect(readTime('2019-10-11 12:00:00')).toBe(noon);
    expect(readTime('2019-10-11 12:00:00 UTC')).toBe(noon);
    expect(readTime('2019-10-11T14:00:00.000+02:00')).toBe(noon);
    expect(readTime('2019-10-11')).toBe(Date.UTC(2019, 9, 11));
    expect(readTime('2019.10.11 12:00')).toBe(noon);
    expect(readTime('2019/10/11 12:00')).toBe(noon);
  });

  it('refuses what is no time', () => {
    for (const value of ['', 'yesterday', undefined, null, '12', '-5', Number.NaN]) {
      expect(() => readTime(value)).toThrow(/the time is/);
    }
  });

  it('refuses a day that no calendar has, as an import does', () => {
    for (const value of ['2019-13-40', '2024-02-30', '2023-02-29 12:00', '20240230093005']) {
      expect(() => readTime(value)).toThrow(/the time is/);
    }
    expect(readTime('2024-02-29')).toBe(Date.UTC(2024, 1, 29));
  });
});

describe('readPositive and readAmount', () => {
  it('take numbers and their text', () => {
    expect([readPositive('0.5', 'price'), readPositive(2, 'price')]).toEqual([0.5, 2]);
    expect(readAmount('0.000', 'amount')).toBe(0);
  });

  it('name what is broken', () => {
    expect(() => readPositive('0', 'price')).toThrow('the price is "0", more than zero is wanted');
    expect(() => readAmount('x1', 'amount')).toThrow('the amount is "x1", a number is wanted');
    for (const value of ['', ' ', null, undefined, -1, 'Infinity', true, []]) {
      expect(() => readAmount(value, 'amount')).toThrow(TypeError);
    }
  });
});

describe('readSide', () => {
  it('knows the words in use', () => {
    expect(['buy', 'Buy', 'BID', 'b'].map(readSide)).toEqual(['buy', 'buy', 'buy', 'buy']);
    expect(['sell', 'SELL', 'ask', 's'].map(readSide)).toEqual(['sell', 'sell', 'sell', 'sell']);
    expect(() => readSide('long')).toThrow('the side is "long", buy or sell is wanted');
  });
});
