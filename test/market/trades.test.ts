import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trade } from '../../src/domain/index.ts';
import { type FixtureOptions, idsOf, MARKET, marketFixture, noAnswer, tradeOf } from './fixture.ts';

function tradesFixture(options: FixtureOptions = {}) {
  const fixture = marketFixture(options);
  const { clock, venue } = fixture;
  /** A trade happens on the venue now; the feed pushes it if asked to. */
  const trade = (id: number, { push = false } = {}) => {
    const made = tradeOf(id, { exchangeTime: clock.now(), receivedTime: clock.now() });
    venue.script.tape.push(made);
    if (push) venue.pushes.trades.next([made]);
    return made;
  };
  const trades = (...ids: number[]) => ids.map((id) => trade(id));
  const published = () => idsOf(fixture.of('trade'));
  const gaps = () => fixture.of('gap').map(({ after, before }) => `${after}-${before}`);
  return { ...fixture, trade, trades, published, gaps };
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('MarketStreams.trades, polled', () => {
  it('publishes the newest page, then what follows, once each', () => {
    const { clock, streams, trades, published, gaps } = tradesFixture();
    trades(1, 2, 3);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(600);
    trades(7, 9);
    clock.advanceBy(2_000);
    expect(published()).toEqual(['1', '2', '3', '7', '9']);
    expect(gaps()).toEqual([]);
  });

  it('keeps the times of the venue and of the receipt', () => {
    const { clock, streams, trade, of } = tradesFixture();
    const first = trade(1);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(0);
    expect(of('trade')).toEqual([{ kind: 'trade', ...first }]);
  });

  it('reads on at once behind a full page', () => {
    const { clock, streams, venue, trades, published } = tradesFixture();
    trades(1);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(400);
    trades(...range(2, 150));
    clock.advanceBy(100);
    expect(published()).toHaveLength(150);
    expect(venue.timesOf('trades').filter((time) => time > clock.now() - 1)).toHaveLength(4);
  });

  it('does not read on behind the first page, which is the newest', () => {
    const { clock, streams, venue, trades, published } = tradesFixture();
    trades(...range(1, 80));
    streams.trades(MARKET).subscribe();
    clock.advanceBy(400);
    expect(published()).toEqual(range(31, 80).map(String));
    expect(venue.timesOf('trades')).toHaveLength(1);
  });
});

describe('MarketStreams.trades, polled, where continuity cannot be shown', () => {
  it('publishes a gap where the cursor is older than what the venue keeps', () => {
    const { clock, streams, venue, trades, published, gaps } = tradesFixture();
    trades(1, 2, 3);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(400);
    venue.script.kept = 10;
    trades(...range(4, 30));
    clock.advanceBy(600);
    expect(gaps()).toEqual(['3-21']);
    expect(published()).toEqual([1, 2, 3, ...range(21, 30)].map(String));
  });

  it('publishes the gap before the trades behind it', () => {
    const { clock, streams, venue, trades, events } = tradesFixture();
    trades(1, 2);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(400);
    venue.script.kept = 1;
    trades(8, 9);
    clock.advanceBy(600);
    const kinds = events.map((event) => event.kind).filter((kind) => kind !== 'connection');
    expect(kinds).toEqual(['trade', 'trade', 'gap', 'trade']);
  });

  it('notices that the ids went back though the cursor gives nothing', () => {
    const { clock, streams, venue, trades, published, gaps } = tradesFixture();
    trades(100, 101);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(400);
    venue.script.tape = [];
    trades(1, 2);
    clock.advanceBy(1_500);
    trades(3);
    clock.advanceBy(1_500);
    expect(published()).toEqual(['100', '101', '1', '2', '3']);
    expect(gaps()).toEqual(['101-1']);
  });
});

describe('MarketStreams.trades, polled, over failures and pauses', () => {
  it('after a pause goes on without duplicates, and names what passed meanwhile', () => {
    const { clock, streams, trades, published, gaps } = tradesFixture();
    trades(1, 2);
    const subscription = streams.trades(MARKET).subscribe();
    clock.advanceBy(400);
    subscription.unsubscribe();
    trades(3, 4);
    clock.advanceBy(400);
    const again = streams.trades(MARKET).subscribe();
    clock.advanceBy(400);
    expect(published()).toEqual(['1', '2', '3', '4']);
    again.unsubscribe();
    trades(...range(5, 90));
    streams.trades(MARKET).subscribe();
    clock.advanceBy(400);
    expect(gaps()).toEqual(['4-41']);
    expect(published()).toEqual([...range(1, 4), ...range(41, 90)].map(String));
  });

  it('counts an empty page as a sign of life, and silence after failures as none', () => {
    const { clock, streams, venue, of } = tradesFixture();
    streams.trades(MARKET).subscribe();
    clock.advanceBy(60_000);
    expect(of('freshness')).toEqual([]);
    venue.script.failure = noAnswer;
    clock.advanceBy(60_000);
    venue.script.failure = undefined;
    clock.advanceBy(60_000);
    expect(of('freshness').map(({ stream, fresh }) => [stream, fresh])).toEqual([
      ['trade', false],
      ['trade', true],
    ]);
  });
});

describe('MarketStreams.trades, cursor paging against a naive oracle', () => {
  /** The trades that a subscriber must have seen, or that a gap must cover. */
  function missing(tape: readonly Trade[], published: string[], gaps: string[]): string[] {
    const holes = gaps.map((gap) => gap.split('-').map(BigInt) as [bigint, bigint]);
    const first = published[0];
    if (first === undefined) return idsOf(tape);
    return idsOf(tape).filter((id) => {
      const inHole = holes.some(([after, before]) => after < BigInt(id) && BigInt(id) < before);
      return BigInt(id) >= BigInt(first) && !published.includes(id) && !inHole;
    });
  }

  const steps = fc.array(
    fc.record({
      trades: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }),
      waitMs: fc.nat(1_200),
      fails: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  );

  it.each([
    ['keeps everything', Number.POSITIVE_INFINITY],
    ['keeps the newest 40 only', 40],
  ])('publishes the tape or names the hole where the venue %s', (_, kept) => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 50 }), fc.nat(900), (script, size, latency) => {
        const fixture = tradesFixture({ script: { kept, pageSize: size, latencyMs: latency } });
        const { clock, streams, venue, trade, published, gaps } = fixture;
        let id = 9_007_199_254_740_000;
        trade(id);
        streams.trades(MARKET).subscribe();
        clock.advanceBy(latency);
        for (const step of script) {
          for (const jump of step.trades) {
            id += jump;
            trade(id);
          }
          venue.script.failure = step.fails ? noAnswer : undefined;
          clock.advanceBy(step.waitMs);
        }
        venue.script.failure = undefined;
        clock.advanceBy(480_000);
        const seen = published();
        expect(missing(venue.script.tape, seen, gaps())).toEqual([]);
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.at(-1)).toBe(String(id));
        expect(seen).toEqual(seen.toSorted((a, b) => Number(BigInt(a) - BigInt(b))));
        if (kept === Number.POSITIVE_INFINITY) expect(gaps()).toEqual([]);
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});

