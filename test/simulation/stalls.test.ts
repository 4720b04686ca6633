import { describe, expect, it } from 'vitest';
import { CALM } from './faults.ts';
import { quotingWorld } from './quoting-world.ts';
import { ACCESS_KEY, type World } from './world.ts';
import { manyMarkets } from './world-options.ts';

/** Ten markets that are quoted. */
function tenMarkets(): World {
  // What waits while nothing is answered is not starved.
  const options = { markets: manyMarkets(10), levels: 3, cancelWaitMs: 60_000 };
  return quotingWorld(options, 8_000).world;
}

/** The most requests that the exchange counted in a second. */
function mostIn({ view }: World): number {
  return view.server.counts().keys[ACCESS_KEY]!.highest;
}

/** Ten markets that are quoted, then a network that stands still for a while. */
function stalledWorld(stallMs: number, { tradeOnly = false, pushes = true } = {}) {
  const world = tenMarkets();
  if (!pushes) {
    world.network.silenceSockets();
    world.network.weather = { ...CALM, pushes: { ...CALM.pushes, refused: 1 } };
  }
  world.stallNetwork(stallMs, { tradeOnly });
  world.advance(stallMs);
  const overMs = world.clock.now();
  const since = { confirmed: Number.POSITIVE_INFINITY, placed: Number.POSITIVE_INFINITY };
  world.listeners.add((event) => {
    const afterMs = world.clock.now() - overMs;
    if (event.kind === 'heartbeat') since.confirmed = Math.min(since.confirmed, afterMs);
    if (event.kind !== 'order' || event.order.status !== 'open') return;
    if (event.order.createdTime >= overMs) since.placed = Math.min(since.placed, afterMs);
  });
  return { world, since };
}

describe('a network that stands still', () => {
  it.each([
    ['for 3 s', 3_000, {}, 2_000],
    ['for 13 s, and brings no pushes afterwards', 13_000, { pushes: false }, 4_000],
    ['for 13 s, for trading alone', 13_000, { tradeOnly: true }, 4_000],
    ['for 40 s', 40_000, {}, 4_000],
  ])(
    '%s: never more than 60 requests in a second, and new orders soon',
    (_, stallMs, how, soonMs) => {
      const { world, since } = stalledWorld(stallMs, how);
      world.advance(12_000);
      expect(mostIn(world)).toBeLessThanOrEqual(60);
      expect(since.placed).toBeLessThan(soonMs);
      // All that rests is on its way out by then: the timed cancel is called for what takes its place.
      if (stallMs > 10_000) expect(since.confirmed).toBeLessThan(1_500);
      expect(world.exchange.inspect('main').timedCancelsFired).toBe(0);
    },
  );

  it('while the bot is killed and started again and again: never more than 60 either', () => {
    const world = tenMarkets();
    world.stallNetwork(30_000);
    for (let life = 0; life < 6; life++) {
      world.advance(4_500);
      world.kill();
      world.advance(500);
      world.boot();
    }
    // Two minutes until what may have left, and never arrived, is shown to be gone.
    world.advance(150_000);
    expect(mostIn(world)).toBeLessThanOrEqual(60);
    expect(world.life.status).toBe('running');
    expect(world.books.ownOpen.length).toBeGreaterThan(0);
  });
});
