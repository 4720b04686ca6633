import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS, VirtualClock } from '../../src/kernel/index.ts';
import { LeapWatch } from '../../src/market/leap-watch.ts';
import { machineClock, START_MS } from './fixture.ts';

/**
 * A watch of stamps. `hears` gives it stamps so far ahead of the true time, and returns what
 * passes.
 */
function leapFixture({ startAheadMs = 0, stepMs = 0 } = {}) {
  const time = new VirtualClock(START_MS);
  const date = { aheadMs: startAheadMs };
  const told: string[] = [];
  let returns = 0;
  const leaps = new LeapWatch<number>({
    ...{ clock: machineClock(time, () => date.aheadMs), aheadMaxMs: MINUTE_MS, stepMs },
    timeOf: (stamp) => stamp,
    nameOf: (stamp) => String(stamp - START_MS),
    onLeap: ({ after, before }) => told.push(`${after} ${before}`),
    onReturn: () => returns++,
  });
  const hears = (...aheadMs: number[]) =>
    leaps.sift(aheadMs.map((ms) => time.now() + ms)).map((stamp) => stamp - time.now());
  /** Gives it one stamp a second, each so far ahead; returns how many pass. */
  const hearsFor = (seconds: number, aheadMs: number) => {
    let passed = 0;
    for (let second = 0; second < seconds; second++) {
      time.advanceBy(SECOND_MS);
      passed += hears(aheadMs).length;
    }
    return passed;
  };
  return { time, date, told, hears, hearsFor, returns: () => returns };
}

describe('LeapWatch', () => {
  it('leaves out what is far ahead, and tells it once', () => {
    const { hears, told } = leapFixture();
    expect(hears(0, HOUR_MS)).toEqual([0]);
    expect(hears(0, HOUR_MS)).toEqual([0]);
    expect(hears(HOUR_MS)).toEqual([]);
    expect(hears(1, MINUTE_MS, MINUTE_MS + 2)).toEqual([1, MINUTE_MS, MINUTE_MS + 2]);
    expect(told).toEqual([`0 ${HOUR_MS}`]);
  });

  it('takes what follows the one before it by no more than a step', () => {
    const { hears } = leapFixture({ stepMs: HOUR_MS });
    const [next, far] = [HOUR_MS + MINUTE_MS, HOUR_MS + MINUTE_MS + 1];
    expect(hears(0, next)).toEqual([0, next]);
    const other = leapFixture({ stepMs: HOUR_MS });
    expect(other.hears(0, far)).toEqual([0]);
  });

  it('takes none however long right ones come in between', () => {
    const { hearsFor } = leapFixture();
    let passed = 0;
    for (let round = 0; round < 300; round++) {
      expect(hearsFor(1, 0)).toBe(1);
      passed += hearsFor(1, HOUR_MS);
    }
    expect(passed).toBe(0);
  });

  it('takes none that stands still', () => {
    const { time, hears } = leapFixture();
    hears(0);
    const stamp = 2 * HOUR_MS;
    for (let second = 0; second < 600; second++) {
      expect(hears(stamp - second * SECOND_MS)).toEqual([]);
      time.advanceBy(SECOND_MS);
    }
  });

  it('believes stamps that have gone on for a minute, and all behind them', () => {
    const { hears, hearsFor } = leapFixture();
    hears(0);
    expect(hearsFor(60, HOUR_MS)).toBe(0);
    expect(hearsFor(60, HOUR_MS)).toBe(60);
    expect(hears(50 * HOUR_MS)).toEqual([50 * HOUR_MS]);
  });

  it('tells that stamps are back by our date, and judges again', () => {
    const { hears, hearsFor, returns } = leapFixture();
    hears(0);
    hearsFor(61, HOUR_MS);
    expect(returns()).toBe(0);
    expect(hears(0)).toEqual([0]);
    expect(returns()).toBe(1);
    expect(hears(HOUR_MS)).toEqual([]);
  });

  it('minds no date that is wrong, at the start or later', () => {
    const { date, hears, hearsFor } = leapFixture({ startAheadMs: -HOUR_MS });
    expect(hears(0)).toEqual([0]);
    expect(hearsFor(60, 0)).toBe(60);
    date.aheadMs = HOUR_MS;
    expect(hearsFor(60, 0)).toBe(60);
    date.aheadMs = -HOUR_MS;
    expect(hearsFor(60, 0)).toBe(60);
  });

  it('minds no date that is set back in a quiet market', () => {
    const { time, date, hears } = leapFixture();
    hears(0);
    date.aheadMs = -5 * MINUTE_MS;
    time.advanceBy(10 * MINUTE_MS);
    expect(hears(0, HOUR_MS)).toEqual([0]);
  });
});
