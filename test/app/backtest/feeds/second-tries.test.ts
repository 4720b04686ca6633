import { describe, expect, it } from 'vitest';
import { trySeconds } from '../../../../src/app/backtest/feeds/second-tries.ts';
import type { TradingEvent } from '../../../../src/domain/index.ts';
import { Bus, VirtualClock } from '../../../../src/kernel/index.ts';

/** Tries from a time on, of an engine that has refused a wish or none. */
function createTries(startMs: number) {
  const clock = new VirtualClock(startMs);
  const bus = new Bus<TradingEvent>();
  const triedMs: number[] = [];
  const engine = { isRefused: true, askAgain: () => void triedMs.push(clock.now()) };
  trySeconds({ clock, bus, engine });
  const refuse = () => {
    const refusal = { code: 'staleData', limit: '', observed: '', scope: 'market' } as const;
    bus.publish({ kind: 'refusal', time: clock.now(), market: 'a_b', strategy: 'maker', refusal });
  };
  return { clock, engine, triedMs, refuse };
}

describe('trySeconds', () => {
  it('tries at each whole second from a refusal on, once for all of them, until all passes', () => {
    const { clock, engine, triedMs, refuse } = createTries(1_300);
    for (const timeMs of [1_300, 1_400, 1_999]) {
      clock.advanceTo(timeMs);
      refuse();
    }
    clock.advanceTo(4_500);
    expect(triedMs).toEqual([2_000, 3_000, 4_000]);
    engine.isRefused = false;
    clock.advanceTo(9_000);
    expect(triedMs).toEqual([2_000, 3_000, 4_000, 5_000]);
    expect(clock.nextDueMs).toBeUndefined();
  });

  it('keeps no timer where no wish is refused that stands', () => {
    const { clock, engine, refuse } = createTries(0);
    expect(clock.nextDueMs).toBeUndefined();
    engine.isRefused = false;
    refuse();
    expect(clock.nextDueMs).toBeUndefined();
  });
});
