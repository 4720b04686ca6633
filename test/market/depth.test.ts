import { describe, expect, it } from 'vitest';
import type { Depth } from '../../src/domain/index.ts';
import { depthOf, MARKET, marketFixture } from './fixture.ts';

const bids: Depth['bids'] = [
  [100, 1],
  [99, 2],
];
const asks: Depth['asks'] = [
  [101, 1],
  [102, 2],
];

/** Whether a push is published after the answer to a request with the same exchange time. */
function isNews(pushed: Partial<Depth>): boolean {
  const { clock, streams, venue, of } = marketFixture({ feed: true });
  venue.script.depth = () => depthOf({ bids, asks });
  streams.depth(MARKET).subscribe();
  clock.advanceBy(0);
  venue.pushes.depth.next(depthOf({ bids, asks, ...pushed }));
  return of('depth').length === 2;
}

describe('depthSource', () => {
  it('knows a book again by the levels that both pictures of it have', () => {
    expect(isNews({})).toBe(false);
    expect(isNews({ bids: bids.slice(0, 1) })).toBe(false);
    expect(isNews({ asks: [...asks, [103, 1]] })).toBe(false);
  });

  it('publishes what differs in one price or amount, or has a side no more', () => {
    expect(isNews({ bids: [bids[0]!, [99, 3]] })).toBe(true);
    expect(isNews({ bids: [bids[0]!, [98, 2]] })).toBe(true);
    expect(isNews({ asks: [[101, 2], asks[1]!] })).toBe(true);
    expect(isNews({ bids: [] })).toBe(true);
    expect(isNews({ asks: [] })).toBe(true);
  });

  it('asks for the book while the feed repeats one that is frozen, and no more once that moves', () => {
    const { clock, streams, venue, of } = marketFixture({ feed: true });
    streams.depth(MARKET).subscribe();
    clock.advanceBy(0);
    for (let second = 0; second < 120; second++) {
      venue.pushes.depth.next(depthOf({ receivedTime: clock.now() }));
      clock.advanceBy(1_000);
    }
    expect(of('freshness')).toEqual([]);
    expect(clock.now() - of('depth').at(-1)!.exchangeTime).toBeLessThan(1_000);
    venue.pushes.depth.next(depthOf({ exchangeTime: clock.now(), receivedTime: clock.now() }));
    const requests = venue.timesOf('depth').length;
    clock.advanceBy(2_000);
    expect(venue.timesOf('depth')).toHaveLength(requests);
  });
});

describe('depthSource beside a book of another time', () => {
  const stampedAt = (time: number, receivedTime: number) =>
    depthOf({ exchangeTime: time, receivedTime });

  it('goes on, and one of them is told', () => {
    const { clock, streams, venue, of } = marketFixture({ feed: true });
    streams.depth(MARKET).subscribe();
    clock.advanceBy(0);
    for (let second = 0; second < 20; second++) {
      const nowMs = clock.now();
      venue.pushes.depth.next(stampedAt(nowMs + (second % 2) * 3_600_000, nowMs));
      clock.advanceBy(1_000);
    }
    expect(of('depth').at(-1)!.receivedTime).toBeGreaterThan(clock.now() - 3_000);
    expect(of('depth').every((depth) => depth.exchangeTime <= depth.receivedTime)).toBe(true);
    expect(of('freshness')).toEqual([]);
    expect(of('gap')).toHaveLength(1);
  });

  it('follows a time that goes on for a minute, and is back by our date at once', () => {
    const { clock, streams, venue, of } = marketFixture();
    streams.depth(MARKET).subscribe();
    clock.advanceBy(1_000);
    venue.script.depth = () => stampedAt(clock.now() + 3_600_000, clock.now());
    clock.advanceBy(60_000);
    expect(of('depth')).toHaveLength(3);
    clock.advanceBy(10_000);
    expect(of('depth').length).toBeGreaterThan(20);
    venue.script.depth = () => stampedAt(clock.now(), clock.now());
    clock.advanceBy(1_000);
    expect(of('depth').at(-1)!.exchangeTime).toBe(clock.now());
  });
});
