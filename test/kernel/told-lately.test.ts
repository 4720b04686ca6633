import { describe, expect, it } from 'vitest';
import { ToldLately } from '../../src/kernel/index.ts';

describe('ToldLately', () => {
  it('calls a repeat what was told within the last minute, but for all that it forgot', () => {
    const told = new ToldLately();
    expect([0, 59_999, 60_000, 119_999].map((nowMs) => told.isRepeat('a', nowMs))).toEqual([
      ...[false, true],
      ...[false, true],
    ]);
    expect(told.isRepeat('b', 119_999)).toBe(false);
    told.clear();
    expect(told.isRepeat('a', 119_999)).toBe(false);
  });
});