describe('MarketStreams.trades, from the feed', () => {
  it('joins the feed once requests have reached it, then polls no more', () => {
    const { clock, streams, venue, trade, trades, published } = tradesFixture({ feed: true });
    trades(1, 2);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(100);
    trades(3);
    trade(4, { push: true });
    expect(published()).toEqual(['1', '2']);
    clock.advanceBy(0);
    expect(published()).toEqual(['1', '2', '3', '4']);
    trade(5, { push: true });
    expect(published()).toEqual(['1', '2', '3', '4', '5']);
    const requests = venue.requests.length;
    for (let second = 0; second < 4; second++) clock.advanceBy(1_000);
    expect(venue.requests).toHaveLength(requests);
  });

  it('joins at once where the feed goes right on', () => {
    const { clock, streams, trade, published } = tradesFixture({ feed: true });
    trade(1);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(0);
    trade(2, { push: true });
    expect(published()).toEqual(['1', '2']);
  });

  it('reads the missing part by request after a reconnection: no gap, no duplicate', () => {
    const { clock, streams, venue, trade, trades, published, gaps } = tradesFixture({ feed: true });
    trade(1);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(0);
    trade(2, { push: true });
    venue.connect(false);
    trades(...range(3, 120));
    venue.connect(true);
    trade(121, { push: true });
    clock.advanceBy(1_000);
    trade(122, { push: true });
    expect(published()).toEqual(range(1, 122).map(String));
    expect(gaps()).toEqual([]);
  });
});

