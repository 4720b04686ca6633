import { describe, expect, it } from 'vitest';
import { SecondTries } from '../../../../src/app/backtest/feeds/second-tries.ts';
import { VirtualClock } from '../../../../src/kernel/index.ts';

/** Tries from a time on, of an engine that has refused a wish or none. */
function createTries(startMs: number) {
  const clock = new VirtualClock(startMs);
  const triedMs: number[] = [];
  const engine = { isRefused: true, askAgain: () => void triedMs.push(clock.now()) };
  return { clock, engine, triedMs, tries: new SecondTries({ clock, engine }) };
}

describe('SecondTries', () => {
  it('tries at the next whole second, once for all that happened until then', () => {
    const { clock, triedMs, tries } = createTries(1_300);
    for (const timeMs of [1_300, 1_400, 1_999]) {
      clock.advanceTo(timeMs);
      tries.note();
    }
    clock.advanceTo(9_000);
    expect(triedMs).toEqual([2_000]);
    tries.note();
    clock.advanceTo(20_000);
    expect(triedMs).toEqual([2_000, 10_000]);
  });

  it('keeps no timer where no wish is refused', () => {
    const { clock, engine, triedMs, tries } = createTries(0);
    engine.isRefused = false;
    tries.note();
    expect(clock.nextDueMs).toBeUndefined();
    expect(triedMs).toEqual([]);
  });
});
