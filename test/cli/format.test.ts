import { describe, expect, it } from 'vitest';
import {
  columns,
  counted,
  formatDuration,
  formatNumber,
  formatSigned,
} from '../../src/cli/format.ts';

describe('formatNumber', () => {
  it('groups digits and keeps to its places', () => {
    expect(formatNumber(61_837.6, 2)).toBe('61,837.60');
    expect(formatNumber(0.0001, 5)).toBe('0.00010');
  });
});

describe('formatSigned', () => {
  it.each([
    [1.5, '+1.50'],
    [-0.2, '-0.20'],
    [0, '0.00'],
    [-0.001, '0.00'],
  ])('%d is %s', (value, text) => {
    expect(formatSigned(value, 2)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [999, '00:00'],
    [65_000, '01:05'],
    [3_600_000, '01:00:00'],
    [90_061_000, '25:01:01'],
  ])('%d is %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });
});

describe('counted', () => {
  it('knows one from many', () => {
    expect([0, 1, 2_000].map((count) => counted(count, 'fill'))).toEqual([
      '0 fills',
      '1 fill',
      '2,000 fills',
    ]);
  });
});

describe('columns', () => {
  it('makes each column as wide as its widest cell', () => {
    const rows = [
      ['a', 'bb', 'c'],
      ['aaa', 'b', ''],
    ];
    expect(columns(rows)).toEqual(['a    bb  c', 'aaa  b']);
  });
});
