import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writtenTime, writtenTimeOf } from '../../../../src/venues/zb/wire/dates.ts';
import { WireError } from '../../../../src/venues/zb/wire/index.ts';

const read = (value: unknown) => writtenTimeOf(value, 'time');

describe('written times', () => {
  test('are of UTC', () => {
    const ms = Date.UTC(2022, 1, 23, 9, 57, 34, 524);
    expect(writtenTime(ms)).toBe('2022-02-23 09:57:34');
    expect(read('2022-02-23 09:57:34')).toBe(ms - 524);
  });

  test('go there and back to the second', () => {
    const time = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });
    fc.assert(
      fc.property(time, (ms) => {
        expect(read(writtenTime(ms))).toBe(ms - (ms % 1000));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('take stamps in their place, in seconds or milliseconds', () => {
    expect(read('1645610254524')).toBe(1_645_610_254_524);
    expect(read(1_645_610_254)).toBe(1_645_610_254_000);
  });

  test.each([
    '2022-02-30 00:00:00',
    '2022-13-01 00:00:00',
    '1969-12-31 23:59:59',
    '0050-01-01 00:00:00',
    '',
    null,
    {},
    'now',
  ])('refuse %j', (value) => {
    expect(() => read(value)).toThrow(WireError);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 1e18])('cannot be made of %d', (ms) => {
    expect(() => writtenTime(ms)).toThrow(WireError);
  });
});
