import { describe, expect, it } from 'vitest';
import type { Posted } from '../../../src/app/alerts/post.ts';
import { signsOfLife } from '../../../src/app/alerts/sign-of-life.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { toldFixture } from './fixture.ts';

const DOWN: Posted = { kind: 'failed', reason: 'no route' };

function signsFixture(ends: readonly Posted[] = []) {
  const clock = new VirtualClock(0);
  const { logger, told } = toldFixture();
  const calls: number[] = [];
  const call = (): Promise<Posted> => {
    calls.push(clock.now());
    return Promise.resolve(ends[calls.length - 1] ?? { kind: 'taken' });
  };
  const signs = signsOfLife({ clock, logger, call, everyMs: 60_000, variable: 'ALIVE' });
  const pass = async (ms: number): Promise<void> => {
    clock.advanceBy(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { calls, pass, signs, told };
}

describe('signsOfLife', () => {
  it('calls at once, and from then on as often as is set', async () => {
    const { calls, pass, signs, told } = signsFixture();
    await pass(150_000);
    expect(calls).toEqual([0, 60_000, 120_000]);
    expect(told).toEqual([]);
    signs.unsubscribe();
    await pass(300_000);
    expect(calls).toHaveLength(3);
  });

  it('goes on where nobody answers, and tells that once each time', async () => {
    const { calls, pass, told } = signsFixture([DOWN, DOWN, { kind: 'taken' }, DOWN]);
    for (let at = 0; at < 4; at++) await pass(at === 0 ? 0 : 60_000);
    expect(calls).toHaveLength(4);
    expect(told).toEqual([
      'warn Cannot call the address in ALIVE: no route; it is tried again',
      'info the address in ALIVE answers again',
      'warn Cannot call the address in ALIVE: no route; it is tried again',
    ]);
  });

  it('tells nothing of a call that its end cuts off', async () => {
    const { pass, signs, told } = signsFixture([DOWN]);
    signs.unsubscribe();
    await pass(0);
    expect(told).toEqual([]);
  });
});
