import { describe, expect, it } from 'vitest';
import { gapsMs } from '../../../../../src/app/backtest/data/findings/gaps.ts';

describe('gapsMs', () => {
  it('counts the part of each gap that lies within', () => {
    const gaps = [
      { from: 0, to: 10, reason: 'away' },
      { from: 20, to: 30, reason: 'away' },
      { from: 90, to: 200, reason: 'away' },
    ];
    expect(gapsMs(gaps, { fromMs: 5, toMs: 100 })).toBe(5 + 10 + 10);
    expect(gapsMs([], { fromMs: 5, toMs: 100 })).toBe(0);
  });
});
