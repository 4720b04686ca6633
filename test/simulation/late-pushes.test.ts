import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../src/kernel/index.ts';
import { checkSettled } from './agreement.ts';
import { World } from './world.ts';

/** How much older what comes again is at least, and how long it takes at most until more comes. */
const LATE_MS = 5_000;
const PAUSE_MS = 500;

/** From now on each new push connection brings frames again that earlier ones have brought. */
function bringLate(world: World, random: Random): { count: number; end: () => void } {
  const kept: { readonly text: string; readonly timeMs: number }[] = [];
  const late = {
    count: 0,
    isOver: false,
    end: () => {
      late.isOver = true;
    },
  };
  const { accept } = world.network;
  world.network.accept = (connection) => {
    const send = (text: string): void => {
      kept.push({ text, timeMs: world.clock.now() });
      connection.send(text);
    };
    world.clock.schedule(function again() {
      if (late.isOver) return;
      const old = kept.filter(({ timeMs }) => timeMs < world.clock.now() - LATE_MS);
      const frame = old[random.integer(Math.max(1, old.length))];
      if (frame !== undefined) {
        late.count++;
        connection.send(frame.text);
      }
      this.schedule(undefined, 1 + random.integer(PAUSE_MS));
    }, PAUSE_MS);
    return accept.call(world.network, { ...connection, send });
  };
  return late;
}

describe('frames of earlier push connections that arrive behind those of a new one', () => {
  it.each([
    ['market-maker', 'a'],
    ['swing', 'b'],
    ['medley', 'c'],
  ] as const)('change no picture for good (%s, seed %s)', (strategy, seed) => {
    const fees = { maker: 0.001, taker: 0.002 };
    const world = new World({ seed, strategy, levels: 2, postOnly: false, fees });
    const random = seededRandom(`late pushes ${seed}`);
    const late = bringLate(world, random);
    world.advance(1_000);
    world.boot();
    world.advance(10_000);
    for (let times = 0; times < 6; times++) {
      world.network.restartSockets();
      world.advance(5_000 + random.integer(8_000));
    }
    late.end();
    checkSettled(world, 75_000);
    expect(late.count).toBeGreaterThan(100);
    expect(world.bot.sources.state.state).toBe('ACTIVE');
  });
});
