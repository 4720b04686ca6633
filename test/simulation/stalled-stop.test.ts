import { describe, expect, it } from 'vitest';
import type { StopReport } from '../../src/execution/index.ts';
import { CALM } from './faults.ts';
import { World } from './world.ts';

/** Some requests are lost on their way, there or back. */
const LOSSY = { ...CALM, requests: { silent: 0.03, resetAfter: 0.03, lost: 0.02, slow: 0.03 } };

describe('a stop in the midst of which the event loop hangs, and that is told to stop again', () => {
  it.each([
    ['market-maker', 100, 40],
    ['market-maker', 1_000, 5],
    ['swing', 3_000, 0],
    ['medley', 8_000, 300],
    ['medley', 29_000, 15],
    ['market-maker', 52_000, 80],
    ['medley', 120_000, 20],
  ] as const)(
    'ends once, with a report that is true, and nothing rests (%s, %i ms)',
    (strategy, stallMs, afterMs) => {
      const world = new World({ seed: `${stallMs}`, strategy, levels: 3 });
      world.advance(1_000);
      world.boot();
      world.advance(10_000);
      world.network.weather = LOSSY;
      world.advance(5_000);
      const reports: StopReport[] = [];
      let resting = Number.NaN;
      world.stop((report) => {
        reports.push(report);
        resting = world.books.ownOpen.length;
      });
      world.advance(afterMs);
      world.stallBot(stallMs);
      world.stop((report) => reports.push(report));
      // Until what was given up cannot arrive any more, and the last timed cancel has fired.
      world.advance(190_000);
      const [first, second] = reports;
      expect(reports).toHaveLength(2);
      expect(second).toEqual(first);
      expect(first!.remaining.length).toBeGreaterThanOrEqual(resting);
      if (first!.verified) expect(resting).toBe(0);
      expect(world.books.ownOpen).toEqual([]);
    },
  );
});
