import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VolumeWindow } from '../../src/risk/volume-window.ts';

const START_MS = 1_700_000_000_000;

describe('VolumeWindow', () => {
  it('has of the window all but its first sixtieth, late news and silence included', () => {
    const step = fc.record({
      waitMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 3_000 })),
      lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 })),
      units: fc.integer({ min: 0, max: 1e12 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60, size: 'max' }),
        fc.constantFrom(1, 7, 60, 61, 600, 1_000),
        (steps, windowMs) => {
          const window = new VolumeWindow(windowMs);
          const bucketMs = Math.ceil(windowMs / 60);
          const added: { timeMs: number; units: number }[] = [];
          let nowMs = START_MS;
          for (const { waitMs, lateMs, units } of steps) {
            nowMs += waitMs;
            added.push({ timeMs: nowMs - lateMs, units });
            window.add(units, nowMs - lateMs);
            const begins = (timeMs: number) => timeMs - (timeMs % bucketMs);
            const since = (fromMs: number, of: (timeMs: number) => number) =>
              added
                .filter(({ timeMs }) => of(timeMs) >= fromMs)
                .reduce((sum, one) => sum + one.units, 0);
            const told = window.units(nowMs);
            expect(told).toBe(since(nowMs - windowMs, begins));
            expect(told).toBeLessThanOrEqual(since(nowMs - windowMs, (timeMs) => timeMs));
          }
        },
      ),
      { seed: 66, numRuns: 500 },
    );
  });

  it('divides what was traded evenly, and loses nothing of it', () => {
    const window = new VolumeWindow(60_000);
    window.addEvenly(1_000, { fromMs: START_MS, toMs: START_MS + 60_000 });
    expect(window.units(START_MS + 60_000)).toBe(1_000);
    expect(window.units(START_MS + 60_001)).toBe(984);
    expect(window.units(START_MS + 90_000)).toBe(500);
    expect(window.units(START_MS + 120_000)).toBe(0);
  });

  it('holds what was traded at its first moment and at its last', () => {
    const window = new VolumeWindow(60_000);
    window.add(3, START_MS - (START_MS % 1_000));
    window.add(4, START_MS - (START_MS % 1_000) + 60_000);
    expect(window.units(START_MS - (START_MS % 1_000) + 60_000)).toBe(7);
  });

  it('holds nothing that is yet to come', () => {
    const window = new VolumeWindow(60_000);
    window.add(5, START_MS + 2_000);
    expect(window.units(START_MS)).toBe(0);
  });
});
