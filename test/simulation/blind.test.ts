import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { DAY_MS } from '../../src/kernel/index.ts';
import { CALM } from './faults.ts';
import { World } from './world.ts';
import { manyMarkets, type WorldOptions } from './world-options.ts';

/** Nothing is pushed: market data and fills are asked for. */
const MUTE = { ...CALM, pushes: { ...CALM.pushes, dropped: 1 } };
const FEES = { maker: 0.002, taker: 0.002 };

/** A world that has not started its bot yet, with all that one says. */
function blindWorld(options: WorldOptions) {
  const world = new World({ levels: 1, ...options });
  const events: TradingEvent[] = [];
  world.listeners.add((event) => events.push(event));
  world.advance(1_000);
  const placedIn = (market: string) =>
    events.filter(
      (event) =>
        event.kind === 'order' && event.market === market && event.order.status === 'pending',
    ).length;
  const refused = () =>
    events.flatMap((event) => (event.kind === 'refusal' ? [event.refusal.code] : []));
  return { world, events, placedIn, refused };
}

describe('a market that is held and gives no data after a restart', () => {
  /** So much was lost in btc_usdt a while after the restart. */
  function afterRestart(isBlind: boolean) {
    const told = blindWorld({
      ...{ markets: manyMarkets(2), postOnly: false, fees: FEES },
      risk: { dailyLossMax: 15, drawdownMax: 15 },
    });
    const { world } = told;
    world.boot();
    for (let tries = 0; world.books.ownNetUnits('eth_usdt') === 0; tries++) {
      expect(tries).toBeLessThan(300);
      world.advance(100);
    }
    world.kill();
    world.network.weather = MUTE;
    const gone = '{"error":"market suspended"}';
    if (isBlind) {
      world.network.intercept = (target) => (/\/data\/.*eth_usdt/.test(target) ? gone : undefined);
    }
    world.advance(1_000);
    told.events.length = 0;
    world.boot();
    world.advance(120_000);
    const { positions, view, state } = world.bot.sources;
    const price = view.depth('btc_usdt')!.bids[0]![0];
    return { ...told, state, lost: -positions.profit('btc_usdt', price).net.toNumber() };
  }

  it('lets no other of its currency lose more than the limits', () => {
    const { lost, refused, placedIn } = afterRestart(true);
    expect(refused()).toContain('unpriced');
    expect(placedIn('eth_usdt')).toBe(0);
    expect(lost).toBeLessThan(30);
  });

  it('is in no way of others once it has a price', () => {
    const { state, lost, refused, placedIn } = afterRestart(false);
    expect(refused()).not.toContain('unpriced');
    expect(placedIn('btc_usdt')).toBeGreaterThan(0);
    expect(state.state).toBe('REDUCING');
    expect(lost).toBeLessThan(30);
  });
});

describe('a book that has stood still for an hour before the start', () => {
  it('is not traded on', () => {
    const { world, events, placedIn } = blindWorld({});
    const exchangeTime = world.clock.now();
    const frozen = JSON.stringify({
      ...{ asks: [[30_010, 1]], bids: [[30_000, 1]], timestamp: Math.floor(exchangeTime / 1_000) },
    });
    world.network.weather = MUTE;
    world.network.intercept = (target) => (target.includes('/depth') ? frozen : undefined);
    world.advance(3_600_000);
    world.boot();
    world.advance(100_000);
    expect(world.life.status).toBe('running');
    expect(placedIn('btc_usdt')).toBe(0);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'freshness', stream: 'depth', fresh: false }),
    );
    world.network.intercept = () => undefined;
    world.advance(10_000);
    expect(placedIn('btc_usdt')).toBeGreaterThan(0);
  });
});

describe('a book of which one side is swept away for a moment', () => {
  it.each([
    ['all of it', []],
    ['all but a stub', [[0.01, 1]]],
  ])('trips no limit: %s', (_, bids) => {
    const { world } = blindWorld({ strategy: 'swing', risk: { dailyLossMax: 100 } });
    world.network.weather = MUTE;
    world.boot();
    for (
      let tries = 0;
      world.bot.sources.positions.position('btc_usdt').amount.sign <= 0;
      tries++
    ) {
      expect(tries).toBeLessThan(1_000);
      world.advance(100);
    }
    const { asks } = world.bot.sources.view.depth('btc_usdt')!;
    const timestamp = Math.floor(world.clock.now() / 1_000);
    const swept = JSON.stringify({ asks, bids, timestamp });
    world.network.intercept = (target) => (target.includes('/depth') ? swept : undefined);
    world.advance(3_000);
    expect(world.bot.sources.view.depth('btc_usdt')!.bids).toEqual(bids);
    expect(world.bot.sources.state.state).toBe('ACTIVE');
  });
});

describe('a date that is a day ahead for a moment, again and again', () => {
  it('renews no limit of a day', () => {
    const { world } = blindWorld({
      ...{ postOnly: false, fees: FEES },
      risk: { dailyLossMax: 10, drawdownMax: 1e6 },
    });
    world.boot();
    for (let days = 1; days <= 60; days++) {
      world.advance(2_000);
      world.aheadMs = days * DAY_MS;
      world.advance(100);
      world.aheadMs = 0;
    }
    const { positions, view, state } = world.bot.sources;
    const price = view.depth('btc_usdt')!.bids[0]![0];
    expect(state.state).toBe('REDUCING');
    expect(positions.profit('btc_usdt', price).net.toNumber()).toBeGreaterThan(-30);
  });
});
