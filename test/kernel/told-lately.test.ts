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

  it('remembers the newest thousand, whatever stands in them', () => {
    const told = new ToldLately();
    for (let at = 0; at <= 1_000; at++) told.isRepeat(`reason ${at}`, 0);
    expect([1, 1_000, 0].map((at) => told.isRepeat(`reason ${at}`, 1))).toEqual([
      ...[true, true, false],
    ]);
  });
});
