import { describe, expect, it } from 'vitest';
import { HOUR_MS, VirtualClock } from '../../src/kernel/index.ts';
import { StampWatch } from '../../src/market/stamp-watch.ts';
import { machineClock, START_MS } from './fixture.ts';

const AGE_MAX_MS = 60_000;

/** A watch on a machine whose date can be set. `hears`: whether a stamp so far behind is news. */
function watchFixture(startAheadMs = 0) {
  const time = new VirtualClock(START_MS);
  const date = { aheadMs: startAheadMs };
  const clock = machineClock(time, () => date.aheadMs);
  const stamps = new StampWatch({ clock, ageMaxMs: AGE_MAX_MS });
  const hears = (behindMs: number) => !stamps.isFrozen(time.now() - behindMs);
  return { time, date, stamps, hears };
}

describe('StampWatch', () => {
  it('takes no stamp that stands still and was old from the start on', () => {
    for (const behindMs of [AGE_MAX_MS + 1, HOUR_MS, -HOUR_MS]) {
      const { time, stamps } = watchFixture();
      const stamp = time.now() - behindMs;
      for (let heard = 0; heard < 1_000; heard++) {
        expect(stamps.isFrozen(stamp)).toBe(true);
        time.advanceBy(500);
      }
    }
  });

  it('takes up what moves on, however far the clocks are apart', () => {
    for (const aheadMs of [HOUR_MS, -HOUR_MS]) {
      const { time, hears } = watchFixture(aheadMs);
      expect(hears(0)).toBe(false);
      time.advanceBy(500);
      expect(hears(0)).toBe(true);
      time.advanceBy(500);
      expect(hears(500)).toBe(true);
      expect(hears(AGE_MAX_MS + 1)).toBe(false);
    }
  });

  it('takes the first stamp where that is near enough to our date', () => {
    expect(watchFixture().hears(AGE_MAX_MS)).toBe(true);
    expect(watchFixture(AGE_MAX_MS).hears(0)).toBe(true);
  });

  it('goes by the date as it is where that was wrong at the start and is set right', () => {
    const { date, hears } = watchFixture(HOUR_MS);
    date.aheadMs = 0;
    expect(hears(0)).toBe(true);
  });

  it('minds no date that is wrong later', () => {
    const { date, hears } = watchFixture();
    expect(hears(0)).toBe(true);
    date.aheadMs = HOUR_MS;
    expect(hears(0)).toBe(true);
  });

  it('does not learn of an old stamp how far the clocks are apart', () => {
    const { hears } = watchFixture();
    expect(hears(HOUR_MS)).toBe(false);
    expect(hears(0)).toBe(true);
    expect(hears(HOUR_MS)).toBe(false);
  });
});
