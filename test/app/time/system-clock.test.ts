import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockOf, steadyTime, systemClock } from '../../../src/app/time/system-clock.ts';

function machine() {
  const time = { wallMs: 1_000_000, monotonicMs: 1_000_000 };
  const now = steadyTime({ wall: () => time.wallMs, monotonic: () => time.monotonicMs });
  const run = (ms: number) => {
    time.wallMs += ms;
    time.monotonicMs += ms;
  };
  return { time, now, run };
}

describe('steadyTime', () => {
  it('runs with the machine, in whole milliseconds', () => {
    const { now, run } = machine();
    run(12.7);
    expect(now()).toBe(1_000_012);
  });

  it('runs on where the machine is set back', () => {
    const { time, now, run } = machine();
    time.wallMs -= 3_600_000;
    run(5);
    expect(now()).toBe(1_000_005);
  });

  it('follows the machine forth, as after a sleep', () => {
    const { time, now, run } = machine();
    time.wallMs += 3_600_000;
    run(5);
    expect(now()).toBe(4_600_005);
  });

  it('never runs backwards, whatever happens to the machine', () => {
    const step = fc.record({ run: fc.nat(1_000), jump: fc.integer({ min: -5_000, max: 5_000 }) });
    const property = fc.property(fc.array(step), (steps) => {
      const { time, now, run } = machine();
      let before = now();
      for (const { run: ms, jump } of steps) {
        run(ms);
        time.wallMs += jump;
        const after = now();
        expect(after).toBeGreaterThanOrEqual(before + ms);
        before = after;
      }
    });
    fc.assert(property, { seed: 1 });
  });
});

describe('clockOf', () => {
  it('measures elapsed time that a step of the date leaves alone', () => {
    const time = { wallMs: 1_000_000, monotonicMs: 1_000_000 };
    const clock = clockOf({ wall: () => time.wallMs, monotonic: () => time.monotonicMs });
    const startMs = clock.elapsedMs!();
    time.wallMs += 3_600_050;
    time.monotonicMs += 50.9;
    expect(clock.now()).toBe(4_600_050);
    expect(clock.elapsedMs!() - startMs).toBe(50);
  });

  it('tells the date as it is, that was set back too', () => {
    const time = { wallMs: 1_000_000.9, monotonicMs: 1_000_000 };
    const clock = clockOf({ wall: () => time.wallMs, monotonic: () => time.monotonicMs });
    time.wallMs += 600_000;
    expect([clock.now(), clock.wallMs!()]).toEqual([1_600_000, 1_600_000]);
    time.wallMs -= 600_000;
    expect([clock.now(), clock.wallMs!()]).toEqual([1_600_000, 1_000_000]);
  });
});

describe('systemClock', () => {
  it('is near the time of the machine', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(100);
  });
});
