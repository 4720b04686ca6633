import { describe, expect, it } from 'vitest';
import type { Ticker } from '../../src/domain/index.ts';
import { MARKET, marketFixture, tickerOf } from './fixture.ts';

/** Whether a push is published behind the answer to a request, both of one time of the exchange. */
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
