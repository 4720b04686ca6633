import { describe, expect, it, vi } from 'vitest';
import { play } from '../../../../src/app/backtest/feeds/playback.ts';
import { type RowFeed, TURNS } from '../../../../src/app/backtest/feeds/row-feed.ts';
import type { TimeSlice } from '../../../../src/app/backtest/feeds/time-slice.ts';
import type { Meters } from '../../../../src/app/backtest/meters/meters.ts';
import { VirtualClock } from '../../../../src/kernel/index.ts';

const METER = {
  dueMs: Number.POSITIVE_INFINITY,
  passTo: () => {},
  passToOpen: () => {},
} as unknown as Meters;

/** A feed of one chunk of rows, a millisecond apart, each of which takes so long of this machine. */
function slowFeed(market: string, { rows, work }: { rows: number; work: () => void }) {
  let at = 0;
  let hasRead = false;
  const step = (): void => {
    at++;
    work();
  };
  const feed: RowFeed = {
    ...{ market, nextTurn: TURNS.happening, findings: [], missingMs: 0, firstPrice: undefined },
    get nextMs() {
      return hasRead && at < rows ? at : Number.POSITIVE_INFINITY;
    },
    get rows() {
      return at;
    },
    refill: async () => {
      if (hasRead) return false;
      hasRead = true;
      return true;
    },
    step,
    settle: () => {},
    playAll: (_: Meters, slice: TimeSlice) => {
      while (feed.nextMs < Number.POSITIVE_INFINITY) {
        step();
        if (slice.isOver()) return;
      }
    },
    recordPlayed: () => {},
    close: async () => {},
  };
  return feed;
}

describe('play', () => {
  it.each([1, 2])(
    'lets signals in within a chunk of %i markets whose rows take long',
    async (count) => {
      let nowMs = 0;
      const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
      const feeds = Array.from({ length: count }, (_, index) =>
        slowFeed(`m${index}`, { rows: 1_000, work: () => (nowMs += 10) }),
      );
      const played = (): number => feeds.reduce((sum, { rows }) => sum + rows, 0);
      let heardAt: number | undefined;
      setImmediate(() => {
        heardAt = played();
      });
      const looks: number[] = [];
      const onChunk = (): boolean => looks.push(played()) > 0;
      const options = { feeds, clock: new VirtualClock(0), meters: METER, onChunk };
      expect(await play(options)).toBe(true);
      now.mockRestore();
      expect(looks[0]).toBe(heardAt);
      expect([63, 64]).toContain(heardAt);
      expect(played()).toBe(1_000 * count);
    },
  );

  it('pauses in no chunk whose rows are quick', async () => {
    const feed = slowFeed('m', { rows: 1_000, work: () => {} });
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const looks: number[] = [];
    const onChunk = (): boolean => looks.push(feed.rows) > 0;
    await play({ feeds: [feed], clock: new VirtualClock(0), meters: METER, onChunk });
    now.mockRestore();
    expect(looks).toEqual([1_000]);
  });

  it('ends where it is told so', async () => {
    let nowMs = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const feed = slowFeed('m', { rows: 1_000, work: () => (nowMs += 10) });
    const options = { feeds: [feed], clock: new VirtualClock(0), meters: METER };
    expect(await play({ ...options, onChunk: () => feed.rows < 128 })).toBe(false);
    now.mockRestore();
    expect(feed.rows).toBe(128);
  });
});
