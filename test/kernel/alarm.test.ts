import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Alarm } from '../../src/kernel/alarm.ts';
import { VirtualClock } from '../../src/kernel/index.ts';

function alarmOf() {
  const clock = new VirtualClock(0);
  const rings: number[] = [];
  const alarm = new Alarm(clock, () => rings.push(clock.now()));
  return { clock, rings, alarm };
}

describe('Alarm', () => {
  it('rings once at the time that was set last, sooner or later than before', () => {
    const { clock, rings, alarm } = alarmOf();
    for (const atMs of [500, 900, 700]) alarm.set(atMs);
    clock.advanceBy(1_000);
    expect(rings).toEqual([700]);
    for (const atMs of [1_500, 1_200]) alarm.set(atMs);
    clock.advanceBy(1_000);
    expect(rings).toEqual([700, 1_200]);
  });

  it('does not ring when it was set to never, until it is set anew', () => {
    const { clock, rings, alarm } = alarmOf();
    alarm.set(500);
    alarm.set(Number.POSITIVE_INFINITY);
    clock.advanceBy(1_000);
    expect(rings).toEqual([]);
    alarm.set(1_500);
    clock.advanceBy(1_000);
    expect(rings).toEqual([1_500]);
  });

  it('keeps the work that it has scheduled where it is set to never and anew', () => {
    const { clock, rings, alarm } = alarmOf();
    for (const atMs of [500, Number.POSITIVE_INFINITY, 700]) alarm.set(atMs);
    expect(clock.queued).toBe(1);
    clock.advanceBy(1_000);
    expect(rings).toEqual([700]);
  });

  it('leaves the clock alone once it is cancelled', () => {
    const { clock, rings, alarm } = alarmOf();
    alarm.set(500);
    alarm.cancel();
    expect(clock.nextDueMs).toBeUndefined();
    clock.advanceBy(1_000);
    expect(rings).toEqual([]);
  });

  it('rings at the time that stands, however often it is moved or cancelled on the way', () => {
    const step = fc.record({ pauseMs: fc.nat(50), inMs: fc.option(fc.nat(100)) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { clock, rings, alarm } = alarmOf();
        const expected: number[] = [];
        let atMs = Number.POSITIVE_INFINITY;
        const pass = (untilMs: number) => {
          if (atMs <= untilMs) expected.push(atMs);
          if (atMs <= untilMs) atMs = Number.POSITIVE_INFINITY;
          clock.advanceBy(untilMs - clock.now());
        };
        for (const { pauseMs, inMs } of steps) {
          pass(clock.now() + pauseMs);
          atMs = inMs === null ? Number.POSITIVE_INFINITY : clock.now() + 1 + inMs;
          if (inMs === null) alarm.cancel();
          else alarm.set(atMs);
        }
        pass(clock.now() + 1_000);
        expect(rings).toEqual(expected);
      }),
      { seed: 5 },
    );
  });
});
