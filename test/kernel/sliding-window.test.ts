import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlidingWindow } from '../../src/kernel/index.ts';

/** The times that are counted, oldest first, by when each leaves. */
function timesOf(window: SlidingWindow, nowMs: number): number[] {
  const count = window.count(nowMs);
  const leavesMs = (at: number) => window.fallsToMs(count - 1 - at, nowMs);
  return Array.from({ length: count }, (_, at) => leavesMs(at) - window.windowMs);
}

describe('SlidingWindow', () => {
  it('fallsToMs is when the oldest beyond so many leaves, now where none is beyond', () => {
    const window = new SlidingWindow(4, 1_000);
    for (const time of [1, 2, 3]) window.add(time);
    expect([3, 2, 0].map((count) => window.fallsToMs(count, 9))).toEqual([9, 1_001, 1_003]);
  });

  it('has room at the very time that roomAtMs told, fractions of a millisecond or not', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 2e12, noNaN: true }),
        fc.integer({ min: 1, max: 60_000 }),
        (time, windowMs) => {
          const window = new SlidingWindow(1, windowMs);
          window.add(time);
          expect(window.add(window.roomAtMs(time))).toBe(true);
        },
      ),
      { seed: 8 },
    );
  });

  it('agrees with counting every event anew', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 80 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 6 }), (gaps, capacity) => {
        const window = new SlidingWindow(capacity, 1_000);
        const taken: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const live = taken.filter((time) => time > now - 1_000);
          expect(window.count(now)).toBe(live.length);
          expect(timesOf(window, now)).toEqual(live);
          const room = live.length < capacity;
          expect(window.roomAtMs(now)).toBe(room ? now : live[0]! + 1_000);
          expect(window.add(now)).toBe(room);
          if (room) taken.push(now);
        }
        for (const start of taken) {
          const inside = taken.filter((time) => time >= start && time < start + 1_000);
          expect(inside.length).toBeLessThanOrEqual(capacity);
        }
      }),
      { seed: 9 },
    );
  });

  it('counts every event of a large capacity, wherever its ring stood when it grew', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.integer({ min: 1, max: 400 }), (gone, capacity) => {
        const window = new SlidingWindow(capacity, 1_000);
        for (let at = 0; at < gone; at++) window.add(at);
        const late = Array.from({ length: capacity + 1 }, (_, at) => 2_000 + at);
        expect(late.filter((time) => window.add(time))).toEqual(late.slice(0, capacity));
        expect(timesOf(window, 2_500)).toEqual(late.slice(0, capacity));
      }),
      { seed: 10 },
    );
  });
});