describe('MarketStreams.trades, while the feed is lost', () => {
  it('polls while the connection is down', () => {
    const { clock, streams, venue, trade, trades, published } = tradesFixture({ feed: true });
    trade(1);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(0);
    trade(2, { push: true });
    venue.connect(false);
    for (const id of range(3, 10)) {
      trades(id);
      clock.advanceBy(1_000);
    }
    expect(published()).toEqual(range(1, 10).map(String));
  });

  it('finds by request what a silently dead feed did not push', () => {
    const { clock, streams, trade, trades, published, gaps } = tradesFixture({ feed: true });
    trade(1);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(0);
    trade(2, { push: true });
    trades(3, 4);
    clock.advanceBy(6_000);
    expect(published()).toEqual(['1', '2', '3', '4']);
    expect(gaps()).toEqual([]);
  });

  it('lets the feed take over behind a gap where requests do not get there in time', () => {
    const { clock, streams, venue, trade, published, gaps } = tradesFixture({ feed: true });
    trade(1);
    streams.trades(MARKET).subscribe();
    clock.advanceBy(0);
    venue.script.failure = noAnswer;
    trade(2);
    trade(3, { push: true });
    clock.advanceBy(2_000);
    trade(4, { push: true });
    clock.advanceBy(1_000);
    expect(published()).toEqual(['1', '3', '4']);
    expect(gaps()).toEqual(['1-3']);
    trade(5, { push: true });
    expect(published().at(-1)).toBe('5');
  });

  it('begins with the feed alone, without a gap, where requests never succeed', () => {
    const { clock, streams, trade, published, gaps } = tradesFixture({
      feed: true,
      script: { failure: noAnswer },
    });
    streams.trades(MARKET).subscribe();
    clock.advanceBy(0);
    trade(3, { push: true });
    clock.advanceBy(3_000);
    expect(published()).toEqual(['3']);
    expect(gaps()).toEqual([]);
  });
});

describe('MarketStreams.trades, whatever fails', () => {
  it('counts the standing connection as a sign of life', () => {
    const { clock, streams, venue, of } = tradesFixture({
      feed: true,
      script: { failure: noAnswer },
    });
    streams.trades(MARKET).subscribe();
    clock.advanceBy(60_000);
    expect(of('freshness')).toEqual([]);
    venue.connect(false);
    clock.advanceBy(60_000);
    expect(of('freshness').map(({ fresh }) => fresh)).toEqual([false]);
  });

  it('publishes every trade once, in order, over random failures of feed and requests', () => {
    const step = fc.record({
      action: fc.constantFrom('push', 'push', 'push', 'lose', 'down', 'up', 'fail', 'heal'),
      waitMs: fc.nat(2_500),
      jump: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(300), (script, latencyMs) => {
        const fixture = tradesFixture({ feed: true, script: { latencyMs } });
        const { clock, streams, venue, trade, published, gaps } = fixture;
        let id = 1;
        trade(id);
        streams.trades(MARKET).subscribe();
        clock.advanceBy(latencyMs);
        for (const { action, waitMs, jump } of script) {
          if (action === 'down' || action === 'up') venue.connect(action === 'up');
          else if (action === 'fail') venue.script.failure = noAnswer;
          else if (action === 'heal') venue.script.failure = undefined;
          else {
            id += jump;
            // What is pushed while the connection is down, or lost, never arrives.
            trade(id, { push: action === 'push' && venue.connected });
            if (action === 'lose') venue.connect(false);
          }
          clock.advanceBy(waitMs);
        }
        venue.script.failure = undefined;
        clock.advanceBy(120_000);
        const seen = published();
        const holes = gaps().map((gap) => gap.split('-').map(Number) as [number, number]);
        const expected = idsOf(venue.script.tape).filter(
          (each) => !holes.some(([after, before]) => after < +each && +each < before),
        );
        const outside = seen.filter(
          (each) => !holes.some(([after, before]) => after < +each && +each < before),
        );
        expect(outside).toEqual(expected);
        expect(new Set(seen).size).toBe(seen.length);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
