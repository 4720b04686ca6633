import { describe, expect, it } from 'vitest';
import { INTERVALS } from '../../src/domain/index.ts';
import { MARKET, marketFixture, START_MS } from './fixture.ts';

describe('sourcePoller', () => {
  it('gives up a request that is not answered, and asks again', () => {
    const { clock, streams, venue } = marketFixture({
      config: { requestTimeoutMs: 1_000, depthPollMs: 500 },
      script: { latencyMs: 86_400_000 },
    });
    streams.depth(MARKET).subscribe();
    clock.advanceBy(2_500);
    expect(venue.timesOf('depth')).toEqual([START_MS, START_MS + 2_000]);
  });

  it('lets a request for candles wait for its turn for longer than for its answer', () => {
    const { clock, streams, venue } = marketFixture({
      config: { candles: 'venue', requestTimeoutMs: 1_000 },
    });
    const intervals = INTERVALS.slice(0, 5);
    for (const interval of intervals) streams.candles({ market: MARKET, interval }).subscribe();
    clock.advanceBy(4_500);
    const turns = intervals.map((_, turn) => START_MS + 1_000 * turn);
    expect(venue.timesOf('candles')).toEqual(turns);
  });
});
