import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  formatDuration,
  formatMoment,
  HOUR_MS,
  MINUTE_MS,
  readDuration,
  readMoment,
  timeOfDay,
} from '../../src/kernel/index.ts';

describe('readDuration', () => {
  it.each<[number | undefined, readonly string[]]>([
    [250, ['250ms']],
    [30_000, ['30s', '30sec', '0.5m']],
    [5 * MINUTE_MS, ['5m', '5min']],
    [2 * HOUR_MS, ['2h', '2hour', '120min']],
    [7 * DAY_MS, ['7d', '7day', '1w', '1week']],
    [undefined, ['', '5', 'm', '0s', '5 min', '-1h', '1M', '1constructor', '5mins']],
  ])('gives %s for %j', (ms, texts) => {
    expect(texts.map(readDuration)).toEqual(texts.map(() => ms));
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [1, '0.001 s'],
    [250, '0.25 s'],
    [15_000, '15 s'],
    [MINUTE_MS, '1 min'],
    [5 * MINUTE_MS + 20_400, '5 min 20 s'],
    [HOUR_MS + 90_000, '1 h 2 min'],
    [3 * DAY_MS + 4 * HOUR_MS, '3 d 4 h'],
    [1_234 * DAY_MS, '1,234 d'],
    [-250, '-0.25 s'],
    [MINUTE_MS - 1, '1 min'],
    [HOUR_MS - 1, '1 h'],
    [DAY_MS - 1, '1 d'],
    [DAY_MS - HOUR_MS / 2, '23 h 30 min'],
    [12_345, '12.3 s'],
    [MINUTE_MS - 100, '59.9 s'],
  ])('tells %i ms as %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });
});

describe('timeOfDay and formatMoment', () => {
  it('are of UTC, to the second', () => {
    const timeMs = Date.UTC(2024, 0, 31, 18, 2, 3, 999);
    expect(timeOfDay(timeMs)).toBe('18:02:03 UTC');
    expect(formatMoment(timeMs)).toBe('2024-01-31 18:02:03 UTC');
  });
});

describe('readMoment', () => {
  it.each([
    ['2024-01-31', '2024-01-31T00:00:00.000Z'],
    ['2024-02-29 10:15', '2024-02-29T10:15:00.000Z'],
    ['2024-01-31T10:15:30.5Z', '2024-01-31T10:15:30.500Z'],
    ['1969-12-31T23:59', '1969-12-31T23:59:00.000Z'],
  ])('takes %s', (text, iso) => {
    expect(new Date(readMoment(text)!).toISOString()).toBe(iso);
  });

  it.each(['2024-02-30', '2023-02-29', '2024-04-31T10:00Z', '2024-13-01', '2024-01-31T24:00', '1'])(
    'takes %s for no other one: there is none such',
    (text) => {
      expect(readMoment(text)).toBeUndefined();
    },
  );
});
