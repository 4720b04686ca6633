import { describe, expect, it } from 'vitest';
import { clientOrderIds } from '../../src/app/client-order-ids.ts';
import { seededRandom, VirtualClock } from '../../src/kernel/index.ts';

const START_MS = Date.UTC(2026, 0, 1);

describe('clientOrderIds', () => {
  it('are 4 to 36 letters or digits, even the millionth', () => {
    const next = clientOrderIds(new VirtualClock(START_MS), seededRandom(1));
    const ids = Array.from({ length: 1_000_000 }, next);
    expect(ids[0]).toMatch(/^tw[a-z0-9]+$/);
    expect(ids.at(-1)).toMatch(/^[a-z0-9]{4,36}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('differ between runs that start at the same time', () => {
    const clock = new VirtualClock(START_MS);
    const one = clientOrderIds(clock, seededRandom('a'))();
    const other = clientOrderIds(clock, seededRandom('b'))();
    expect(other).not.toBe(one);
  });

  it('differ between runs of the same seed', () => {
    const one = clientOrderIds(new VirtualClock(START_MS), seededRandom(1))();
    const other = clientOrderIds(new VirtualClock(START_MS + 1), seededRandom(1))();
    expect(other).not.toBe(one);
  });
});
