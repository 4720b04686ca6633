import { expect } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { ofKind } from '../domain/fixture.ts';
import { World } from './world.ts';
import type { WorldOptions } from './world-options.ts';

/** A world whose bot has been quoting for a while, with all that it said since the start. */
export function quotingWorld(options: WorldOptions = {}, quotesMs = 20_000) {
  const world = new World(options);
  const events: TradingEvent[] = [];
  world.listeners.add((event) => events.push(event));
  world.advance(1_000);
  world.boot();
  world.advance(quotesMs);
  const of = <K extends TradingEvent['kind']>(kind: K) => ofKind(events, kind);
  const restart = (downMs = 1_000): void => {
    world.kill();
    world.advance(downMs);
    world.boot();
  };
  expect(of('order').length).toBeGreaterThan(0);
  return { world, events, of, restart };
}
