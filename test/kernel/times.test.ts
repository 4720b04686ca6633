import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  formatDuration,
  formatMoment,
  HOUR_MS,
  MINUTE_MS,
  timeOfDay,
} from '../../src/kernel/index.ts';

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
