import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/kernel/index.ts';
import { checkSettled } from './agreement.ts';
import { quotingWorld } from './quoting-world.ts';
import type { World } from './world.ts';

/** A world whose bot trades. */
function tradingWorld(seed: string): World {
  // What the bot says of waits follows its date.
  const cancelWaitMs = Number.POSITIVE_INFINITY;
  return quotingWorld({ seed, strategy: 'medley', cancelWaitMs }).world;
}

/** I3, I6, I7: no timed cancel fired, it trades, and ends with the exchange's picture. */
function expectSound(world: World): void {
  expect(world.exchange.inspect('main').timedCancelsFired).toBe(0);
  const { openings } = world.books;
  world.advance(30_000);
  expect(world.books.openings).toBeGreaterThan(openings);
  checkSettled(world);
}

describe('a date that runs fast or slow', () => {
  it.each([0.001, -0.001, 0.01, -0.01, 0.05, -0.05])('by %d of the time is borne', (rate) => {
    const world = tradingWorld(`${rate}`);
    const startMs = world.clock.now();
    for (let seconds = 0; seconds < 180; seconds++) {
      world.advance(1_000);
      world.aheadMs = Math.round((world.clock.now() - startMs) * rate);
    }
    expectSound(world);
    expect(world.view.server.counts().refusals[3007]).toBeUndefined();
  });
});

describe('a date that jumps for good', () => {
  it.each([
    ['an hour ahead', HOUR_MS],
    ['an hour back', -HOUR_MS],
    ['a day ahead', DAY_MS],
    ['a day back', -DAY_MS],
  ])('%s costs some requests, and no more than a reading', (name, jumpMs) => {
    const world = tradingWorld(name);
    world.aheadMs = jumpMs;
    world.advance(60_000);
    expect(world.view.server.counts().refusals[3007]).toBeLessThan(6);
    expectSound(world);
  });
});
