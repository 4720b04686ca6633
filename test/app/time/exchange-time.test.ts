import { interval } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { timeSchema } from '../../../src/app/config/time.ts';
import { type ExchangeTime, openTime } from '../../../src/app/time/exchange-time.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';

const START = '2026-01-01T00:00:00Z';
const START_MS = Date.parse(START);

function timeOf(settings: object, base = new VirtualClock(5_000)): ExchangeTime {
  return openTime(timeSchema.parse(settings), base);
}

/** The times at which something ran that was asked for with these delays. */
function noted({ clock }: ExchangeTime, delays: readonly number[]): number[] {
  const ran: number[] = [];
  const startMs = clock.now();
  for (const delay of delays) clock.schedule(() => ran.push(clock.now() - startMs), delay);
  return ran;
}

describe('openTime real', () => {
  it('is the base itself and cannot be advanced', () => {
    const base = new VirtualClock(5_000);
    const time = timeOf({}, base);
    expect(time).toMatchObject({ mode: 'real', scale: 1 });
    expect(time.clock).toBe(base);
    expect(time.advance).toBeUndefined();
  });
});

describe('openTime stepped', () => {
  it('begins now or when told, and stands still', () => {
    const base = new VirtualClock(5_000);
    const time = timeOf({ mode: 'stepped' }, base);
    base.advanceBy(1_000);
    expect(time.clock.now()).toBe(5_000);
    expect(timeOf({ mode: 'stepped', start: START }).clock.now()).toBe(START_MS);
  });

  it('runs what falls due in a step, its end included, and is then at its end', async () => {
    const time = timeOf({ mode: 'stepped' });
    const ran = noted(time, [10, 60_000, 60_001]);
    await time.advance?.(60_000);
    expect(ran).toEqual([10, 60_000]);
    expect(time.clock.now()).toBe(65_000);
  });

  it('takes steps one after another', async () => {
    const time = timeOf({ mode: 'stepped' });
    interval(1, time.clock).subscribe();
    await Promise.all([time.advance?.(30_000), time.advance?.(12)]);
    expect(time.clock.now()).toBe(35_012);
  });

  it('stamps whole milliseconds', async () => {
    const time = timeOf({ mode: 'stepped' });
    const ran = noted(time, [1.2]);
    await time.advance?.(5);
    expect(ran).toEqual([2]);
  });

  it('ends a step under way when it is stopped', async () => {
    const time = timeOf({ mode: 'stepped' });
    interval(1, time.clock).subscribe();
    const step = time.advance?.(1e12);
    setImmediate(() => time.stop());
    await step;
    expect(time.clock.now()).toBeLessThan(1e12);
    await time.advance?.(10);
  });
});

describe('openTime scaled', () => {
  it('runs as fast as told, by default as fast as real time', () => {
    const base = new VirtualClock(5_000);
    const plain = timeOf({ mode: 'scaled' }, base);
    const fast = timeOf({ mode: 'scaled', scale: 60, start: START }, base);
    base.advanceBy(1_000);
    expect(plain.clock.now()).toBe(6_000);
    expect(fast.clock.now()).toBe(START_MS + 60_000);
  });

  it('is advanced on top of its running: done when all that fell due has run', async () => {
    const base = new VirtualClock();
    const time = timeOf({ mode: 'scaled', start: START }, base);
    const ran = noted(time, [10, 59_000]);
    const advanced = time.advance?.(60_000);
    base.advanceBy(0);
    await advanced;
    expect(ran).toEqual([10, 59_000]);
    expect(time.clock.now()).toBe(START_MS + 60_000);
  });
});

describe('timeSchema', () => {
  it.each([
    [{ scale: 2 }, 'scale'],
    [{ mode: 'stepped', scale: 2 }, 'scale'],
    [{ mode: 'scaled', scale: 0 }, 'scale'],
    [{ start: START }, 'start'],
    [{ mode: 'stepped', start: 'soon' }, 'start'],
  ])('refuses %j', (settings, key) => {
    expect(timeSchema.safeParse(settings).error?.issues[0]?.path).toEqual([key]);
  });
});
