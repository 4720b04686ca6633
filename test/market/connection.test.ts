import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { ExchangeFailure } from '../../src/exchange/index.ts';
import { Bus, VirtualClock } from '../../src/kernel/index.ts';
import { MarketConnection } from '../../src/market/connection.ts';
import { FakeVenue, noAnswer } from './fixture.ts';

function connectionFixture() {
  const clock = new VirtualClock();
  const bus = new Bus<TradingEvent>();
  const venue = new FakeVenue(clock);
  const connection = new MarketConnection({ clock, bus, feed: venue.feed });
  const told: string[] = [];
  bus.on('connection').subscribe(({ channel, connected, reason }) => {
    told.push(`${channel} ${connected ? 'up' : 'down'}: ${reason}`);
  });
  const fail = (times: number, failure = noAnswer) => {
    for (let at = 0; at < times; at++) connection.failed(failure);
  };
  return { venue, connection, told, fail };
}

describe('MarketConnection', () => {
  it('tells of the first answer, and of a loss after three failures in a row', () => {
    const { connection, told, fail } = connectionFixture();
    connection.answered();
    connection.answered();
    fail(2);
    connection.answered();
    fail(2);
    expect(told).toEqual(['market up: requests are answered']);
    fail(5);
    connection.answered();
    expect(told.slice(1)).toEqual([
      `market down: requests fail: ${noAnswer.message}`,
      'market up: requests are answered',
    ]);
  });

  it('counts neither a refusal nor a limit as a lost connection', () => {
    const { connection, told, fail } = connectionFixture();
    connection.answered();
    fail(10, new ExchangeFailure('rejected', 'no such market'));
    fail(10, new ExchangeFailure('limited', 'too fast'));
    expect(told).toHaveLength(1);
  });

  it('stays connected by requests when the feed is lost, and says so', () => {
    const { venue, connection, told, fail } = connectionFixture();
    connection.feed.subscribe();
    connection.answered();
    venue.connect(false, 'cut');
    venue.connect(true, 'back');
    fail(3);
    venue.connect(false, 'cut again');
    expect(told).toEqual([
      'market up: feed connected: now',
      'market up: feed lost, polled alone: cut',
      'market up: feed connected: back',
      'market down: feed lost: cut again',
    ]);
  });

  it('says nothing while nothing was had and nothing given up', () => {
    const { venue, connection, told, fail } = connectionFixture();
    venue.connected = false;
    connection.feed.subscribe();
    fail(2);
    expect(told).toEqual([]);
    fail(1);
    expect(told).toEqual([`market down: requests fail: ${noAnswer.message}`]);
  });

  it('shares one subscription to the feed, and tells late comers the present state', () => {
    const { venue, connection, told } = connectionFixture();
    const first = connection.feed.subscribe();
    venue.connect(false, 'cut');
    const states: boolean[] = [];
    const second = connection.feed.subscribe(({ connected }) => states.push(connected));
    expect(states).toEqual([false]);
    expect(told).toHaveLength(2);
    first.unsubscribe();
    expect(venue.pushes.connection.observed).toBe(true);
    second.unsubscribe();
    expect(venue.pushes.connection.observed).toBe(false);
  });
});
