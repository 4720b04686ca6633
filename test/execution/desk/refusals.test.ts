import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/domain/index.ts';
import { RefusalMemory } from '../../../src/execution/desk/refusals.ts';

const PAUSE_MS = 1_000;

function collar(through: number, observed = `${through * 2}`): Refusal {
  const limit = `buy at most 0.05 (5 %) above and 0.5 (50 %) below ${through}`;
  return { code: 'collar', limit, observed, scope: 'order' };
}

describe('RefusalMemory', () => {
  it('says the same words once, and others of their kind after the pause', () => {
    const memory = new RefusalMemory(PAUSE_MS);
    expect(memory.isNews(collar(100), 0)).toBe(true);
    expect(memory.isNews(collar(100), 2 * PAUSE_MS)).toBe(false);
    expect(memory.isNews(collar(100, 'another price'), PAUSE_MS - 1)).toBe(false);
    expect(memory.isNews(collar(100, 'another price'), PAUSE_MS)).toBe(true);
  });

  it('pauses twice as long each time, up to a minute', () => {
    const memory = new RefusalMemory(PAUSE_MS);
    const said: number[] = [];
    for (let second = 0; second < 200; second++) {
      if (memory.isNews(collar(100, `price ${second}`), second * PAUSE_MS)) said.push(second);
    }
    expect(said).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  });

  it('pauses where a number in the limit moves, too', () => {
    const memory = new RefusalMemory(PAUSE_MS);
    expect(memory.isNews(collar(100), 0)).toBe(true);
    expect(memory.isNews(collar(100.25), 1)).toBe(false);
    expect(memory.isNews(collar(100.25), PAUSE_MS)).toBe(true);
  });

  it('keeps what was refused apart: codes, scopes, sides', () => {
    const memory = new RefusalMemory(PAUSE_MS);
    const sell = {
      ...collar(100),
      limit: 'sell at most 0.05 (5 %) below and 0.5 (50 %) above 100',
    };
    const others = [{ ...collar(100), scope: 'market' as const }, sell];
    const said = [collar(100), ...others].map((refusal) => memory.isNews(refusal, 0));
    expect(said).toEqual([true, true, true]);
  });

  it('says other words at once when the pause is ended, but not the same', () => {
    const memory = new RefusalMemory(PAUSE_MS);
    memory.isNews(collar(100), 0);
    memory.endPause();
    expect(memory.isNews(collar(100), 1)).toBe(false);
    expect(memory.isNews(collar(101), 1)).toBe(true);
    expect(memory.isNews(collar(102), 2)).toBe(false);
  });

  it('says all of it again after an order passed', () => {
    const memory = new RefusalMemory(PAUSE_MS);
    memory.isNews(collar(100), 0);
    memory.clear();
    expect(memory.isNews(collar(100), 1)).toBe(true);
  });
});
