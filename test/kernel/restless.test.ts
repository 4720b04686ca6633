import { describe, expect, it } from 'vitest';
import { restlessness, VirtualClock } from '../../src/kernel/index.ts';

describe('restlessness', () => {
  it('counts anew with each moment', () => {
    const clock = new VirtualClock();
    const isRestless = restlessness(clock);
    const times = (count: number) => Array.from({ length: count }, isRestless).some(Boolean);
    expect(times(100_000)).toBe(false);
    clock.advanceBy(1);
    expect(times(100_000)).toBe(false);
    expect(isRestless()).toBe(true);
  });
});
