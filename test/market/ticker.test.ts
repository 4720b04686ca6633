import { describe, expect, it } from 'vitest';
import type { Ticker } from '../../src/domain/index.ts';
import { MARKET, marketFixture, START_MS, tickerOf } from './fixture.ts';

/** Whether a push is published after the answer to a request with the same exchange time. */
function isNews(pushed: Partial<Ticker>): boolean {
  const { clock, streams, venue, of } = marketFixture({ feed: true });
  venue.script.ticker = () => tickerOf();
  streams.ticker(MARKET).subscribe();
  clock.advanceBy(0);
  venue.pushes.ticker.next(tickerOf(pushed));
  return of('ticker').length === 2;
}

describe('tickerSource', () => {
  it('publishes what the feed says of the same moment where it is something else', () => {
    expect(isNews({})).toBe(false);
    for (const price of ['bid', 'ask', 'last', 'open', 'high', 'low', 'volume'] as const) {
      expect([price, isNews({ [price]: 77 })]).toEqual([price, true]);
    }
  });
});

describe('tickerSource beside one of another time', () => {
  it('takes what requests find once the feed is lost', () => {
    const { clock, streams, venue, of } = marketFixture({ feed: true });
    streams.ticker(MARKET).subscribe();
    clock.advanceBy(0);
    venue.pushes.ticker.next(tickerOf());
    venue.pushes.ticker.next(tickerOf({ exchangeTime: START_MS + 3_600_000 }));
    venue.connect(false);
    clock.advanceBy(10_000);
    expect(of('ticker').at(-1)!.exchangeTime).toBe(clock.now());
    expect(of('gap')).toMatchObject([{ stream: 'ticker' }]);
  });
});
