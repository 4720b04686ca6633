import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { keptLines } from '../kernel/fixture.ts';
import { TwoBots } from './two-bots.ts';
import { ACCESS_KEY, World } from './world.ts';
import { manyMarkets } from './world-options.ts';

const TOO_FREQUENT = /"code":"?4002/;

/** From now on requests beyond the limit are not answered at all, as the contract may be read. */
function answerNoneBeyond({ network }: World): { readonly count: number } {
  const beyond = { count: 0 };
  const { handle } = network;
  network.handle = (arrival, answered, twice) => {
    const answer = (body: string): void => {
      if (TOO_FREQUENT.test(body)) beyond.count++;
      else answered(body);
    };
    handle.call(network, arrival, answer, twice);
  };
  return beyond;
}

describe('two bots that use up one key', () => {
  /** I5 cannot hold for the sum; I1 to I4 and I6 to I9 do, and no address is ever locked. */
  it.each([
    ['24', ['adopt', 'ignore'], false],
    ['28', ['ignore', 'ignore'], false],
    ['22', ['cancel', 'ignore'], true],
    ['29', ['ignore', 'adopt'], true],
  ] as const)(
    'end with the picture of the exchange (seed %s, %j, in silence %j)',
    (seed, policies, inSilence) => {
      const two = new TwoBots(seed, {
        ...{ policies, sharesKey: true, floodPeriodMs: 50, levels: 3 },
        cancelWaitMs: Number.POSITIVE_INFINITY,
      });
      const [{ world }] = two.seats;
      const beyond = inSilence ? answerNoneBeyond(world) : undefined;
      two.run();
      expect(beyond?.count ?? world.view.server.counts().refusals[4002]).toBeGreaterThan(0);
    },
    120_000,
  );
});

/** Two floods on one key, each of which would use all of it. */
function floods() {
  const shared = { sharesKey: true, strategy: 'flood', floodPeriodMs: 25 } as const;
  const options = { ...shared, markets: manyMarkets(3), levels: 3, cancelWaitMs: 10_000 };
  const first = new World(options);
  const second = new World({ ...options, seed: 'b', positionMax: 0.03, levels: 2 }, first);
  const events: TradingEvent[] = [];
  const { lines: warnings, logger } = keptLines();
  first.listeners.add((event) => events.push(event));
  first.logger = logger;
  first.advance(1_000);
  first.boot();
  second.boot();
  first.advance(30_000);
  return { first, second, events, warnings };
}

describe('two floods on one key', () => {
  it('are beyond its limit, and neither loses its heartbeats nor is told too often', () => {
    const { first, second, events, warnings } = floods();
    const { highest } = first.view.server.counts().keys[ACCESS_KEY]!;
    expect(highest).toBeGreaterThan(60);
    expect(events.filter(({ kind }) => kind === 'lapse')).toEqual([]);
    const beats = events.filter((event) => event.kind === 'heartbeat');
    for (const { id } of first.view.markets) {
      const sent = beats.filter(({ market }) => market === id).map(({ sentTime }) => sentTime);
      expect(sent.at(-1)! - sent[0]!).toBeGreaterThan(10_000);
      expect(first.clock.now() - sent.at(-1)!).toBeLessThan(20_000);
    }
    const told = warnings.filter((text) => text.includes('the exchange calls our pace too fast'));
    expect(told).toHaveLength(1);
    expect(first.bot.sources.state.state).toBe('ACTIVE');
    expect(second.bot.sources.state.state).toBe('ACTIVE');
  });

  it('leave a stop of the one its cancels, and the other its orders', () => {
    const { first, second } = floods();
    let verified: boolean | undefined;
    first.stop((report) => {
      verified = report.verified;
    });
    first.advance(first.config.executor.stopTimeoutMs);
    expect(verified).toBe(true);
    expect(first.books.ownOpen).toEqual([]);
    first.advance(2_000);
    second.strategiesSpeak = false;
    first.advance(3_000);
    expect(second.books.ownOpen).not.toEqual([]);
  });
});
